"""Coordination of the villages' choices of mines, compared with the best joint choice.

Comparisons are made within a period, given its probabilities (which can drift) and the villages
that are still in the play. The best joint choice comes from engine.solutions.gem_mining. The
measures are missing if searching for it would take too long.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from mixed_company.analysis.data import GROUP, PERIOD
from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.plays import Plays, Values
from mixed_company.analysis.ranges import FROM_0
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.engine.solutions.gem_mining import best_of_play, front_of_play
from mixed_company.table.export import places


@measure("group", "person", "period", unit="share", higher_is="better")
def best_choices(plays: Plays, by: list[str]) -> Values[float]:
    """Share of choices that match the village's part of the best joint choice.

    If several joint choices are equally good, one of them is used, so a fully efficient group can
    have a value below 1.

    Formula: share of the decisions that count with `used_mine` = the village's mine in
    engine.solutions.gem_mining.best_joint_choice.

    Missing: no decision counts, or the search for the best joint choice would take too long (for a
    group or person, in any of the group's periods).

    Source: Roijers, Whiteson and Oliehoek (2015), Journal of AI Research 52; matching a plan as
    coordination: Van Huyck, Battalio and Beil (1990), American Economic Review 80(1).
    """
    best = _best(plays, by)
    same = (plays.decisions["used_mine"] == best).astype("float64")
    return plays.mean(same.where(best.notna()), by)


@measure("group", "person", "period", unit="share", higher_is="more crowded")
def crowding(plays: Plays, by: list[str]) -> Values[float]:
    """Share of villages that choose the same mine as another village.

    Formula: share of the decisions that count whose `used_mine` was also chosen by another village
    in the period.

    Missing: no decision counts.

    Source: the crowding of Challet and Zhang (1997), Physica A 246.
    """
    return plays.mean(_meeting(plays, plays.decisions["used_mine"].astype("float64")), by)


@measure("group", "period", unit="share", higher_is="more crowded")
def excess_crowding(plays: Plays, by: list[str]) -> Values[float]:
    """Crowding minus the crowding in the best joint choice.

    Above 0, villages get in each other's way; below 0, they miss out on the benefit of working
    together.

    Formula: crowding - crowding of engine.solutions.gem_mining.best_joint_choice.

    Missing: the search for the best joint choice would take too long (for a group, in any period).

    Source: ours.
    """
    best = _best(plays, by)
    solved = best.notna()
    actual = _meeting(plays, plays.decisions["used_mine"].where(solved).astype("float64"))
    return plays.mean((actual - _meeting(plays, best)).where(solved), by)


@measure("group", "period", unit="points", higher_is="worse", ends=FROM_0)
def pareto_distance(plays: Plays, by: list[str]) -> Values[float]:
    """Distance of a period's expected gems from the Pareto front; for a group, the mean.

    At 0, no other joint choice yields more gems of one type without yielding fewer of another. The
    distance does not show which point of the front was reached; `efficiency` does, because it
    depends on the weights.

    Formula: min over p in the Pareto set of sqrt(sum_k (v_k (p_k - g_k))^2), with g the
    `expected_gems` of the period and v the weights: the Euclidean distance in points, over the
    types with positive weight. The Pareto set is the exact engine.solutions.gem_mining.pareto_set
    of the same period.

    Missing: the search for the set would take too long, or all weights are 0 (for a group, in any
    period).

    Source: Van Veldhuizen and Lamont (1998), Air Force Institute of Technology TR-98-03: the
    distance, whose mean is the generational distance; the set: Roijers et al. (2015), Journal of AI
    Research 52.
    """
    distances = plays.once(_distances)
    grouped = distances.groupby(by)
    return grouped.mean().where(grouped.count() == grouped.size())


# -- period by period -----------------------------------------------------------------------------


class Moment(NamedTuple):
    """A period as input to `engine.solutions`: its key, game, state and expected gems."""

    key: tuple[Any, ...]
    game: Game[Any]
    state: Mapping[str, Array]
    gems: Array


def _moments(plays: Plays) -> Iterator[Moment]:
    """Yield every period with the probabilities at its start. The probabilities of the first period
    come from the seed."""
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
        absences = np.zeros((len(periods), game.seats), dtype=np.int64)
        absent = rows[rows["decided_by"] == "absent"]
        absences[np.searchsorted(periods["period"], absent["period"]), absent["seat"]] = 1
        chances = state["base_probabilities"]
        for turn, key in enumerate(periods[PERIOD].itertuples(index=False, name=None)):
            current = {**state, "base_probabilities": chances, "seat_reason": absences[turn]}
            yield Moment(key, game, current, gems[turn])
            chances = after[turn]


def _array(rows: pd.DataFrame, name: str, shape: tuple[int, ...]) -> Array:
    """Return the array that is stored across several columns, shape (rows, ...)."""
    columns = [column for column, _ in places(name, shape)]
    return rows[columns].to_numpy(np.float64).reshape(-1, *shape)


def _best(plays: Plays, by: list[str]) -> Values[float]:
    """Return the village's best mine for each decision; NaN if unknown. For measures of groups and
    people, if any of a group's decisions is NaN, all of them are."""
    best = plays.once(_best_mines)
    if by == PERIOD:
        return best
    solved = best.notna() | ~plays.here
    return best.where(solved.groupby([plays.decisions[key] for key in GROUP]).transform("all"))


def _best_mines(plays: Plays) -> Values[float]:
    """Return the village's mine in the best joint choice, for each decision."""
    mines = {}
    for moment in _moments(plays):
        best = best_of_play(moment.game, moment.state)
        for seat in range(moment.game.seats):
            mines[(*moment.key, seat)] = np.nan if best is None else float(best.choice[seat])
    keys = [*PERIOD, "seat"]
    index = pd.MultiIndex.from_tuples(list(mines), names=keys)
    return plays.to_rows(pd.Series(list(mines.values()), index, dtype="float64"), keys)


def _distances(plays: Plays) -> Values[float]:
    """Return each period's distance from its Pareto front."""
    distances = {}
    for moment in _moments(plays):
        weights = np.asarray(moment.game.core.weights, dtype=np.float64)
        types = np.flatnonzero(weights > 0)
        distances[moment.key] = np.nan
        if not types.size:
            continue
        front = front_of_play(moment.game, moment.state, types.tolist())
        if front.size:
            differences = weights[types] * (front - moment.gems[types])
            distances[moment.key] = np.sqrt((differences**2).sum(axis=1)).min()
    index = pd.MultiIndex.from_tuples(list(distances), names=PERIOD)
    return pd.Series(list(distances.values()), index, dtype="float64")


def _meeting(plays: Plays, mines: Values[float]) -> Values[float]:
    """Return 1 if another village chose the same mine in the period, else 0; NaN if no mine was
    chosen."""
    rows = plays.decisions[PERIOD].assign(mine=mines.where(plays.here))
    sizes = rows.groupby([*PERIOD, "mine"])["mine"].transform("size")
    return (sizes > 1).astype("float64").where(rows["mine"].notna())
