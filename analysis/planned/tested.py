"""The hypotheses of a plan, each by its one test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from analysis import measures, statistics
from analysis.data import Data
from analysis.statistics.result import NoTest, Result, corrected
from experiment.plan import Hypothesis, Plan

__all__ = ["of_plan", "tested"]

_TESTED = ("test", "effect_name", "effect", "low", "high", "p", "p_corrected", "correction")


def of_plan(data: Data, name: str, plan: Plan) -> Data:
    """The sessions of a plan alone, with its treatments, whatever keys were changed in a session.

    Raises ConfigError where there is none.
    """
    own = data.of_session_config(name)
    there = set(own.config["treatment"])
    return own.named({one: [f"treatment={one}"] for one in plan.treatments if one in there})


def tested(data: Data, plan: Plan) -> pd.DataFrame:
    """One row per hypothesis, in order: its words, and what its test says.

    `data` as `of_plan` has them. p values are corrected by Holm over the hypotheses of a family
    that could be tested; where one could not, `notes` says why. Raises UnknownName.
    """
    wanted = list(dict.fromkeys(own.measure for own in plan.hypotheses.values()))
    frame = measures.groups(data, wanted)
    results = {name: _result(frame, plan, own) for name, own in plan.hypotheses.items()}
    for family in dict.fromkeys(own.family for own in plan.hypotheses.values()):
        members = [name for name, own in plan.hypotheses.items() if own.family == family]
        done = {name: own for name in members if isinstance(own := results[name], Result)}
        results |= dict(zip(done, corrected(list(done.values())), strict=True))
    rows = [_row(name, own, results[name]) for name, own in plan.hypotheses.items()]
    columns = ["hypothesis", "meaning", "family", "measure", "groups", *_TESTED, "notes"]
    return pd.DataFrame(rows, columns=columns)


def _result(frame: pd.DataFrame, plan: Plan, own: Hypothesis) -> Result | NoTest:
    units = statistics.units(frame, own.measure)
    missing = [name for name in plan.compared(own) if name not in units.treatments]
    if missing:
        return NoTest(f"no group of {', '.join(missing)} has a value")
    try:
        return statistics.compare(
            units, own.test, treatments=plan.compared(own), level=1 - plan.alpha
        )
    except NoTest as refusal:
        return refusal


def _row(name: str, own: Hypothesis, result: Result | NoTest) -> dict[str, Any]:
    row: dict[str, Any] = {
        "hypothesis": name,
        "meaning": own.meaning,
        "family": own.family,
        "measure": own.measure,
        "test": own.test,
    }
    if isinstance(result, NoTest):
        return {**row, "notes": f"not tested: {result}"}
    return {
        **row,
        "groups": _groups(result),
        **{key: getattr(result, key) for key in _TESTED},
        "notes": "; ".join(_notes(result)),
    }


def _groups(result: Result) -> str:
    return ", ".join(f"{name} {count}" for name, count in result.n.items())


def _notes(result: Result) -> Sequence[str]:
    return (*result.left_out, *result.notes)
