"""Compute or simulate how many groups an experiment needs.

With --effect, the number is computed for group means; set --sd and --icc, or take them from a
pilot. With a game, policies take people's places: a treatment is a name, followed by policies
(simulated=, bots=), an archetype and parameters of the game. With --effect and a game, groups of
one treatment are simulated as a pilot.

The exit code is 1 if the pilot's file has faults, which are printed first.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from mixed_company.cli import needed
from mixed_company.cli.arguments import (
    assigned,
    loaded,
    say_archetype,
    sharing,
    simulated,
    table_text,
    whole_numbers,
    work_of,
)
from mixed_company.cli.command import Group
from mixed_company.cli.refusal import config_error

if TYPE_CHECKING:
    from mixed_company.analysis.data import Data

GROUP = Group.SESSIONS
EXTRA = "analysis"
EXAMPLES = (
    "mixed power --effect 15% --mean 20 --sd 6 --icc 0.1 --target 0.8 --attrition 10%",
    "mixed power --effect 3 --pilot export.zip --measure points --ratio 1:2 --hypotheses 2",
    "mixed power sanctions --effect 15% --measure points "
    "--treatment base simulated=population:kurzban_houser_2005 bots=fixed archetype=unsanctioned",
    "mixed power commons_game --measure points --groups 4,8,12 "
    "--simulated noisy_person "
    "--treatment slow bots=steward archetype=lab growth_rate=0.3 "
    "--treatment fast bots=steward archetype=lab growth_rate=0.5",
)

_GROUPS = "4,8,12,16"
_REPETITIONS = 1000
_PILOT = 200
"""Number of groups to simulate as a pilot."""
_SIMULATED = (
    *("treatments", "simulated", "groups", "test", "repetitions", "pool", "seed", "uncertain"),
    *("workers", "scheduler"),
)
_COMPUTED = (
    *("effect", "sd", "icc", "mean", "people", "pilot", "block", "target", "ratio"),
    *("hypotheses", "attrition", "session_icc", "per_session", "within"),
)

_NOT_PLAYED = (
    *("groups", "test", "repetitions", "uncertain", "workers", "scheduler"),
    *("sd", "pilot", "block"),
)


def configure(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("game", nargs="?", help="game to simulate; without a game, the answer is computed")
    add("--measure", help="column of a table, or a measure")
    add("--alpha", type=float, default=0.05, help="level of the test")
    needed.configure(parser)
    group = parser.add_argument_group("simulated, with a game")
    add = group.add_argument
    add(
        "--treatment",
        dest="treatments",
        action="append",
        nargs="+",
        metavar=("name", "key=value"),
        help="name, policies (simulated=, bots=), people_per_group= (default: one for each policy "
        "in simulated=), and parameters of the game; twice or more",
    )
    simulated(group, without="; for treatments without simulated=")
    add("--groups", help=f"groups per treatment, separated by commas; default {_GROUPS}")
    add("--test", help=f"test that you will report{_tests()}")
    add("--repetitions", type=int, help=f"simulated experiments; default {_REPETITIONS}")
    add("--pool", type=int, help="number of groups per treatment to simulate as a pilot")
    add("--seed", type=int, help="seed for all random numbers; default 0")
    add(
        "--uncertain",
        action="store_true",
        default=None,
        help="redraw populations' parameters for each study, according to their standard errors",
    )
    sharing(parser)


def run(chosen: Namespace) -> int:
    """Print the answer, or one row per number of groups. Return 1 if a pilot's file has faults."""
    code = 0
    if chosen.game is None:
        _refuse(chosen, _SIMULATED, "needs a game")
        pilot = None
        if chosen.pilot is not None:
            needed.check_pilot(chosen)
            pilot, code = loaded(Namespace(export=chosen.pilot, game=None))
            pilot = pilot if chosen.block is None else pilot.of_block(chosen.block)
        else:
            _refuse(chosen, ("block",), "needs --pilot")
        answer = needed.lines(chosen, pilot)
    elif chosen.effect is not None:
        _refuse(chosen, _NOT_PLAYED, "has no effect if a pilot is simulated for --effect")
        needed.check_pilot(chosen)
        answer = needed.lines(chosen, _played(chosen))
    else:
        _refuse(chosen, _COMPUTED, "applies only with --effect, when the answer is computed")
        answer = _simulated(chosen)
    print("\n".join(answer))
    return code


def _played(chosen: Namespace) -> Data:
    """Simulate groups for the only treatment. Raises ConfigError unless exactly one is named."""
    from mixed_company import analysis

    treatments = _treatments(chosen)
    if len(treatments) != 1:
        raise config_error(
            f"--treatment: {len(treatments)} named; --effect needs exactly one to simulate"
        )
    ((name, parameters),) = treatments.items()
    groups = _PILOT if chosen.pool is None else chosen.pool
    seed = chosen.seed or 0
    return analysis.simulated(chosen.game, groups=groups, seed=seed, treatment=name, **parameters)


def _refuse(chosen: Namespace, names: Sequence[str], why: str) -> None:
    """Raise ConfigError with the reason `why` if any of these arguments is set but would have no
    effect."""
    useless = [name for name in names if getattr(chosen, name) not in (None, "")]
    if useless:
        name = {"treatments": "treatment"}.get(useless[0], useless[0].replace("_", "-"))
        raise config_error(f"--{name}: {why}")


def _simulated(chosen: Namespace) -> list[str]:
    """Return the table of `analysis.power`, and print the simulated people. Raises ConfigError."""
    from mixed_company.analysis.power import power

    for name, value in (("treatment", chosen.treatments), ("measure", chosen.measure)):
        if value is None:
            raise config_error(f"--{name}: is missing; a simulation needs it")
    treatments = _treatments(chosen)
    table = power(
        chosen.game,
        treatments,
        chosen.measure,
        whole_numbers("groups", chosen.groups or _GROUPS),
        test=chosen.test,
        alpha=chosen.alpha,
        repetitions=_REPETITIONS if chosen.repetitions is None else chosen.repetitions,
        pool=chosen.pool,
        seed=chosen.seed or 0,
        uncertain=bool(chosen.uncertain),
        progress=True,
        **work_of(chosen),
    )
    for sentence in _sentences(chosen.game, treatments):
        print(sentence, file=sys.stderr)  # not on standard output, which has the table
    return [table_text(table)]


def _sentences(game_id: str, treatments: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield sentences about the policies in each treatment's seats, and about differences between
    people."""
    from mixed_company import engine
    from mixed_company.experiment.plan import apart
    from mixed_company.experiment.simulated_people import SimulatedPeople, bots_beside

    seated = ("people", "people_per_group", "bots")
    for name, treatment in treatments.items():
        parameters = {key: treatment[key] for key in treatment if key not in seated}
        people, seats = treatment["people_per_group"], engine.make(game_id, **parameters).seats
        bots = bots_beside(people, treatment.get("bots", ()), seats)
        yield f"Treatment {name}. {SimulatedPeople(tuple(treatment['people']), people, bots)}"
    named = [
        (f"simulated= of {name}", treatment["people"]) for name, treatment in treatments.items()
    ]
    yield from apart("treatments", [named])


def _treatments(chosen: Namespace) -> dict[str, dict[str, Any]]:
    """Return the arguments of `analysis.power` for treatments, by name. Raises ConfigError."""
    from mixed_company.policies.spec import policy_specs

    treatments: dict[str, dict[str, Any]] = {}
    for name, *pairs in chosen.treatments or ():
        if name in treatments:
            raise config_error(f"treatment {name!r}: named twice; use different names")
        settings: dict[str, Any] = {}
        if chosen.simulated:
            settings["people"] = policy_specs(chosen.simulated)
        parameters = []
        for pair in pairs:
            key, _, text = pair.partition("=")
            if key in ("simulated", "people"):
                settings["people"] = policy_specs(text)
            elif key == "bots":
                settings["bots"] = policy_specs(text)
            elif key == "archetype":
                settings["archetype"] = text
            else:
                parameters.append(pair)
        if "people" in settings:
            settings["people_per_group"] = len(settings["people"])
        treatments[name] = {**settings, **assigned(parameters)}
        say_archetype(chosen.game, settings.get("archetype"), f"treatment {name}: ")
    return treatments


def _tests() -> str:
    """Return the names of the tests, if the analysis libraries are installed."""
    with suppress(ModuleNotFoundError):
        from mixed_company.analysis.statistics.tests import TESTS

        return f": {', '.join(TESTS)}"
    return ""
