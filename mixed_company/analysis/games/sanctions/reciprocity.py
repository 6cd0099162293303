"""Sanctions, and what people do after them.

Nobody decides to sanction in this game: how strongly seat i sanctions seat j follows from i's trust
in j and from what j is remembered for (rules, step 5). So `sanctions_given` is no choice, and what
can be read as behaviour is only the response.

The response compares changes of contributions after a sanction with changes without one. Both are
of decisions below the mean of the group, because who gave little this time gives more the next
time anyway (regression to the mean), and who gave little is the one who is sanctioned. What is left
is no causal effect: the sanctioned may be further below the mean, or have been low for longer.
`response_per_point` holds the distance to the others' mean fixed.

Where `falls_on` is `observer`, what a seat loses follows from what others did: then there is
nothing to respond to, and the measures that need it are missing.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from mixed_company.analysis.data import PERIOD, SEAT
from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.plays import Plays, Values
from mixed_company.analysis.measures.trend import lines, residuals

__all__ = [
    "change_after_sanction",
    "change_without_sanction",
    "response_per_point",
    "response_to_sanctions",
    "sanction_points",
    "sanctioned",
    "sanctions_given",
    "trust",
]

_ROUNDING = 1e-9  # points: as in the rules, an average of equal contributions may miss them


@measure("group", "period", unit="0 to 1", higher_is="more trusting")
def trust(plays: Plays, by: list[str]) -> Values[float]:
    """Trust between two seats after a period, on average; of a group the mean over its periods.

    Formula: mean of `after_mean_trust`, the mean of T_ij over pairs i != j (rules, step 2).

    Missing: no period was played.

    Source: arXiv:2510.24909, Eqs. 6 to 9.
    """
    return plays.of_period("after_mean_trust", by)


@measure("group", "person", "period", unit="share", higher_is="more sanctioned")
def sanctioned(plays: Plays, by: list[str]) -> Values[float]:
    """How many decisions were followed by a loss from sanctions.

    Formula: share of the decisions that count in which `reward_sanctions` < 0 (by more than 1e-9
    points, which are rounding).

    Missing: no decision counts.

    Source: Fehr and Gaechter (2000), American Economic Review 90(4).
    """
    hit = _lost(plays) > 0
    return plays.share(hit, plays.counted(by), by)


@measure("group", "person", "period", unit="points", higher_is="more sanctioned")
def sanction_points(plays: Plays, by: list[str]) -> Values[float]:
    """What a seat lost by sanctions in a period, on average.

    Where reciprocity rewards instead, it counts 0 here.

    Formula: mean of max(0, - `reward_sanctions`) over the decisions that count.

    Missing: no decision counts.

    Source: Fehr and Gaechter (2000), American Economic Review 90(4).
    """
    return plays.mean(_lost(plays), by)


@measure("person", unit="points", higher_is="more sanctioning")
def sanctions_given(plays: Plays, by: list[str]) -> Values[float]:
    """What the seat took from others by sanctions in a period, on average; by rule, not by choice.

    Formula: mean, over the decisions that count, of sum_j max(0, - `after_reciprocity_effects`_ij)
    with the seat as i.

    Missing: no decision counts, `falls_on` is `observer` (nothing is taken from others) or `form`
    is `multiplier` (the effects are no points).

    Source: rules of the game, step 5; arXiv:2604.01240, Eq. 44.
    """
    keys = [*SEAT, "period"]
    pairs = plays.data.pairs
    if pairs is None:  # of this game there is always one
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
    """How contributions changed after a sanction, among decisions below the group's mean.

    Formula: mean of c_t+1 - c_t over pairs of own decisions in periods next to each other, with c_t
    below the mean of all seats in t and a loss by sanctions in t. Of a group: over its people.

    Missing: there is no such decision, or `falls_on` is `observer`.

    Source: Masclet, Noussair, Tucker and Villeval (2003), American Economic Review 93(1).
    """
    rows = _low(plays, by)
    return rows[rows["lost"] > 0].groupby(by)["change"].mean()


@measure("group", "person", unit="points", higher_is="rising")
def change_without_sanction(plays: Plays, by: list[str]) -> Values[float]:
    """How contributions changed without a sanction, among decisions below the group's mean.

    Above 0 without any sanction: regression to the mean.

    Formula: as change_after_sanction, over decisions without a loss by sanctions in t.

    Missing: there is no such decision, or `falls_on` is `observer`.

    Source: Masclet, Noussair, Tucker and Villeval (2003), American Economic Review 93(1).
    """
    rows = _low(plays, by)
    return rows[rows["lost"] == 0].groupby(by)["change"].mean()


@measure("group", "person", unit="points", higher_is="more responsive")
def response_to_sanctions(plays: Plays, by: list[str]) -> Values[float]:
    """How much more contributions rose after a sanction than without one, below the group's mean.

    Formula: change_after_sanction - change_without_sanction.

    Missing: one of the two is.

    Source: Fehr and Gaechter (2000), American Economic Review 90(4); Masclet, Noussair, Tucker and
    Villeval (2003), American Economic Review 93(1).
    """
    return change_after_sanction.compute(plays, by) - change_without_sanction.compute(plays, by)


@measure("group", "person", unit="points/point", higher_is="more responsive")
def response_per_point(plays: Plays, by: list[str]) -> Values[float]:
    """By how much contributions rose per point lost, at the same distance to the others' mean.

    Formula: b in c_t+1 - c_t = a + b L_t + d (c_t - mean of the others in t), least squares over
    pairs of own decisions in periods next to each other; L_t points lost by sanctions. Of a group:
    over its people.

    Missing: fewer than 4 such decisions, L_t and the distance do not vary apart from each other, or
    `falls_on` is `observer`.

    Source: Masclet, Noussair, Tucker and Villeval (2003), American Economic Review 93(1), their
    regressions of the change; partial slope: Frisch and Waugh (1933), Econometrica 1(4).
    """
    rows = _of(plays, by).dropna(subset=["change", "lost", "distance"])
    rows = rows.assign(
        lost=residuals(rows, by, "distance", "lost"),
        change=residuals(rows, by, "distance", "change"),
    )
    fits = lines(rows, by, x="lost", y="change")
    return fits["slope"].where(fits["n"] >= 4)


# -- changes, and what came before them -----------------------------------------------------------


def _lost(plays: Plays) -> pd.Series[float]:
    lost = -plays.decisions["reward_sanctions"]
    return lost.where(lost > _ROUNDING, 0.0)


def _changes(plays: Plays) -> pd.DataFrame:
    """One row per own decision of a seat that followed another one in the period before."""
    rows, given = plays.decisions, plays.decisions["used_contribution"]
    own = plays.own
    falls = plays.of_groups(lambda game: float(game.core.falls_on == "deviator")).to_numpy()
    mean = plays.to_rows(plays.mean_where(given, plays.here, PERIOD), PERIOD)
    changes = rows[SEAT].assign(
        change=given - plays.before(given),
        lost=plays.before(_lost(plays)),
        distance=plays.before(given - plays.of_others(given)),
        low=plays.before(given - mean) < -_ROUNDING,
        person=plays.by_people,
    )
    both = own & (plays.before(own.astype("float64")) == 1.0)
    return changes[both & (falls[plays.number(rows)] > 0)]


def _of(plays: Plays, by: list[str]) -> pd.DataFrame:
    """The changes that count: of a group those of its people."""
    rows = plays.once(_changes)
    return rows if by == SEAT else rows[rows["person"]]


def _low(plays: Plays, by: list[str]) -> pd.DataFrame:
    rows = _of(plays, by)
    return rows[rows["low"]]
