"""Says how many groups an experiment needs, by simulation with policies.

Policies sit in people's places. A treatment is a name, then policies (people=, bots=), an archetype
and parameters of the game.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from mixed.command import Group
from mixed.sharing import sharing, workers_of

GROUP = Group.SESSIONS
EXTRA = "analysis"
EXAMPLES = (
    "mixed power commons_game --measure points --groups 4,8,12 "
    "--treatment slow people=noisy_person archetype=lab growth_rate=0.3 "
    "--treatment fast people=noisy_person archetype=lab growth_rate=0.5",
)


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("game")
    add(
        "--treatment",
        dest="treatments",
        action="append",
        nargs="+",
        required=True,
        metavar=("name", "key=value"),
        help="a name, policies (people=, bots=), and parameters of the game; twice or more",
    )
    add("--measure", required=True, help="a column of a table, or a measure")
    add("--groups", default="4,8,12,16", help="of each treatment, by commas")
    add("--test", help=f"the test that you will report{_tests()}")
    add("--alpha", type=float, default=0.05, help="the level of the test")
    add("--repetitions", type=int, default=1000, help="simulated experiments")
    add("--pool", type=int, help="groups to play of each treatment")
    add("--seed", type=int, default=0, help="seed of every random number")
    sharing(parser)


def run(chosen: Namespace) -> int:
    """Print a row per number of groups."""
    from analysis.power import power
    from mixed.values import whole_numbers

    table = power(
        chosen.game,
        _treatments(chosen.treatments),
        chosen.measure,
        whole_numbers("groups", chosen.groups),
        test=chosen.test,
        alpha=chosen.alpha,
        repetitions=chosen.repetitions,
        pool=chosen.pool,
        seed=chosen.seed,
        progress=True,
        workers=workers_of(chosen),
        scheduler=chosen.scheduler,
    )
    print(table.to_string(index=False, float_format=lambda value: f"{value:.3f}"))
    return 0


def _treatments(arguments: Sequence[Sequence[str]]) -> dict[str, dict[str, Any]]:
    """Name -> what `analysis.power` takes of a treatment. Raises ConfigError."""
    from engine.contract.errors import ConfigError
    from mixed.values import assigned

    treatments: dict[str, dict[str, Any]] = {}
    for name, *pairs in arguments:
        if name in treatments:
            raise ConfigError(f"treatment {name!r}: given twice; a name each")
        chosen: dict[str, Any] = {}
        parameters = []
        for pair in pairs:
            key, _, text = pair.partition("=")
            if key in ("people", "bots"):
                chosen[key] = text.split(",")
            elif key == "archetype":
                chosen[key] = text
            else:
                parameters.append(pair)
        treatments[name] = {**assigned(parameters), **chosen}
    return treatments


def _tests() -> str:
    """The names of the tests, where the analysis is installed."""
    with suppress(ModuleNotFoundError):
        from analysis.statistics.tests import TESTS

        return f": {', '.join(TESTS)}"
    return ""
