"""State the results of hypotheses in words: whether they are significant, and in which
direction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from mixed_company.analysis.statistics.effects import has_direction, is_difference
from mixed_company.experiment.hypothesis import Hypothesis
from mixed_company.experiment.plan import Plan

_ROUNDING = 1e-12
"""Tolerance for the rounding error of a level that is computed as 1 minus a confidence."""
_OF_RANKS = ("mann_whitney", "jonckheere")
"""Tests whose direction is the sign of their unitless effect."""


def verdict(row: Mapping[str, Any], plan: Plan, at_look: bool) -> str:
    """Return a hypothesis's result in words; empty if it was not tested.

    row      of the table of `tested.tested`
    at_look  whether the level is that of a look, which takes the place of the correction
             (`planned.looks`)
    """
    if pd.isna(row["p"]):
        return ""
    p, level = row["p" if at_look else "p_corrected"], 1 - row["confidence"]
    if p > level + _ROUNDING:
        return f"not significant at the level {level:.4g}"
    hypothesis = plan.hypotheses[str(row["hypothesis"])]
    return f"significant at the level {level:.4g}{_directed(_found(row, hypothesis, plan))}"


def _directed(directions: tuple[str, str]) -> str:
    """Return how a significant direction relates to the expected one."""
    direction, expected = directions
    if not direction:
        return ""
    if not expected:
        return f": {direction}; the plan expects none"
    if direction == expected:
        return f", in the direction of the hypothesis: {direction}"
    return f", but opposite to the hypothesis: {direction}; expected: {expected}"


def _found(row: Mapping[str, Any], hypothesis: Hypothesis, plan: Plan) -> tuple[str, str]:
    """Return the direction in the data and the expected one, in words; empty if there is none."""
    compared = 2 if hypothesis.blocks else len(plan.compared(hypothesis))
    if plan.space is not None:  # the two ends of a range, or the choices
        variable = plan.space.variables[hypothesis.variable]
        compared = 2 if variable.is_range else variable.count
    between = not hypothesis.blocks and hypothesis.unit == "group"
    of_ranks = between and hypothesis.test in _OF_RANKS
    effect = float(row["standardised"] if of_ranks else row["effect"])
    if not has_direction(hypothesis.test, compared) or not abs(effect) > 0:
        return "", ""
    if not of_ranks and not is_difference(str(row["effect_name"])):
        return "", ""
    direction = "higher" if effect > 0 else "lower"
    observed = plan.expectation(hypothesis.model_copy(update={"direction": direction}))
    return observed, plan.expectation(hypothesis)
