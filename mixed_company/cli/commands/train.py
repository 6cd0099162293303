"""Train a policy with PPO, and write its model and card.

The algorithm is PPO (Schulman et al. 2017, arXiv:1707.06347), as implemented in Stable-Baselines3.

All seats learn together and share one network. With --against, only one seat of each play learns,
and the named policies play the others. With --imitate, the seats first learn to decide like a named
policy. With --deviators, they pursue the aim in half of the plays. In the other half, one seat
follows a named policy, and the others are rewarded for the points that this seat fails to earn, so
they learn to respond to deviation; with --rivalry, they are also rewarded with a share of their own
points. With --against-replies, the best replies to the trained policy become additional deviators.
Training continues, round by round, until the replies' gain stops falling.

On the same machine, the same command always produces the same weights. From time to time, a
checkpoint is written next to the model. --resume continues from it, and ends with the same weights
as uninterrupted training. With --ray, RLlib trains the network on a Ray cluster, without
checkpoints and without the options that only Stable-Baselines3 supports here.
"""

from __future__ import annotations

import shlex
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import fields
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mixed_company.cli.arguments import configuration, game_of, parts, whole_numbers
from mixed_company.cli.command import Group
from mixed_company.cli.refusal import config_error

if TYPE_CHECKING:
    from mixed_company.learning.training.plan import Plan
    from mixed_company.policies.trained.card import Card

GROUP = Group.POLICIES
EXTRA = "training"
EXAMPLES = (
    "mixed train commons_game --archetype lab --aim group --steps 1000000 --seed 1 "
    '--name my_fisher --sentence "Learned to fish." --output my_policies',
)


def configure(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("game")
    configuration(parser)
    add("--aim", choices=("own", "group"), required=True, help="points used as reward")
    add(
        "--credit",
        choices=("mean", "difference"),
        default="mean",
        help="reward the group's mean, or the immediate change in this mean that the seat's own "
        "action causes",
    )
    add(
        "--against",
        default="",
        help="policies in the other seats, separated by commas; default: all seats learn",
    )
    add(
        "--deviators",
        default="",
        help="policies to deter, which take one seat in half of the plays",
    )
    add(
        "--rivalry",
        type=float,
        default=0.0,
        help="weight of the seat's own points in plays with a deviator",
    )
    add(
        "--against-replies",
        type=int,
        default=0,
        metavar="ROUNDS",
        help="search for the best replies after each round, and continue training against them; "
        "maximum number of rounds",
    )
    add(
        "--effort",
        default="",
        help="effort of these searches: rounds, candidates, plays per candidate, and new plays; "
        "default: 10,64,8,40",
    )
    add(
        "--seats",
        default="",
        help="seats that learn among the policies of --against; default: each in turn",
    )
    add("--observe", default="", help="observation fields, separated by commas; default: all")
    add("--remember", default="", help="observed fields to remember as running means")
    add(
        "--sampling",
        choices=("mode", "sample"),
        default="mode",
        help="whether the trained policy takes its most likely action or draws one",
    )
    add("--steps", type=int, required=True, help="number of decisions to learn from")
    add("--rate", type=float, default=1e-3, help="initial learning rate")
    add("--entropy", type=float, default=0.0, help="weight of the entropy bonus, for exploration")
    add("--spread", type=float, help="spread of the initial amounts, in half ranges; about 0.5")
    add(
        "--discount",
        type=float,
        default=1.0,
        help="discount factor: weight of the next period in the return",
    )
    add("--hidden", type=int, default=64, help="number of units in each of the two layers")
    add("--imitate", default="", help="policy to imitate first")
    add("--imitate-steps", type=int, default=500_000, help="number of decisions for imitating it")
    add(
        "--cells",
        default="",
        help="field:number, to summarise each cell of this field as this many numbers",
    )
    add(
        "--paths",
        default="",
        help="field:codes, to add the proximity of the nearest cell with each code",
    )
    add("--name", required=True, help="id of the policy")
    add("--sentence", required=True, help="one-sentence description")
    add("--output", type=Path, required=True, help="folder for the model and the card")
    add("--resume", action="store_true", help="continue from the last checkpoint")
    add(
        "--ray",
        metavar="ADDRESS",
        help="train with RLlib on this Ray cluster; local: start one here",
    )


def run(chosen: Namespace) -> int:
    """Check the arguments, then load the training libraries, which takes seconds, and train."""
    plan = _plan(chosen)
    card = _trained(plan, chosen)
    print(f"\n{chosen.output / card.id}.onnx, {card.steps} steps in {card.seconds:g} s")
    return 0


def _trained(plan: Plan, chosen: Namespace) -> Card:
    """Train with the library selected by the arguments."""
    if chosen.ray is None:
        from mixed_company.learning.training import learning

        return learning.trained(plan, chosen.resume)
    if chosen.resume:
        raise config_error("--resume: cannot be used with --ray")
    plan.check_for_ray()
    if find_spec("ray") is None:
        rule = 'needs RLlib, which is not installed: pip install ".[rllib]" in the project folder'
        raise config_error(f"--ray: {rule}")
    from mixed_company.learning.training import rllib

    return rllib.trained(plan, chosen.ray)


def _plan(chosen: Namespace) -> Plan:
    """Return the plan that the arguments describe; its fields have the arguments' names."""
    from mixed_company.learning.training.plan import EFFORT, SPREAD, Plan

    parsed: dict[str, Any] = {
        "game": game_of(chosen, seed=0),  # --seed is the seed of the training
        "deviators": parts(chosen.deviators),
        "effort": whole_numbers("effort", chosen.effort) or EFFORT,
        "seats": whole_numbers("seats", chosen.seats),
        "observe": parts(chosen.observe),
        "remember": parts(chosen.remember),
        "spread": SPREAD if chosen.spread is None else chosen.spread,
        "cells": _cells(chosen.cells),
        "paths": _paths(chosen.paths),
        "command": _command(chosen.arguments),
    }
    names = {field.name for field in fields(Plan)} - parsed.keys()
    return Plan(**parsed, **{name: getattr(chosen, name) for name in names})


def _cells(text: str) -> tuple[str, int] | None:
    name, _, number = text.partition(":")
    if text and not (name and number.isdigit()):
        raise config_error(f"cells = {text!r}: should be field:number")
    return (name, int(number)) if text else None


def _paths(text: str) -> tuple[str, tuple[int, ...]] | None:
    name, _, codes = text.partition(":")
    return (name, whole_numbers("paths", codes)) if text else None


def _command(arguments: Sequence[str]) -> str:
    """Return the command line that trains the same policy without --resume."""
    return shlex.join(["mixed", "train", *(word for word in arguments if word != "--resume")])
