"""Points earned, and their inequality."""

from __future__ import annotations

import numpy as np

from mixed_company.analysis.data import SEAT
from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.plays import Plays, Values
from mixed_company.engine.contract.arrays import gini as gini_of


@measure("group", unit="points", higher_is="richer", whole=True, same_as=("points_per_period",))
def mean_points(plays: Plays, by: list[str]) -> Values[float]:
    """Mean number of points per seat over the whole play.

    Formula: sum of `reward` over all seats and periods / number of seats.
    Bots' points are included.

    Missing: the play has not ended; no period was played.

    Source: descriptive.
    """
    return _of_seats(plays).groupby(by).mean()


@measure("person", unit="points", higher_is="richer", whole=True, same_as=("points_per_period",))
def points(plays: Plays, by: list[str]) -> Values[float]:
    """Points earned over the whole play.

    Formula: sum of `reward`. For a seat with a person, periods in which a policy decided are
    excluded, so this equals `points` in the `outcomes` table, the points that the person is paid
    for.

    Missing: the play has not ended; no period was played.

    Source: descriptive.
    """
    person = plays.to_rows(plays.seats["person"], by)
    policy = plays.decisions["decided_by"] == "policy"
    earned = plays.decisions["reward"].where(~(person & policy), 0.0)
    return earned.groupby([plays.decisions[key] for key in by]).sum()


@measure("group", "person", "period", unit="points per period", higher_is="richer")
def points_per_period(plays: Plays, by: list[str]) -> Values[float]:
    """Mean points per seat and period.

    It is comparable across plays of different lengths, and for seats that a policy took over for
    some periods.

    Formula: mean of `reward` over the decisions that count.

    Missing: no decision counts.

    Source: descriptive.
    """
    return plays.mean("reward", by)


@measure("group", unit="0 to 1", higher_is="less equal", whole=True)
def gini(plays: Plays, by: list[str]) -> Values[float]:
    """Inequality of the seats' points over the whole play.

    Formula: sum_i sum_j |x_i - x_j| / (2 n sum_i x_i), with x_i the sum of `reward` of seat i over
    the play, bots included. It is 0 if all seats have equal points or none, and 1 - 1/n if one seat
    has everything.

    Missing: the play has not ended; a seat lost points over the play (the coefficient then has no
    upper bound); or no period was played.

    Source: Sen (1973), On Economic Inequality, section 2.8.1 (Clarendon Press).
    """
    coefficients = (
        _of_seats(plays)
        .groupby(by)
        .apply(lambda earned: float(gini_of(earned.to_numpy(np.float64))))
    )
    return coefficients.astype("float64")


def _of_seats(plays: Plays) -> Values[float]:
    return plays.decisions.groupby(SEAT)["reward"].sum()
