"""Populations that are planted by simulation, and what `mixed calibrate` makes of them."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import analysis
import engine
from analysis import behaviour
from bots import populations
from bots.populations import Spread, Type

__all__ = ["recovered"]

TYPE = """
[[types]]
name = "{}"
policy = "{}"
share = {}
source = "ours"
"""
FIRST = """game = "{}"
sentence = "What is planted."
source = "ours"
"""
LINES = f"""{FIRST.format("sanctions")}
{TYPE.format("none", "straight_line", 0.3)}
first = 0.0
{TYPE.format("line", "straight_line", 0.7)}
first = {{ mean = 0.6, sd = 0.15 }}
parameters = {{ intercept = {{ mean = 3.0, sd = 1.0 }}, slope = 0.7, noise = 1.5 }}
"""
GEMS = f"""{FIRST.format("gem_mining")}
{TYPE.format("planner", "quantal_response", 0.6)}
parameters = {{ precision = {{ mean = 1.8, sd = 0.3, log = true }} }}
{TYPE.format("learner", "reinforcement_learning", 0.4)}
parameters.precision = {{ mean = 0.4, sd = 0.2, log = true }}
parameters.learning_rate = 0.3
"""
VOTE = f"""{FIRST.format("punishment_vote")}
{TYPE.format("walker", "quantal_response_reach", 0.6)}
parameters = {{ precision = {{ mean = 0.7, sd = 0.2, log = true }}, voting = -1.5 }}
{TYPE.format("voter", "quantal_response_reach", 0.4)}
parameters = {{ precision = {{ mean = -0.7, sd = 0.2, log = true }}, voting = 0.5 }}
"""


def _of_lines(kind: Type) -> str:
    return "none" if kind.name == "always the least" else "line"


def _of_gems(kind: Type) -> str:
    return {"quantal_response": "planner", "reinforcement_learning": "learner"}[kind.policy]


def _of_vote(kind: Type) -> str:
    voting = kind.parameters["voting"]
    return "voter" if isinstance(voting, Spread) and voting.ends[0] > -0.5 else "walker"


@dataclass(frozen=True)
class Trial:
    """A planted population, how it plays, and what of it is compared.

    called   what a fitted type is called here
    truth    of each type its numbers, the share among them
    """

    game_id: str
    text: str
    settings: dict[str, Any]
    groups: int
    repetitions: int
    called: Callable[[Type], str]
    truth: dict[str, dict[str, float]]


_LINE = {"first": 0.6, "sd of first": 0.15, "intercept": 3.0, "sd of intercept": 1.0}
_LINE |= {"slope": 0.7, "noise": 1.5}
_PLANNER = {"share": 0.6, "precision": 1.8, "sd of precision": 0.3}
_LEARNER = {"precision": 0.4, "sd of precision": 0.2, "learning_rate": 0.3}
_WALKER = {"share": 0.6, "precision": 0.7, "sd of precision": 0.2, "voting": -1.5}
_VOTER = {"precision": -0.7, "sd of precision": 0.2, "voting": 0.5}

TRIALS = (
    Trial(
        *("sanctions", LINES, {"archetype": "unsanctioned", "periods": 10}, 25, 20, _of_lines),
        {"none": {"share": 0.3}, "line": _LINE},
    ),
    Trial(
        *("gem_mining", GEMS, {"archetype": "lab"}, 20, 10, _of_gems),
        {"planner": _PLANNER, "learner": _LEARNER},
    ),
    Trial(
        *("punishment_vote", VOTE, {"archetype": "lab", "turns": 40}, 15, 10, _of_vote),
        {"walker": _WALKER, "voter": _VOTER},
    ),
)

HEAD = """
## What is planted comes out

Populations of two types are played and calibrated, again and again with other seeds. `error` is the
mean of the standard errors in the files, `sd` how much the estimates differ: they should be alike,
and about 95 % of the estimates within two errors of the true number. Precisions are logarithms.
"""

Estimates = dict[tuple[str, str], tuple[float, float]]
"""(type, number) -> estimate and standard error."""


def recovered() -> str:
    """The section: a table for each game."""
    with tempfile.TemporaryDirectory() as folder:
        return HEAD + "".join(_table(trial, Path(folder)) for trial in TRIALS)


def _table(trial: Trial, folder: Path) -> str:
    fits = [_estimated(trial, folder, seed) for seed in range(trial.repetitions)]
    known = [own for own in fits if own]
    text = (
        f"\n`{trial.game_id}`, {trial.groups} groups, {len(fits)} fits, of which "
        f"{len(fits) - len(known)} had other types and are left out:\n\n"
        "| type | number | true | mean | error | sd | within two errors |\n"
        "|---|---|---|---|---|---|---|\n"
    )
    for called, numbers in trial.truth.items():
        for name, true in numbers.items():
            pairs = np.array([own[called, name] for own in known])
            sure = ~np.isnan(pairs[:, 1])
            within = np.abs(pairs[sure, 0] - true) <= 2 * pairs[sure, 1]
            cells = (true, pairs[:, 0].mean(), pairs[sure, 1].mean(), pairs[:, 0].std(ddof=1))
            shown = " | ".join(f"{cell:.3g}" for cell in cells)
            text += f"| {called} | {name} | {shown} | {within.sum()} of {len(within)} |\n"
    return text


def _estimated(trial: Trial, folder: Path, seed: int) -> Estimates:
    """What comes out of plays with this seed; empty if the types are others."""
    file = folder / f"{trial.game_id}.toml"
    file.write_text(trial.text, encoding="utf-8")
    game = engine.make(trial.game_id, **trial.settings)
    people = [f"population:{file}"] * game.seats
    data = analysis.simulated(game, people, groups=trial.groups, seed=seed)
    kinds = behaviour.calibrated(data).types
    if sorted(map(trial.called, kinds)) != sorted(trial.truth):
        return {}
    own: Estimates = {}
    for kind in kinds:
        called = trial.called(kind)
        own[called, "share"] = kind.share, kind.share_error or math.nan
        for name, spread in {"first": kind.first, **kind.parameters}.items():
            if isinstance(spread, populations.Spread):
                own[called, name] = float(spread.mean or 0.0), spread.mean_error or math.nan
                own[called, f"sd of {name}"] = float(spread.sd or 0.0), spread.sd_error or math.nan
    return own
