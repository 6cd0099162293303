"""Contributions to a pool or a public good, in games that have one."""

from __future__ import annotations

from functools import partial

from mixed_company.analysis.games import GameAnalysis, find
from mixed_company.analysis.measures import trend
from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.plays import Plays, Values
from mixed_company.analysis.ranges import FROM_0
from mixed_company.engine.contract.errors import ConfigError


def _paid(game: GameAnalysis) -> bool:
    return game.contribution is not None


_of_points = partial(measure, unit="points", games=_paid, higher_is="more cooperative", ends=FROM_0)


@_of_points("group", "person", "period")
def contribution(plays: Plays, by: list[str]) -> Values[float]:
    """Mean contribution per seat and period.

    Formula: mean of `used_contribution` over the decisions that count.

    Missing: no decision counts, or it is a commons without a pool.

    Source: Isaac and Walker (1988), Quarterly Journal of Economics 103(1).
    """
    return plays.mean(given(plays), by)


@_of_points("group", "person")
def first_contribution(plays: Plays, by: list[str]) -> Values[float]:
    """Mean contribution per seat in the first period, before anybody can have learned anything.

    Formula: mean of `used_contribution` in the first period with a decision that counts.

    Missing: no decision counts, or it is a commons without a pool.

    Source: Ledyard (1995), in Kagel and Roth, Handbook of Experimental Economics, chapter 2.
    """
    return trend.first(plays, given(plays), by)


@_of_points("group", "person", whole=True)
def last_contribution(plays: Plays, by: list[str]) -> Values[float]:
    """Mean contribution per seat in the last period.

    Formula: mean of `used_contribution` in the last period with a decision that counts.

    Missing: the play has not ended; no decision counts, or it is a commons without a pool.

    Source: Ledyard (1995), in Kagel and Roth, Handbook of Experimental Economics, chapter 2.
    """
    return trend.last(plays, given(plays), by)


@measure("group", "person", unit="points/period", games=_paid, higher_is="rising", whole=True)
def contribution_slope(plays: Plays, by: list[str]) -> Values[float]:
    """Change in contributions per period; below 0, contributions decay.

    Formula: least-squares slope, over periods, of each period's mean of `used_contribution`.

    Missing: the play has not ended; fewer than two periods with decisions that count, or it is a
    commons without a pool.

    Source: Isaac and Walker (1988), Quarterly Journal of Economics 103(1); Ledyard (1995).
    """
    return trend.slope(plays, given(plays), by)


def given(plays: Plays) -> Values[float]:
    """Return each decision's contribution, in points; NaN if there is nothing to contribute to."""
    declared = find(plays.game_id).contribution
    if declared is None:
        raise ConfigError(f"{plays.game_id}: this game does not define a contribution")
    has_pool = plays.of_groups(lambda game: float(declared.among(game))).to_numpy()
    return plays.decisions[declared.column].where(has_pool[plays.number(plays.decisions)] > 0)
