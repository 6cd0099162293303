"""What was taken from the commons, and what was paid into a pool or a public good."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from analysis.measures import course
from analysis.measures.declaring import measure
from analysis.measures.plays import Plays, Values
from engine.contract.space import Array
from engine.game import Game

__all__ = [
    "contribution",
    "contribution_share",
    "contribution_slope",
    "first_contribution",
    "first_harvest",
    "harvest",
    "harvest_share",
    "harvest_slope",
    "last_contribution",
    "last_harvest",
]

_COMMONS = ("commons_game",)
_PAID = ("commons_game", "sanctions")


@measure("group", "person", "period", unit="fish", games=_COMMONS, higher_is="greedier")
def harvest(plays: Plays, by: list[str]) -> Values[float]:
    """What a seat took in a period, on average.

    Formula: mean of `reward_harvest` (a fish is a point) over the decisions that count. Less than
    was asked for where the stock did not suffice.

    Missing: no decision counts.

    Source: Ostrom, Gardner and Walker (1994), Rules, Games, and Common-Pool Resources, chapter 5.
    """
    return plays.mean("reward_harvest", by)


@measure("group", "person", "period", unit="share", games=_COMMONS, higher_is="greedier")
def harvest_share(plays: Plays, by: list[str]) -> Values[float]:
    """What a seat asked for as a share of the most it may ask for, on average.

    Formula: mean of `used_harvest` / the seat's most: h_max, or what its role is limited to.

    Missing: no decision counts, or the role of the seat may take nothing.

    Source: Ostrom, Gardner and Walker (1994), Rules, Games, and Common-Pool Resources, chapter 5.
    """
    return plays.mean(plays.seatwise(_share_of_most, "used_harvest"), by)


@measure("group", "person", unit="fish", games=_COMMONS, higher_is="greedier")
def first_harvest(plays: Plays, by: list[str]) -> Values[float]:
    """What a seat took in the first period, on average: before anybody can have learned.

    Formula: mean of `reward_harvest` in the first period with a decision that counts.

    Missing: no decision counts.

    Source: Ledyard (1995), in Kagel and Roth, Handbook of Experimental Economics, chapter 2.
    """
    return course.first(plays, plays.decisions["reward_harvest"], by)


@measure("group", "person", unit="fish", games=_COMMONS, higher_is="greedier", whole=True)
def last_harvest(plays: Plays, by: list[str]) -> Values[float]:
    """What a seat took in the last period, on average.

    Formula: mean of `reward_harvest` in the last period with a decision that counts.

    Missing: the play has not ended; no decision counts.

    Source: Ledyard (1995), in Kagel and Roth, Handbook of Experimental Economics, chapter 2.
    """
    return course.last(plays, plays.decisions["reward_harvest"], by)


@measure("group", "person", unit="fish/period", games=_COMMONS, higher_is="rising", whole=True)
def harvest_slope(plays: Plays, by: list[str]) -> Values[float]:
    """How the harvest of a seat changes per period.

    Formula: least-squares slope, over periods, of the mean of `reward_harvest` of the period.

    Missing: the play has not ended; fewer than two periods with decisions that count.

    Source: descriptive.
    """
    return course.slope(plays, plays.decisions["reward_harvest"], by)


@measure("group", "person", "period", unit="points", games=_PAID, higher_is="more cooperative")
def contribution(plays: Plays, by: list[str]) -> Values[float]:
    """What a seat contributed in a period, on average.

    Formula: mean of `used_contribution` over the decisions that count.

    Missing: no decision counts, or it is a commons without a pool.

    Source: Isaac and Walker (1988), Quarterly Journal of Economics 103(1).
    """
    return plays.mean(_given(plays), by)


@measure("group", "person", "period", unit="share", games=_COMMONS, higher_is="more cooperative")
def contribution_share(plays: Plays, by: list[str]) -> Values[float]:
    """What a seat paid into the pool as a share of what it could have paid, on average.

    (In the sanctions game this is `cooperation`.)

    Formula: mean of `used_contribution` / the wealth the seat held before the period, or what its
    role is limited to, if that is less.

    Missing: no decision counts, it is a commons without a pool, or there was never anything to pay
    with; periods in which a seat had nothing are left out.

    Source: Isaac and Walker (1988), Quarterly Journal of Economics 103(1), as a share of the
    endowment.
    """
    held = plays.before(plays.decisions["after_wealth"])
    start = plays.of_groups(lambda game: game.core.initial_wealth).to_numpy()
    started = start[plays.number(plays.decisions)]
    held = held.where(plays.decisions["period"] > 0, started)
    limit = plays.seatwise(lambda game, sent: sent * 0.0 + most(game, "contribution"), "seat")
    could = held.clip(upper=limit)
    return plays.mean(_given(plays) / could.where(could > 0), by)


@measure("group", "person", unit="points", games=_PAID, higher_is="more cooperative")
def first_contribution(plays: Plays, by: list[str]) -> Values[float]:
    """What a seat contributed in the first period, on average: before anybody can have learned.

    Formula: mean of `used_contribution` in the first period with a decision that counts.

    Missing: no decision counts, or it is a commons without a pool.

    Source: Ledyard (1995), in Kagel and Roth, Handbook of Experimental Economics, chapter 2.
    """
    return course.first(plays, _given(plays), by)


@measure("group", "person", unit="points", games=_PAID, higher_is="more cooperative", whole=True)
def last_contribution(plays: Plays, by: list[str]) -> Values[float]:
    """What a seat contributed in the last period, on average.

    Formula: mean of `used_contribution` in the last period with a decision that counts.

    Missing: the play has not ended; no decision counts, or it is a commons without a pool.

    Source: Ledyard (1995), in Kagel and Roth, Handbook of Experimental Economics, chapter 2.
    """
    return course.last(plays, _given(plays), by)


@measure("group", "person", unit="points/period", games=_PAID, higher_is="rising", whole=True)
def contribution_slope(plays: Plays, by: list[str]) -> Values[float]:
    """How contributions change per period: below 0 they decay.

    Formula: least-squares slope, over periods, of the mean of `used_contribution` of the period.

    Missing: the play has not ended; fewer than two periods with decisions that count, or it is a
    commons without a pool.

    Source: Isaac and Walker (1988), Quarterly Journal of Economics 103(1); Ledyard (1995).
    """
    return course.slope(plays, _given(plays), by)


def most(game: Game[Any], name: str) -> Array:
    """(n,) the most of an action that each seat may do, by declaration and by role."""
    declared = next(field for field in game.declaration.actions if field.name == name)
    highs = np.full(game.seats, declared.high)
    for layer in game.layers:
        if layer.name == "power":
            highs = np.minimum(highs, layer.highs.get(name, np.inf))  # type: ignore[attr-defined]
    return np.where(game.barred.get(name, False), 0.0, highs)


def _share_of_most(game: Game[Any], used: Array) -> Array:
    may = most(game, "harvest")
    return np.asarray(used / np.where(may > 0, may, np.nan))


def _given(plays: Plays) -> pd.Series[float]:
    """`used_contribution`, NaN where there is nothing to contribute to."""
    given = plays.decisions["used_contribution"]
    if plays.game_id != "commons_game":
        return given
    pool = plays.of_groups(lambda game: float(game.core.governance != "none")).to_numpy()
    return given.where(pool[plays.number(plays.decisions)] > 0)
