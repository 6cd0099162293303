"""Measures of the punishment vote: votes, the level, punishment, and collected resources."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.plays import Plays, Values
from mixed_company.analysis.measures.trend import lines
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game


@measure("group", "period", unit="0 to 1", higher_is="stricter")
def level(plays: Plays, by: list[str]) -> Values[float]:
    """Punishment level after a turn; for a group, the mean over its turns.

    Formula: mean of `after_level`.

    Missing: no turn was played.

    Source: rules of the game.
    """
    return plays.of_period("after_level", by)


@measure("group", unit="0 to 1", higher_is="stricter", whole=True)
def final_level(plays: Plays, by: list[str]) -> Values[float]:
    """Punishment level after the last turn played.

    Formula: `after_level` of the last turn.

    Missing: the play has not ended; no turn was played.

    Source: rules of the game.
    """
    return plays.periods.groupby(by)["after_level"].last()


@measure("group", unit="1/turn", higher_is="rising", whole=True)
def level_slope(plays: Plays, by: list[str]) -> Values[float]:
    """Change in the punishment level per turn.

    Formula: least-squares slope of `after_level` on the turn. The level stays between 0 and 1.

    Missing: the play has not ended; fewer than two turns.

    Source: descriptive.
    """
    return lines(plays.periods, by, x="period", y="after_level")["slope"]


@measure("group", "person", "period", unit="votes", higher_is="stricter")
def punishment_demand(plays: Plays, by: list[str]) -> Values[float]:
    """Net demand for punishment: votes for more minus votes for less, per seat and turn.

    Formula: mean of `after_vote` (1 increase, -1 decrease, 0 none) over the decisions that count.
    Each vote counts once, whatever its weight. A low value can mean that the demand is satisfied:
    at level 1 or 0, votes have no effect, so many people do not pay for them.

    Missing: no decision counts.

    Source: Markussen, Putterman and Tyran (2014), Review of Economic Studies 81(1), on votes on
    sanctions; demand for a sanctioning system: Yamagishi (1986), Journal of Personality and Social
    Psychology 51(1).
    """
    return plays.mean("after_vote", by)


@measure("group", "person", "period", unit="share", higher_is="more active")
def voting(plays: Plays, by: list[str]) -> Values[float]:
    """Share of decisions that were votes.

    Formula: share of the decisions that count in which `after_vote` is not 0.

    Missing: no decision counts.

    Source: descriptive.
    """
    return plays.share(_voted(plays), plays.counted(by), by)


@measure("group", "person", "period", unit="share", higher_is="stricter")
def votes_to_increase(plays: Plays, by: list[str]) -> Values[float]:
    """Share of votes that were for more punishment.

    Formula: number of decisions that count with `after_vote` 1 / number with 1 or -1.

    Missing: nobody voted.

    Source: Markussen, Putterman and Tyran (2014), Review of Economic Studies 81(1).
    """
    cast = plays.counted(by) & _voted(plays)
    return plays.share(plays.decisions["after_vote"] > 0, cast, by)


@measure("person", unit="-1 to 1", higher_is="more reactive")
def demand_after_harm(plays: Plays, by: list[str]) -> Values[float]:
    """Correlation between a person's votes for more punishment and the harm in the previous turn.

    Formula: Pearson correlation, over the person's decisions, between `after_vote` in a turn and
    the harm suffered (- `reward_harm`) in the previous turn.

    Missing: fewer than 3 such turns, or votes or harm never varied.

    Source: ours, after Yamagishi (1986), Journal of Personality and Social Psychology 51(1).
    """
    rows = plays.decisions
    pairs = rows[by].assign(x=plays.before(-rows["reward_harm"]), y=rows["after_vote"])
    fits = lines(pairs[plays.own], by)
    return fits["r"].where(fits["n"] >= 3)


@measure("group", "person", "period", unit="resources", higher_is="busier")
def collected(plays: Plays, by: list[str]) -> Values[float]:
    """Mean number of resources a seat collected in a turn.

    Formula: share of the decisions that count in which `after_collected` is not 0.

    Missing: no decision counts.

    Source: descriptive.
    """
    return plays.share(_collected(plays), plays.counted(by), by)


@measure("group", "person", "period", unit="resources", higher_is="more taboo")
def taboo(plays: Plays, by: list[str]) -> Values[float]:
    """Mean number of taboo resources a seat collected in a turn.

    Formula: share of the decisions that count in which `after_collected` is of a kind in `taboo`.

    Missing: no decision counts.

    Source: rules of the game.
    """
    return plays.mean(plays.once(_taboo), by)


@measure("group", "person", unit="share", higher_is="more taboo")
def taboo_share(plays: Plays, by: list[str]) -> Values[float]:
    """Share of taboo resources among all collected resources.

    Formula: taboo resources collected / all resources collected, in the decisions that count.

    Missing: nothing was collected.

    Source: ours.
    """
    selected = plays.counted(by) & _collected(plays)
    return plays.mean_where(plays.once(_taboo), selected, by)


@measure("group", "person", "period", unit="points", higher_is="more punished")
def punishment_points(plays: Plays, by: list[str]) -> Values[float]:
    """Mean loss per seat and turn from punishment.

    Formula: mean of - `reward_punishment` over the decisions that count.

    Missing: no decision counts.

    Source: rules of the game.
    """
    return plays.mean(0.0 - plays.decisions["reward_punishment"], by)


def _voted(plays: Plays) -> pd.Series[bool]:
    return plays.decisions["after_vote"] != 0


def _collected(plays: Plays) -> pd.Series[bool]:
    return plays.decisions["after_collected"] != 0


def _taboo(plays: Plays) -> pd.Series[float]:
    """Return 1 for decisions that collected a resource of a taboo kind, else 0."""
    return plays.seatwise(_is_taboo, "after_collected")


def _is_taboo(game: Game[Any], kinds: Array) -> Array:
    names = [None, *game.core.resources]
    flags = np.array([name in game.core.tabooed for name in names], dtype=np.float64)
    return np.asarray(flags[kinds])
