"""Results of a mix as means over plays with 95% intervals, and of a policy over all mixes; their
tables in Markdown and CSV."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import stdtr, stdtrit

from mixed_company.engine.contract.arrays import gini
from mixed_company.engine.contract.space import Array
from mixed_company.learning.tournament.batch import Mix, Played

_CLOSE = 1e-9
"""Points that differ by less than this count as equal, because they are sums of floating-point
numbers."""


class Mean(NamedTuple):
    """A mean and its 95% interval; NaN if unknown."""

    value: float
    low: float
    high: float


NOTHING = Mean(math.nan, math.nan, math.nan)
"""Mean over zero plays."""


@dataclass(frozen=True)
class Measured:
    """Measures of a mix over P plays. Points are those of one seat over a whole play.

    focal      (P,) points of the focal seat
    others     (P,) mean points of the other seats
    points     mean over all seats
    efficiency lower bound on the share of the best possible points; NaN if these are unknown
    at_most    upper bound on this share; it differs if the best is known only approximately
    gini       Gini coefficient of the seats' points, 0 (all equal) to 1; NaN if a seat lost points
    periods    number of periods played
    faults     number of failed decisions
    """

    focal: Array
    others: Array
    points: Mean
    efficiency: Mean
    at_most: Mean
    gini: Mean
    periods: Mean
    faults: int

    @property
    def gain(self) -> Array:
        """Focal seat's points minus the others' mean, (P,); if positive, the focal seat exploits
        them."""
        return self.focal - self.others


def mean(sample: Array) -> Mean:
    """Return the mean with its t-interval, whose limits are NaN if there is only one play."""
    count, value = len(sample), float(sample.mean())
    if count < 2:
        return Mean(value, np.nan, np.nan)
    half = float(stdtrit(count - 1, 0.975) * sample.std(ddof=1) / np.sqrt(count))
    return Mean(value, value - half, value + half)


def chance(differences: Array, tolerance: float) -> float:
    """Return the p-value of a two-sided t-test of the hypothesis that the mean difference is 0.

    It is 1 if the mean is at most `tolerance`, and 0 if the differences are all the same.
    """
    middle, plays = float(differences.mean()), len(differences)
    if abs(middle) <= tolerance:
        return 1.0
    error = float(differences.std(ddof=1)) / math.sqrt(plays)
    return float(2.0 * stdtr(plays - 1, -abs(middle) / error)) if error > 0 else 0.0


def measured(played: Played) -> Measured:
    """Return the measures of a mix from its plays."""
    points = played.returns
    plays, seats = points.shape
    focal = points[np.arange(plays), played.focal]
    others = (points.sum(axis=1) - focal) / max(seats - 1, 1)
    return Measured(
        focal=focal,
        others=others,
        points=mean(points.mean(axis=1)),
        efficiency=mean(played.efficiency[:, 0]),
        at_most=mean(played.efficiency[:, 1]),
        gini=mean(gini(points)),
        periods=mean(played.periods.astype(np.float64)),
        faults=played.faults,
    )


def both_ways(played: Mapping[Mix, Played]) -> dict[Mix, Measured]:
    """Return the measures of all mixes; with two seats, also of each pair from the other seat's
    side."""
    measures = {mix: measured(plays) for mix, plays in played.items()}
    for mix, plays in played.items():
        if plays.returns.shape[1] == 2 and not mix.alone:
            measures[Mix(mix.field, mix.focal)] = measured(replace(plays, focal=1 - plays.focal))
    return measures


# -- over all mixes ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Standing:
    """A policy's standing, alone and among others; NaN and "" if there are no others.

    alone          points if all seats follow the policy
    among_others   points in one seat, averaged over all fields of other policies
    gain           its points minus those of its field
    exploits       field against which it gains the most; "" if it never gains
    exploited_by   policy that gains the most in one seat among seats with this policy
    best_reply     policy, perhaps itself, that earns the most in one seat among seats with this
                   policy
    """

    policy: str
    alone: Measured
    among_others: Mean
    gain: Mean
    exploits: str
    exploited_by: str
    best_reply: str


def standings(measures: Mapping[Mix, Measured], policies: Sequence[str]) -> list[Standing]:
    """Return the standings of all policies by their points among others, best first."""
    every = [_standing(measures, policies, policy) for policy in policies]
    return sorted(
        every, key=lambda standing: (-np.nan_to_num(standing.among_others.value), standing.policy)
    )


def _standing(measures: Mapping[Mix, Measured], policies: Sequence[str], policy: str) -> Standing:
    others = [other for other in policies if Mix(policy, other) in measures and other != policy]
    alone = measures[Mix(policy, policy)]
    if not others:
        return Standing(policy, alone, NOTHING, NOTHING, "", "", "")
    as_focal = [measures[Mix(policy, other)] for other in others]
    taken = {other: _gain(measures, policy, other) for other in others}
    lost = {other: _gain(measures, other, policy) for other in others}
    replies = {other: float(measures[Mix(other, policy)].focal.mean()) for other in others}
    return Standing(
        policy,
        alone,
        mean(np.mean([measure.focal for measure in as_focal], axis=0)),
        mean(np.mean([measure.gain for measure in as_focal], axis=0)),
        exploits=_largest(taken, 0.0),
        exploited_by=_largest(lost, 0.0),
        best_reply=_largest(replies, alone.points.value) or policy,
    )


def _gain(measures: Mapping[Mix, Measured], focal: str, field: str) -> float:
    return float(measures[Mix(focal, field)].gain.mean())


def _largest(values: Mapping[str, float], least: float) -> str:
    """Return the name with the largest value if the value exceeds `least`, otherwise ""."""
    best = max(values, key=values.__getitem__)
    return best if values[best] > least + _CLOSE * max(1.0, abs(least)) else ""


def markdown(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown, without a final line break."""
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def csv_text(rows: Sequence[Mapping[str, Any]], columns: list[str] | None = None) -> str:
    """Return rows as CSV, with all digits of numbers, and an empty cell for NaN.

    Pass `columns` if there may be no rows.
    """
    return pd.DataFrame(rows, columns=columns).to_csv(index=False, lineterminator="\n")


def interval(name: str, estimate: Mean) -> dict[str, float]:
    """Return a mean and the limits of its interval, as three columns."""
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}


def number(value: float, digits: int = 1) -> str:
    """Return a rounded number, or an empty string for NaN."""
    return "" if math.isnan(value) else f"{round(value, digits) + 0.0:.{digits}f}"


def plus_minus(estimate: Mean) -> str:
    """Return a mean and half the width of its interval; an empty string without a mean."""
    half = (estimate.high - estimate.low) / 2
    return number(estimate.value) + ("" if math.isnan(half) else f" ± {half:.1f}")
