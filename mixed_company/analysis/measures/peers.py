"""Points that players assign to each other: to whom, at what cost, and how the target responds.

Points are classified by the target's cooperation (`cooperation`) in the same period. A target below
the mean of all seats took more, or gave less, than the group average. Here, points to such targets
are called prosocial, and points to targets above the mean antisocial. (Herrmann, Thoeni and
Gaechter compare the target with the punisher instead.)

The response compares changes among people who received different numbers of points. Points are not
assigned at random: low contributors receive more, and would give more next time anyway (regression
to the mean). `punishment_response` controls for the distance from the others' mean, but is still
only an association. Each group has a single value, because treatment intervals and tests count
groups.

All these measures are missing for groups without peer points.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from mixed_company.analysis.data import GROUP, PERIOD, SEAT
from mixed_company.analysis.games import GameAnalysis
from mixed_company.analysis.measures import cooperation
from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.efficiency import net_shares_of_best
from mixed_company.analysis.measures.plays import Plays, Values
from mixed_company.analysis.measures.trend import lines, residuals
from mixed_company.analysis.ranges import FROM_0
from mixed_company.engine.contract.space import Array

_ROUNDING = 1e-9
_SIGNS = {"punishment": (1.0, 0.0), "reward": (0.0, 1.0), "both": (-1.0, 1.0)}
"""Signs of punishments and rewards in `assigned`, by the kind of peer points."""

_KEYS = [*SEAT, "period"]

SERIES = ("punishment_assigned", "reward_points_assigned")
"""Measures that are drawn by period in games with peer points."""


def _has_points(game: GameAnalysis) -> bool:
    return game.peer_points and game.cooperation is not None


_points_of_some = partial(measure, unit="points", games=_has_points, ends=FROM_0)


@_points_of_some("group", "person", "period", higher_is="more punishing")
def punishment_assigned(plays: Plays, by: list[str]) -> Values[float]:
    """Mean number of punishment points that a seat assigned to others in a period.

    Formula: mean, over the decisions of the second stage that count, of the sum over partners of
    `assigned` in `pairs`; with points of both kinds, of its negative part.

    Missing: no decision counts; or there are no punishment points.

    Source: Fehr and Gaechter (2000), American Economic Review 90(4).
    """
    return _mean(plays, "punished", by)


@_points_of_some("person", higher_is="more punished")
def punishment_received(plays: Plays, by: list[str]) -> Values[float]:
    """Mean number of punishment points that a seat received from others in a period.

    Formula: as for punishment_assigned, with `received`, over the decisions that count.

    Missing: as for punishment_assigned.

    Source: Fehr and Gaechter (2000), American Economic Review 90(4).
    """
    return plays.mean(got(plays), by)


@_points_of_some("group", "person", "period", higher_is="more rewarding")
def reward_points_assigned(plays: Plays, by: list[str]) -> Values[float]:
    """Mean number of reward points that a seat assigned to others in a period.

    Formula: as for punishment_assigned, with the positive part of `assigned`.

    Missing: no decision counts; or there are no reward points.

    Source: Sefton, Shupp and Walker (2007), Economic Inquiry 45(4).
    """
    return _mean(plays, "rewarded", by)


@_points_of_some("person", higher_is="more rewarded")
def reward_points_received(plays: Plays, by: list[str]) -> Values[float]:
    """Mean number of reward points that a seat received from others in a period.

    Formula: as for punishment_received, with the positive part of `received`.

    Missing: as for reward_points_assigned.

    Source: Sefton, Shupp and Walker (2007), Economic Inquiry 45(4).
    """
    return plays.mean(plays.once(_table)["got_reward"], by)


@measure("group", "person", unit="share", games=_has_points, higher_is="more prosocial")
def prosocial_share(plays: Plays, by: list[str]) -> Values[float]:
    """Share of punishment points that went to seats below the group's mean cooperation.

    Formula: sum of punishment points to partners with c < the mean of c in that period / sum of all
    punishment points, with c the cooperation of the partner's decision (see cooperation).

    Missing: nobody was punished; or there are no punishment points.

    Source: ours, after Herrmann, Thoeni and Gaechter (2008), Science 319(5868).
    """
    return _share(plays, "below", by)


@measure("group", "person", unit="share", games=_has_points, higher_is="more antisocial")
def antisocial_share(plays: Plays, by: list[str]) -> Values[float]:
    """Share of punishment points that went to seats above the group's mean cooperation.

    Formula: as for prosocial_share, for partners with c > the mean. The rest went to seats at the
    mean.

    Missing: as for prosocial_share.

    Source: as for prosocial_share.
    """
    return _share(plays, "above", by)


@measure("group", unit="share", games=_has_points, higher_is="better", whole=True)
def net_efficiency(plays: Plays, by: list[str]) -> Values[float]:
    """Efficiency after the costs for players who punish and the losses of players who are punished.

    `efficiency` leaves these out, so the difference is what the points cost.

    Formula: as for `efficiency`, with `reward_peer_cost` + `reward_peer_received` added to the
    group's points.

    Missing: the play has not ended; there are no peer points; or as for `efficiency`, for example
    because players can reward each other.

    Source: Walker, Gardner and Ostrom (1992), American Political Science Review 86(2), who count
    the costs of sanctions.
    """
    shares = plays.once(net_shares_of_best)
    return shares["least"].where(shares["exact"])


@measure("group", "person", unit="share/point", games=_has_points, higher_is="more responsive")
def punishment_response(plays: Plays, by: list[str]) -> Values[float]:
    """Rise in cooperation per punishment point received, holding the distance from the others' mean
    constant.

    Formula: b in c_t+1 - c_t = a + b P_t + d (c_t - mean of the others in t), least squares over
    pairs of the person's decisions in adjacent periods, with P_t the punishment points received.
    For a group, the pairs of all its people are pooled.

    Missing: fewer than 4 such decisions, P_t and the distance are collinear, or there are no
    punishment points.

    Source: Masclet, Noussair, Tucker and Villeval (2003), American Economic Review 93(1); partial
    slope: Frisch and Waugh (1933), Econometrica 1(4).
    """
    rows = plays.once(_changes)
    rows = rows if by == SEAT else rows[rows["person"]]
    rows = rows.dropna(subset=["change", "points", "distance"])
    if rows.empty:
        return rows.set_index(by)["change"]
    rows = rows.assign(
        points=residuals(rows, by, "distance", "points"),
        change=residuals(rows, by, "distance", "change"),
    )
    fits = lines(rows, by, x="points", y="change")
    return fits["slope"].where(fits["n"] >= 4)


# -- points of every decision ---------------------------------------------------------------------


def _mean(plays: Plays, name: str, by: list[str]) -> Values[float]:
    return plays.mean_where(plays.once(_table)[name], _counted(plays, by), by)


def _share(plays: Plays, name: str, by: list[str]) -> Values[float]:
    rows = plays.once(_table)[_counted(plays, by)]
    sums = rows.groupby(by)[[name, "punished"]].sum(min_count=1)
    return sums[name] / sums["punished"].where(sums["punished"] > 0)


def _counted(plays: Plays, by: list[str]) -> Values[bool]:
    """Return the decisions of the second stage that count. For a seat with a person, these are the
    person's own decisions."""
    if "peer_by" not in plays.decisions or not (by == SEAT or plays.only_people):
        return plays.counted(by)
    decided = plays.decisions["peer_by"]
    if plays.only_people:
        return decided == "person"
    person = plays.to_rows(plays.seats["person"], SEAT).astype(bool)
    return (decided == "person").where(person, decided == "policy")


def _table(plays: Plays) -> pd.DataFrame:
    """Return the keys of `decisions` with the points that each seat assigned and received.

    punished, rewarded   points assigned to all others; NaN if the game has no such points
    below, above         points that punish seats below and above the period's mean cooperation
    got, got_reward      points received
    """
    names = ["punished", "rewarded", "below", "above", "got", "got_reward"]
    pairs = plays.once(of_pairs)
    table = plays.decisions[_KEYS].copy()
    if pairs.empty:
        return table.assign(**dict.fromkeys(names, np.nan))
    above = _above_mean(plays, pairs)
    parts = {"below": pairs["punished"] * (above < 0), "above": pairs["punished"] * (above > 0)}
    sums = pairs.assign(**parts).groupby(_KEYS)[names].sum(min_count=1)
    return table.assign(**{name: plays.to_rows(sums[name], _KEYS) for name in names})


def of_pairs(plays: Plays) -> pd.DataFrame:
    """Return the keys of `pairs` with the points of each kind; no rows if there are no peer points.

    punished, rewarded   points assigned to the partner; NaN if the game has no such points
    got, got_reward      points received from the partner
    """
    pairs, keys = plays.data.pairs, [*_KEYS, "partner"]
    if pairs is None or "assigned" not in pairs:
        return pd.DataFrame(columns=[*keys, "punished", "rewarded", "got", "got_reward"])
    bad, good = _signs(plays, pairs)
    assigned = pairs["assigned"].to_numpy(np.float64, na_value=np.nan)
    received = pairs["received"].to_numpy(np.float64, na_value=np.nan)
    kinds = {key: plays.decisions[key].dtype for key in _KEYS} | {"partner": "int64"}
    return (
        pairs[keys]
        .astype(kinds)
        .assign(
            punished=_positive(bad * assigned),
            rewarded=_positive(good * assigned),
            got=_positive(bad * received),
            got_reward=_positive(good * received),
        )
    )


def got(plays: Plays) -> Values[float]:
    """Return how many punishment points each seat received from all others in a period."""
    return plays.once(_table)["got"]


def _signs(plays: Plays, pairs: pd.DataFrame) -> tuple[Array, Array]:
    """Return the factors that turn `assigned` into positive punishments and positive rewards, for
    every pair; NaN where the game has no such points."""
    kinds = [getattr(game.core, "peer", "none") for game in plays.games]
    factors = np.array([_SIGNS.get(kind, (0.0, 0.0)) for kind in kinds]).reshape(-1, 2)
    of_pairs = np.where(factors == 0.0, np.nan, factors)[plays.number(pairs)]
    return of_pairs[:, 0], of_pairs[:, 1]


def _positive(points: Array) -> Array:
    return np.where(np.isnan(points), np.nan, np.maximum(points, 0.0))


def _above_mean(plays: Plays, pairs: pd.DataFrame) -> Array:
    """Return the sign of the partner's cooperation minus the mean of the period; 0 if equal or
    unknown."""
    cooperative = cooperation.of_decisions(plays)
    mean = plays.to_rows(plays.mean_where(cooperative, plays.here, PERIOD), PERIOD)
    index = pd.MultiIndex.from_frame(plays.decisions[_KEYS])
    distance = pd.Series((cooperative - mean).to_numpy(), index)
    partners = pairs[[*GROUP, "partner", "period"]].astype({"partner": "int64", "period": "int64"})
    distances = distance.reindex(pd.MultiIndex.from_frame(partners)).fillna(0.0).to_numpy()
    return np.where(np.abs(distances) > _ROUNDING, np.sign(distances), 0.0)


def _changes(plays: Plays) -> pd.DataFrame:
    """Return one row per decision of a seat that also decided in the previous period."""
    cooperative, own_decisions = cooperation.of_decisions(plays), plays.own
    changes = plays.decisions[SEAT].assign(
        change=cooperative - plays.before(cooperative),
        points=plays.before(got(plays)),
        distance=plays.before(cooperative - plays.of_others(cooperative)),
        person=plays.by_people,
    )
    return changes[own_decisions & (plays.before(own_decisions.astype("float64")) == 1.0)]
