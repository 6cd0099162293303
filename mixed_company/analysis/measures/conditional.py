"""Conditional cooperation: people's slopes, and their types by slope.

x is the mean cooperation of the other seats in the previous period, and y the person's own
(`cooperation`). x includes decisions that policies made in other seats, because the person played
with them, too. y excludes periods in which the person did not decide.

This is not the strategy method. Fischbacher, Gaechter and Fehr (2001) elicited a complete schedule
in a one-shot game: one contribution for each possible mean contribution of the others. That rules
out beliefs, learning and the wish to influence others. In repeated play, x is not controlled, x and
y can share a trend or a shock to the stock, and y in one period affects x in the next. So a slope
from play is only an association. Fischbacher and Gaechter (2010) compare the two methods. x also
includes actions that people were not shown (local or hidden information).

p treats periods as independent, which they are not, so p is descriptive and not the result of a
test. In tests the group is the unit (`analysis.statistics`).

These measures do not exist for gem mining, because nobody can be more cooperative than anybody
else. Nor do they exist for the punishment vote: a turn lasts only a second, what a seat can collect
depends on its position, and only nearby seats are visible.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from mixed_company.analysis.data import SEAT
from mixed_company.analysis.games import GameAnalysis
from mixed_company.analysis.measures import cooperation
from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.plays import Plays, Values
from mixed_company.analysis.measures.trend import lines, p_value, residuals
from mixed_company.analysis.ranges import FREE
from mixed_company.analysis.rounding import TINY, ranks

FEW = 5
"""Minimum number of periods for assigning a type to a person."""

SIGNIFICANT, RIDING, HALF = 0.01, 0.1, 0.5


def _answers(game: GameAnalysis) -> bool:
    return game.cooperation is not None and game.cooperation.answers


_of_answers = partial(measure, "person", games=_answers)


@_of_answers(unit="ratio", higher_is="more conditional")
def conditional_slope(plays: Plays, by: list[str]) -> Values[float]:
    """Slope of a person's cooperation against the others' cooperation in the previous period.

    1: the person matches the others; 0: ignores them; in between: follows them in part
    (self-serving bias).

    Formula: least-squares slope of y_t on x_t; y_t is the person's cooperation in a period in which
    the person decided, x_t the mean cooperation of the other seats in period t - 1.

    Missing: fewer than 3 such periods, or the others always did the same.

    Source: Fischbacher and Gaechter (2010), American Economic Review 100(1); schedules:
    Fischbacher, Gaechter and Fehr (2001), Economics Letters 71(3).
    """
    return plays.once(_fitted)["slope"]


@_of_answers(unit="share", higher_is="more cooperative", ends=FREE)
def conditional_intercept(plays: Plays, by: list[str]) -> Values[float]:
    """Cooperation that the line of conditional_slope predicts if the others do not cooperate at
    all.

    Formula: intercept of the least-squares line of y_t on x_t; it can lie outside 0 to 1.

    Missing: as for conditional_slope.

    Source: Kurzban and Houser (2005), Proceedings of the National Academy of Sciences 102(5).
    """
    return plays.once(_fitted)["intercept"]


@_of_answers(unit="share", higher_is="closer to the line", untested="it describes the line")
def conditional_r2(plays: Plays, by: list[str]) -> Values[float]:
    """Share of the variance in a person's cooperation that the others' cooperation explains.

    Formula: R2 of the least-squares line of y_t on x_t.

    Missing: as for conditional_slope, or the person always chose the same action.

    Source: textbook; Greene (2018), Econometric Analysis, 8th ed., chapter 3.
    """
    return plays.once(_fitted)["r2"]


@measure("person", unit="periods", games=_answers, higher_is="more data", untested="it is a count")
def conditional_n(plays: Plays, by: list[str]) -> Values[float]:
    """Number of periods that the line of conditional_slope is fitted to.

    Formula: number of periods with both y_t and x_t.

    Missing: there is no such period.

    Source: counted.
    """
    return plays.once(_pairs).groupby(SEAT).size().astype("float64")


@_of_answers(unit="probability", higher_is="weaker evidence", untested="it describes the line")
def conditional_p(plays: Plays, by: list[str]) -> Values[float]:
    """P value of conditional_slope, computed as if periods were independent; descriptive only.

    Formula: two-sided, t = r sqrt((n - 2) / (1 - r2)) with n - 2 degrees of freedom.

    Missing: as for conditional_r2.

    Source: textbook; Greene (2018), Econometric Analysis, 8th ed., chapter 5.
    """
    return plays.once(_fitted)["p"]


@_of_answers(unit="-1 to 1", higher_is="more conditional")
def conditional_rho(plays: Plays, by: list[str]) -> Values[float]:
    """Rank correlation between a person's cooperation and the others' cooperation in the previous
    period.

    Formula: Spearman's rho of y_t and x_t: the correlation of their ranks, with mean ranks for
    ties.

    Missing: as for conditional_r2.

    Source: Fischbacher, Gaechter and Fehr (2001), Economics Letters 71(3), use it to classify
    people.
    """
    return plays.once(_ranked)["r"]


@_of_answers(unit="type", name="type", text=True)
def cooperator_type(plays: Plays, by: list[str]) -> Values[str]:
    """Type of cooperator, as indicated by a person's decisions.

    The first rule and the names are from Fischbacher, Gaechter and Fehr (2001). They used
    schedules, called people free riders only if they never gave anything, and identified humps by
    eye. In a commons, the types are about harvests: a person who takes little but never pays into a
    pool is not a free rider here.

    Formula: the first of these types that fits. `conditional cooperator`: rho > 0 with p < 0.01.
    `free rider`: mean of y <= 0.1. `hump-shaped`: in the regression of y on x and x^2, the
    coefficient of x^2 is negative with p < 0.01 and the peak lies within the observed range of x.
    `unconditional cooperator`: mean of y >= 0.5 and no rho < 0 with p < 0.01. Otherwise `other`. p
    of rho: t with n - 2 degrees of freedom.

    Missing: fewer than 5 periods; or the others always did the same, so conditional and
    unconditional cooperation cannot be told apart.

    Source: Fischbacher, Gaechter and Fehr (2001), Economics Letters 71(3); the threshold of 0.5:
    Kurzban and Houser (2005), Proceedings of the National Academy of Sciences 102(5).
    """
    pairs, ranked = plays.once(_pairs), plays.once(_ranked)
    mean = pairs.groupby(by)["y"].mean()
    sure = ranked["p"] < SIGNIFICANT
    rules = pd.DataFrame(
        {
            "conditional cooperator": sure & (ranked["r"] > 0),
            "free rider": mean <= RIDING + TINY,
            "hump-shaped": _humps(pairs, by),
            "unconditional cooperator": (mean >= HALF - TINY) & ~sure,
        }
    )
    types = np.select([rules[name] for name in rules], [str(name) for name in rules], "other")
    typed = (ranked["n"] >= FEW) & plays.once(_fitted)["slope"].notna()
    return pd.Series(types, rules.index, dtype="str").where(typed, "")


# -- the pairs, and lines through them ------------------------------------------------------------


def _pairs(plays: Plays) -> pd.DataFrame:
    """Return one row per decision that counts for its seat, together with the others' decisions in
    the previous period."""
    cooperative = cooperation.of_decisions(plays)
    met = plays.before(plays.of_others(cooperative))
    rows = plays.decisions[SEAT].assign(x=met, y=cooperative.where(plays.own))
    return rows.dropna(subset=["x", "y"])


def _fitted(plays: Plays) -> pd.DataFrame:
    fits = lines(plays.once(_pairs), SEAT)
    return fits.where(fits["n"] >= 3)


def _ranked(plays: Plays) -> pd.DataFrame:
    """Return the lines fitted to the ranks of x and y; r is NaN if either does not vary."""
    pairs = plays.once(_pairs)
    grouped = pairs.groupby(SEAT)
    ranked = {name: grouped[name].transform(lambda x: ranks(x.to_numpy())) for name in ("x", "y")}
    fits = lines(pairs[SEAT].assign(**ranked), SEAT)
    alike = plays.once(_fitted)["r"].isna()
    return fits.assign(r=fits["r"].mask(alike), p=fits["p"].mask(alike))


def _humps(pairs: pd.DataFrame, by: list[str]) -> pd.Series[bool]:
    """Return flags that mark the people for whom y falls with the square of x and peaks within the
    range of x.

    The coefficient of the square equals the coefficient of the square's residuals on x (Frisch and
    Waugh 1933).
    """
    grouped = pairs.groupby(by)["x"]
    centred = pairs["x"] - grouped.transform("mean")
    rows = pairs[by].assign(x=centred, square=centred**2, y=pairs["y"])
    rows = rows.assign(left=residuals(rows, by, "x", "square"), rest=residuals(rows, by, "x", "y"))
    square = lines(rows, by, x="left", y="rest")
    # y = a + b x + c x^2 peaks at - b / 2c; b is the slope of y without the square's part
    bend = pd.Series(square["slope"].reindex(pd.MultiIndex.from_frame(rows[by])).to_numpy())
    bend.index = rows.index
    tilt = lines(rows.assign(y=rows["y"] - bend * rows["square"]), by)["slope"]
    peak = -tilt / (2.0 * square["slope"].where(square["slope"] < 0))
    low, high = (rows.groupby(by)["x"].agg(end) for end in ("min", "max"))
    # x uses one more degree of freedom
    p = pd.Series(p_value(square["r"].to_numpy(), square["n"].to_numpy() - 3), square.index)
    return ((p < SIGNIFICANT) & (peak > low) & (peak < high)).reindex(low.index, fill_value=False)
