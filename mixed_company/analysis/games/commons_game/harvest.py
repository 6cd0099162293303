"""Harvests from the commons."""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company.analysis.measures import trend
from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.plays import Plays, Values
from mixed_company.analysis.ranges import FROM_0
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game


@measure("group", "person", "period", unit="fish", higher_is="greedier", ends=FROM_0)
def harvest(plays: Plays, by: list[str]) -> Values[float]:
    """Mean harvest per seat and period.

    Formula: mean of `reward_harvest` (a fish is a point) over the decisions that count. It is less
    than the request if the stock was too small.

    Missing: no decision counts.

    Source: Ostrom, Gardner and Walker (1994), Rules, Games, and Common-Pool Resources, chapter 5.
    """
    return plays.mean("reward_harvest", by)


@measure("group", "person", "period", unit="share", higher_is="greedier")
def harvest_share(plays: Plays, by: list[str]) -> Values[float]:
    """A seat's mean requested harvest, as a share of the maximum it may request.

    Formula: mean of `used_harvest` / the seat's maximum: h_max, or the limit of its role.

    Missing: no decision counts, or the seat's role may not harvest.

    Source: Ostrom, Gardner and Walker (1994), Rules, Games, and Common-Pool Resources, chapter 5.
    """
    return plays.mean(plays.seatwise(_share_of_most, "used_harvest"), by)


@measure("group", "person", unit="fish", higher_is="greedier", ends=FROM_0)
def first_harvest(plays: Plays, by: list[str]) -> Values[float]:
    """Mean harvest per seat in the first period, before anybody can have learned anything.

    Formula: mean of `reward_harvest` in the first period with a decision that counts.

    Missing: no decision counts.

    Source: Ledyard (1995), in Kagel and Roth, Handbook of Experimental Economics, chapter 2.
    """
    return trend.first(plays, plays.decisions["reward_harvest"], by)


@measure("group", "person", unit="fish", higher_is="greedier", whole=True, ends=FROM_0)
def last_harvest(plays: Plays, by: list[str]) -> Values[float]:
    """Mean harvest per seat in the last period.

    Formula: mean of `reward_harvest` in the last period with a decision that counts.

    Missing: the play has not ended; no decision counts.

    Source: Ledyard (1995), in Kagel and Roth, Handbook of Experimental Economics, chapter 2.
    """
    return trend.last(plays, plays.decisions["reward_harvest"], by)


@measure("group", "person", unit="fish/period", higher_is="rising", whole=True)
def harvest_slope(plays: Plays, by: list[str]) -> Values[float]:
    """Change in a seat's harvest per period.

    Formula: least-squares slope, over periods, of each period's mean of `reward_harvest`.

    Missing: the play has not ended; fewer than two periods with decisions that count.

    Source: descriptive.
    """
    return trend.slope(plays, plays.decisions["reward_harvest"], by)


def most(game: Game[Any], name: str) -> Array:
    """Return each seat's maximum for an action, from the declaration and the role, shape (n,)."""
    declared = next(field for field in game.declaration.actions if field.name == name)
    highs = np.full(game.seats, declared.high)
    for layer in game.layers:
        if layer.name == "power":
            highs = np.minimum(highs, layer.highs.get(name, np.inf))  # type: ignore[attr-defined]
    return np.where(game.barred.get(name, False), 0.0, highs)


def _share_of_most(game: Game[Any], used: Array) -> Array:
    limits = most(game, "harvest")
    return np.asarray(used / np.where(limits > 0, limits, np.nan))
