"""Measures of sanctions, and of how people respond to them.

Sanctions are not decisions in this game: how strongly seat i sanctions seat j follows from i's
trust in j and from j's remembered contributions (rules, step 5). So `sanctions_given` is not a
choice; only the response can be interpreted as behaviour.

The response compares changes in contributions after a sanction with changes without one. Both
changes are measured for decisions below the group's mean, because low contributors are sanctioned
most, and they tend to give more the next time anyway (regression to the mean). The difference is
still not a causal effect: sanctioned seats may be further below the mean, or may have been below it
for longer. `response_per_point` controls for the distance from the others' mean.

If `falls_on` is `observer`, a seat's losses follow from the others' decisions. Then the seat has
nothing to respond to, and the response measures are missing.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from mixed_company.analysis.data import PERIOD, SEAT
from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.plays import Plays, Values
from mixed_company.analysis.measures.trend import lines, residuals

_ROUNDING = 1e-9  # points; as in the rules, averages of equal contributions can be off by this


@measure("group", "period", unit="0 to 1", higher_is="more trusting")
def trust(plays: Plays, by: list[str]) -> Values[float]:
    """Mean trust between two seats after a period; for a group, the mean over its periods.

    Formula: mean of `after_mean_trust`, the mean of T_ij over pairs i != j (rules, step 2).

    Missing: no period was played.

    Source: arXiv:2510.24909, Eqs. 6 to 9.
    """
    return plays.of_period("after_mean_trust", by)


@measure("group", "person", "period", unit="share", higher_is="more sanctioned")
def sanctioned(plays: Plays, by: list[str]) -> Values[float]:
    """Share of decisions followed by a loss from sanctions.

    Formula: share of the decisions that count in which `reward_sanctions` < -1e-9 points (anything
    closer to 0 is a rounding error).

    Missing: no decision counts.

    Source: Fehr and Gaechter (2000), American Economic Review 90(4).
    """
    hit = _lost(plays) > 0
    return plays.share(hit, plays.counted(by), by)


@measure("group", "person", "period", unit="points", higher_is="more sanctioned")
def sanction_points(plays: Plays, by: list[str]) -> Values[float]:
    """Mean loss per seat and period from sanctions.

    Rewards from reciprocity count as 0.

    Formula: mean of max(0, - `reward_sanctions`) over the decisions that count.

    Missing: no decision counts.

    Source: Fehr and Gaechter (2000), American Economic Review 90(4).
    """
    return plays.mean(_lost(plays), by)


@measure("person", unit="points", higher_is="more sanctioning")
def sanctions_given(plays: Plays, by: list[str]) -> Values[float]:
    """Mean number of points that a seat's sanctions took from others in a period, as the rules
    dictate, not by choice.

    Formula: mean, over the decisions that count, of sum_j max(0, - `after_reciprocity_effects`_ij),
    where i is the seat.

    Missing: no decision counts, `falls_on` is `observer` (nothing is taken from others) or `form`
    is `multiplier` (the effects are not points).

    Source: rules of the game, step 5; arXiv:2604.01240, Eq. 44.
    """
    keys = [*SEAT, "period"]
    pairs = plays.data.pairs
    if pairs is None:  # cannot happen, because every configuration of this game has pairs
        return pd.Series(np.nan, plays.seats.index)
    taken = (-pairs["after_reciprocity_effects"]).clip(lower=0.0)
    sums = taken.groupby([pairs[key] for key in keys]).sum()
    direct = plays.of_groups(
        lambda game: float(game.core.falls_on == "deviator" and game.core.form == "additive")
    )
    fits = direct.to_numpy()[plays.number(plays.decisions)] > 0
    return plays.mean(plays.to_rows(sums, keys).where(fits), by)


@measure("group", "person", unit="points", higher_is="rising")
def change_after_sanction(plays: Plays, by: list[str]) -> Values[float]:
    """Mean change in contributions after a sanction, among decisions below the group's mean.

    Formula: mean of c_t+1 - c_t over pairs of the person's decisions in adjacent periods, with c_t
    below the mean of all seats in t and a loss from sanctions in t. For a group, the pairs of all
    its people are pooled.

    Missing: there is no such decision, or `falls_on` is `observer`.

    Source: Masclet, Noussair, Tucker and Villeval (2003), American Economic Review 93(1).
    """
    rows = _low(plays, by)
    return rows[rows["lost"] > 0].groupby(by)["change"].mean()


@measure("group", "person", unit="points", higher_is="rising")
def change_without_sanction(plays: Plays, by: list[str]) -> Values[float]:
    """Mean change in contributions without a sanction, among decisions below the group's mean.

    Regression to the mean makes it positive even in games without sanctions.

    Formula: as for change_after_sanction, over decisions without a loss from sanctions in t.

    Missing: there is no such decision, or `falls_on` is `observer`.

    Source: Masclet, Noussair, Tucker and Villeval (2003), American Economic Review 93(1).
    """
    rows = _low(plays, by)
    return rows[rows["lost"] == 0].groupby(by)["change"].mean()


@measure("group", "person", unit="points", higher_is="more responsive")
def response_to_sanctions(plays: Plays, by: list[str]) -> Values[float]:
    """Rise in below-mean contributions after a sanction, minus their rise without a sanction.

    Formula: change_after_sanction - change_without_sanction.

    Missing: one of the two is missing.

    Source: Fehr and Gaechter (2000), American Economic Review 90(4); Masclet, Noussair, Tucker and
    Villeval (2003), American Economic Review 93(1).
    """
    return change_after_sanction.compute(plays, by) - change_without_sanction.compute(plays, by)


@measure("group", "person", unit="points/point", higher_is="more responsive")
def response_per_point(plays: Plays, by: list[str]) -> Values[float]:
    """Rise in contributions per point lost, holding the distance from the others' mean constant.

    Formula: b in c_t+1 - c_t = a + b L_t + d (c_t - mean of the others in t), least squares over
    pairs of the person's decisions in adjacent periods, with L_t the points lost to sanctions. For
    a group, the pairs of all its people are pooled.

    Missing: fewer than 4 such decisions, L_t and the distance are collinear, or `falls_on` is
    `observer`.

    Source: Masclet, Noussair, Tucker and Villeval (2003), American Economic Review 93(1), whose
    regressions explain the change; partial slope: Frisch and Waugh (1933), Econometrica 1(4).
    """
    rows = _of(plays, by).dropna(subset=["change", "lost", "distance"])
    rows = rows.assign(
        lost=residuals(rows, by, "distance", "lost"),
        change=residuals(rows, by, "distance", "change"),
    )
    fits = lines(rows, by, x="lost", y="change")
    return fits["slope"].where(fits["n"] >= 4)


# -- changes in contributions ---------------------------------------------------------------------


def _lost(plays: Plays) -> pd.Series[float]:
    lost = -plays.decisions["reward_sanctions"]
    return lost.where(lost > _ROUNDING, 0.0)


def _changes(plays: Plays) -> pd.DataFrame:
    """Return one row per decision of a seat that also decided in the previous period."""
    rows, contributions = plays.decisions, plays.decisions["used_contribution"]
    own_decisions = plays.own
    falls = plays.of_groups(lambda game: float(game.core.falls_on == "deviator")).to_numpy()
    mean = plays.to_rows(plays.mean_where(contributions, plays.here, PERIOD), PERIOD)
    changes = rows[SEAT].assign(
        change=contributions - plays.before(contributions),
        lost=plays.before(_lost(plays)),
        distance=plays.before(contributions - plays.of_others(contributions)),
        low=plays.before(contributions - mean) < -_ROUNDING,
        person=plays.by_people,
    )
    consecutive = own_decisions & (plays.before(own_decisions.astype("float64")) == 1.0)
    return changes[consecutive & (falls[plays.number(rows)] > 0)]


def _of(plays: Plays, by: list[str]) -> pd.DataFrame:
    """Return the changes that count; for a group, only its people's changes."""
    rows = plays.once(_changes)
    return rows if by == SEAT else rows[rows["person"]]


def _low(plays: Plays, by: list[str]) -> pd.DataFrame:
    rows = _of(plays, by)
    return rows[rows["low"]]
