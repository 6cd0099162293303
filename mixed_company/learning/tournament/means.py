"""What a mix came to: means over plays, each with its 95 % interval."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.special import stdtr, stdtrit

from mixed_company.engine.contract.arrays import gini
from mixed_company.engine.contract.space import Array
from mixed_company.learning.tournament.batch import Played
from mixed_company.learning.tournament.mixes import Mix

__all__ = ["Mean", "Measured", "both_ways", "chance", "mean", "measured"]


class Mean(NamedTuple):
    """A mean and its 95 % interval; NaN where there is nothing to say."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Measured:
    """A mix, measured over P plays. Points are those of one seat over a whole play.

    own, others   (P,) points of the focal seat, and of the others on average
    points        mean of all seats
    efficiency    share of the best; NaN: the game has none
    gini          of the points of the seats, 0 (all alike) to 1; NaN: somebody lost points
    periods       periods played: how long the group lasted
    faults        decisions that failed
    """

    own: Array
    others: Array
    points: Mean
    efficiency: Mean
    gini: Mean
    periods: Mean
    faults: int

    @property
    def gain(self) -> Array:
        """(P,) how much more the focal seat has than the others: above 0 it exploits them."""
        return self.own - self.others


def mean(sample: Array) -> Mean:
    """Student's interval; NaN for its ends where one play says nothing about chance."""
    count, value = len(sample), float(sample.mean())
    if count < 2:
        return Mean(value, np.nan, np.nan)
    half = float(stdtrit(count - 1, 0.975) * sample.std(ddof=1) / np.sqrt(count))
    return Mean(value, value - half, value + half)


def chance(differences: Array, least: float) -> float:
    """How likely a mean so far from 0 is by chance (Student's test, two-sided).

    1 where it is no more than `least`, 0 where the differences are all the same.
    """
    middle, plays = float(differences.mean()), len(differences)
    if abs(middle) <= least:
        return 1.0
    error = float(differences.std(ddof=1)) / math.sqrt(plays)
    return float(2.0 * stdtr(plays - 1, -abs(middle) / error)) if error > 0 else 0.0


def measured(played: Played) -> Measured:
    """The measures of a mix from its plays."""
    points = played.returns
    plays, seats = points.shape
    own = points[np.arange(plays), played.focal]
    others = (points.sum(axis=1) - own) / max(seats - 1, 1)
    return Measured(
        own=own,
        others=others,
        points=mean(points.mean(axis=1)),
        efficiency=mean(played.efficiency),
        gini=mean(gini(points)),
        periods=mean(played.periods.astype(np.float64)),
        faults=played.faults,
    )


def both_ways(played: Mapping[Mix, Played]) -> dict[Mix, Measured]:
    """The measures of all mixes; in games for two also of each pair seen from the other seat."""
    measures = {mix: measured(plays) for mix, plays in played.items()}
    for mix, plays in played.items():
        if plays.returns.shape[1] == 2 and not mix.alone:
            measures[Mix(mix.field, mix.focal)] = measured(replace(plays, focal=1 - plays.focal))
    return measures
