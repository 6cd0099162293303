"""How well villages spread over the mines, beside the best they could have done.

All that is compared is of the same period: its chances (they move if they are shaken), and the
villages that are in the play. What the best is comes from engine.solutions.gem_mining; where that
search would be too long these measures are missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from mixed_company.analysis.data import GROUP, PERIOD
from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.plays import Plays, Values
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.engine.solutions.gem_mining import best_of_play, front_of_play
from mixed_company.table.export import places

__all__ = ["best_choices", "crowding", "excess_crowding", "pareto_distance"]


@measure("group", "person", "period", unit="share", higher_is="better")
def best_choices(plays: Plays, by: list[str]) -> Values[float]:
    """How many choices are the village's part of the best joint choice.

    Where several joint choices are equally good one of them is taken, so that a group can be fully
    efficient with less than 1.

    Formula: share of the decisions that count with `used_mine` = the village's mine in
    engine.solutions.gem_mining.best_joint_choice.

    Missing: no decision counts, or the search for the best would be too long; of a group or person,
    in any period of the group.

    Source: Roijers, Whiteson and Oliehoek (2015), Journal of AI Research 52; matching a plan as
    coordination: Van Huyck, Battalio and Beil (1990), American Economic Review 80(1).
    """
    best = _best(plays, by)
    same = (plays.decisions["used_mine"] == best).astype("float64")
    return plays.mean(same.where(best.notna()), by)


@measure("group", "person", "period", unit="share", higher_is="more crowded")
def crowding(plays: Plays, by: list[str]) -> Values[float]:
    """How many villages go where another village goes as well.

    Formula: share of the decisions that count whose `used_mine` another village of the period
    chose too.

    Missing: no decision counts.

    Source: the crowding of Challet and Zhang (1997), Physica A 246.
    """
    return plays.mean(_meeting(plays, plays.decisions["used_mine"].astype("float64")), by)


@measure("group", "period", unit="share", higher_is="more crowded")
def excess_crowding(plays: Plays, by: list[str]) -> Values[float]:
    """How many more villages meet at mines than would in the best joint choice.

    Above 0 they get into each other's way, below 0 they miss that workers help each other.

    Formula: crowding - crowding of engine.solutions.gem_mining.best_joint_choice.

    Missing: the search for the best would be too long; of a group, in any period.

    Source: ours.
    """
    best = _best(plays, by)
    known = best.notna()
    now = _meeting(plays, plays.decisions["used_mine"].where(known).astype("float64"))
    return plays.mean((now - _meeting(plays, best)).where(known), by)


@measure("group", "period", unit="points", higher_is="worse")
def pareto_distance(plays: Plays, by: list[str]) -> Values[float]:
    """How far the expected gems of a period are from the Pareto front; of a group the mean.

    0: no other joint choice makes more of one type without less of another. It says nothing about
    which point of the front was reached; `efficiency` does, by the weights.

    Formula: min over p in the Pareto set of sqrt(sum_k (v_k (p_k - g_k))^2), g `expected_gems` of
    the period, v the weights: Euclidean, in points, over the types that are worth anything. The
    set: engine.solutions.gem_mining.pareto_set, exact, of the same period.

    Missing: the set is too long to search, or no gem is worth anything; of a group, in any period.

    Source: Van Veldhuizen and Lamont (1998), Air Force Institute of Technology TR-98-03: the
    distance of which the generational distance is the mean; set: Roijers et al. (2015), Journal
    of AI Research 52.
    """
    distances = plays.once(_distances)
    grouped = distances.groupby(by)
    return grouped.mean().where(grouped.count() == grouped.size())


# -- period by period -----------------------------------------------------------------------------


class Moment(NamedTuple):
    """A period as the solutions want it: its key, its game and the state it was played in."""

    key: tuple[Any, ...]
    game: Game[Any]
    state: Mapping[str, Array]
    gems: Array


def _moments(plays: Plays) -> Iterator[Moment]:
    """Every period with the chances before it; those before the first come from the seed."""
    seeds = plays.groups["seed"].tolist()
    numbers = plays.number(plays.decisions)
    of_period = plays.number(plays.periods)
    for place, game in enumerate(plays.games):
        periods = plays.periods[of_period == place]
        rows = plays.decisions[numbers == place]
        state, _ = game.reset(int(seeds[place]))
        shape = state["base_probabilities"].shape
        after = _array(periods, "after_base_probabilities", shape)
        gems = _array(periods, "expected_gems", shape[1:])
        out = np.zeros((len(periods), game.seats), dtype=np.int64)
        gone = rows[rows["decided_by"] == "absent"]
        out[np.searchsorted(periods["period"], gone["period"]), gone["seat"]] = 1
        chances = state["base_probabilities"]
        for turn, key in enumerate(periods[PERIOD].itertuples(index=False, name=None)):
            now = {**state, "base_probabilities": chances, "seat_reason": out[turn]}
            yield Moment(key, game, now, gems[turn])
            chances = after[turn]


def _array(rows: pd.DataFrame, name: str, shape: tuple[int, ...]) -> Array:
    """(rows, ...) an array that is spread over columns."""
    columns = [column for column, _ in places(name, shape)]
    return rows[columns].to_numpy(np.float64).reshape(-1, *shape)


def _best(plays: Plays, by: list[str]) -> Values[float]:
    """The best mines; but by period, none where those of any period of the group are not known."""
    best = plays.once(_best_mines)
    if by == PERIOD:
        return best
    known = best.notna() | ~plays.here
    return best.where(known.groupby([plays.decisions[key] for key in GROUP]).transform("all"))


def _best_mines(plays: Plays) -> Values[float]:
    """Of each decision the village's mine in the best joint choice."""
    mines = {}
    for moment in _moments(plays):
        best = best_of_play(moment.game, moment.state)
        for seat in range(moment.game.seats):
            mines[(*moment.key, seat)] = np.nan if best is None else float(best.choice[seat])
    keys = [*PERIOD, "seat"]
    index = pd.MultiIndex.from_tuples(list(mines), names=keys)
    return plays.to_rows(pd.Series(list(mines.values()), index, dtype="float64"), keys)


def _distances(plays: Plays) -> Values[float]:
    """Of each period the distance to its front."""
    distances = {}
    for moment in _moments(plays):
        weights = np.asarray(moment.game.core.weights, dtype=np.float64)
        types = np.flatnonzero(weights > 0)
        distances[moment.key] = np.nan
        if not types.size:
            continue
        front = front_of_play(moment.game, moment.state, types.tolist())
        if front.size:
            apart = weights[types] * (front - moment.gems[types])
            distances[moment.key] = np.sqrt((apart**2).sum(axis=1)).min()
    index = pd.MultiIndex.from_tuples(list(distances), names=PERIOD)
    return pd.Series(list(distances.values()), index, dtype="float64")


def _meeting(plays: Plays, mines: Values[float]) -> Values[float]:
    """1 where another village of the period goes to the same mine, else 0; NaN without one."""
    rows = plays.decisions[PERIOD].assign(mine=mines.where(plays.here))
    together = rows.groupby([*PERIOD, "mine"])["mine"].transform("size")
    return (together > 1).astype("float64").where(rows["mine"].notna())
