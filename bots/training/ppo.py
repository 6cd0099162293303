"""Trains a policy with PPO (Schulman et al. 2017, arXiv:1707.06347), and writes model and card.

    python -m bots.training.ppo commons_game --archetype lab --aim group --steps 4000000 \\
        --seed 1 --name commons_together --output bots/trained

All seats learn together with one network, or, with `--against`, one seat of each play among the
policies named. With `--imitate` they learn first to decide as a policy does (`imitation`).

The same command gives the same weights on the same machine. A checkpoint is written from time to
time, beside the model; `--resume` goes on from there, and ends with the weights that the training
would have had without the interruption.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import engine
from bots.trained.card import Card
from bots.training.plan import Plan
from engine.contract.errors import ConfigError
from files.command import assigned, guarded

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit code."""
    parser = _parser()
    given = list(sys.argv[1:] if arguments is None else arguments)
    return guarded(lambda: _run(parser.parse_intermixed_args(given), given))


def _parser() -> argparse.ArgumentParser:
    about = str(__doc__).split("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m bots.training.ppo", description=about)
    add = parser.add_argument
    add("game")
    add("--archetype", help="the named set of values to start from")
    add("--aim", choices=("own", "group"), required=True, help="whose points are the reward")
    add(
        "--credit",
        choices=("mean", "difference"),
        default="mean",
        help="reward the mean of the group, or what the seat's own action changes in it at once",
    )
    add("--against", default="", help="policies of the other seats, by commas; else all learn")
    add("--seats", default="", help="which seats learn against them, by commas; else each in turn")
    add("--observe", default="", help="observation fields by commas; else all")
    add("--remember", default="", help="observed fields whose running means are remembered")
    add("--sampling", choices=("mode", "sample"), default="mode", help="how it is served")
    add("--steps", type=int, required=True, help="decisions to learn from")
    add("--seed", type=int, default=0, help="seed of everything")
    add("--rate", type=float, default=1e-3, help="learning rate at the start")
    add("--entropy", type=float, default=0.0, help="reward of doing something else at times")
    add("--discount", type=float, default=1.0, help="weight of the next period in what is learned")
    add("--hidden", type=int, default=64, help="units in each of the two layers")
    add("--imitate", default="", help="a policy that is imitated before anything else")
    add("--imitate-steps", type=int, default=500_000, help="decisions to imitate it in")
    add("--cells", default="", help="field:number, each cell of it summed up by so many numbers")
    add("--paths", default="", help="field:codes, how near these are over cells with one of them")
    add("--name", required=True, help="id of the policy")
    add("--sentence", required=True, help="what it does, in one sentence")
    add("--output", type=Path, required=True, help="folder of model and card")
    add("--resume", action="store_true", help="go on from the last checkpoint")
    add("pairs", nargs="*", metavar="key=value", help="parameters of the game")
    return parser


def _run(chosen: argparse.Namespace, given: Sequence[str]) -> int:
    game = engine.make(chosen.game, archetype=chosen.archetype, **assigned(chosen.pairs))
    plan = Plan(
        game=game,
        name=chosen.name,
        output=chosen.output,
        sentence=chosen.sentence,
        aim=chosen.aim,
        credit=chosen.credit,
        against=chosen.against,
        seats=_numbers("seats", chosen.seats),
        observe=_names(chosen.observe),
        remember=_names(chosen.remember),
        sampling=chosen.sampling,
        steps=chosen.steps,
        seed=chosen.seed,
        entropy=chosen.entropy,
        rate=chosen.rate,
        discount=chosen.discount,
        hidden=chosen.hidden,
        imitate=chosen.imitate,
        imitate_steps=chosen.imitate_steps,
        cells=_cells(chosen.cells),
        paths=_paths(chosen.paths),
        command=shlex.join(["python", "-m", "bots.training.ppo", *_lasting(given)]),
    )
    card = _trained(plan, chosen.resume)
    print(f"\n{chosen.output / card.id}.onnx, {card.steps} steps in {card.seconds:g} s")
    return 0


def _trained(plan: Plan, resume: bool) -> Card:
    """Train, once it is clear what: what is needed for it takes seconds to load, if it is there."""
    try:
        from bots.training.learning import trained
    except ModuleNotFoundError as error:
        raise ConfigError(f"training needs requirements-training.txt ({error})") from None
    return trained(plan, resume)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _numbers(key: str, text: str) -> tuple[int, ...]:
    if not all(name.isdigit() for name in _names(text)):
        raise ConfigError(f"{key} = {text!r}: should be whole numbers, by commas")
    return tuple(map(int, _names(text)))


def _cells(text: str) -> tuple[str, int] | None:
    name, _, few = text.partition(":")
    if text and not (name and few.isdigit()):
        raise ConfigError(f"cells = {text!r}: should be field:number")
    return (name, int(few)) if text else None


def _paths(text: str) -> tuple[str, tuple[int, ...]] | None:
    name, _, codes = text.partition(":")
    return (name, _numbers("paths", codes)) if text else None


def _lasting(given: Sequence[str]) -> list[str]:
    """The command without the part that only says that it was interrupted."""
    return [part for part in given if part != "--resume"]


if __name__ == "__main__":
    sys.exit(main())
