"""Bots in the group: how often they decide, and how well people do in comparison.

Bots are policies that play in seats, from the start or in place of a person who left. Differences
within a group show whether people or bots earn more when they play together. Only comparisons
between groups with different numbers of bots show how bots affect people's behaviour
(`analysis.statistics`).
"""

from __future__ import annotations

from functools import partial

from mixed_company.analysis.measures import cooperation
from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.plays import Plays, Values

_points_of_some = partial(
    measure, unit="points per period", higher_is="richer", same_as=("points_per_period",)
)
_cooperation_of_some = partial(
    measure,
    unit="share",
    games=cooperation.cooperates,
    higher_is="more cooperative",
    same_as=("cooperation",),
)


@measure("group", "period", unit="share", higher_is="more bots")
def bot_share(plays: Plays, by: list[str]) -> Values[float]:
    """Share of decisions that policies made.

    Formula: number of decisions with `decided_by` = policy / number of decisions of seats in the
    play.

    Missing: no period was played.

    Source: March (2021), Journal of Economic Psychology 87, a review of experiments with computer
    players.
    """
    return plays.share(plays.decisions["decided_by"] == "policy", plays.here, by)


@measure("person", unit="share", higher_is="more taken over")
def taken_over(plays: Plays, by: list[str]) -> Values[float]:
    """Share of periods in which a policy decided in the person's place.

    Formula: number of periods with `decided_by` = policy / number of periods played. It is 1 for a
    person who never decided (for example, one who left during the quiz).

    Missing: the seat was never given to a participant, or no period was played.

    Source: counted; `bot_share` in the `outcomes` table.
    """
    rows = plays.decisions
    policy = (rows["decided_by"] == "policy").astype("float64")
    shares = policy.groupby([rows[key] for key in by]).mean()
    return shares.where(plays.seats["participant"].reindex(shares.index) != "")


@measure("group", "person", "period", unit="share", higher_is="more absence")
def absent_share(plays: Plays, by: list[str]) -> Values[float]:
    """Share of periods in which a seat was out of the play.

    Formula: number of rows of `decisions` with `decided_by` = absent / number of rows.

    Missing: no period was played.

    Source: counted.
    """
    rows = plays.decisions
    return (~plays.here).astype("float64").groupby([rows[key] for key in by]).mean()


@_points_of_some("group")
def people_points(plays: Plays, by: list[str]) -> Values[float]:
    """Mean points per person and period, over periods in which the person decided.

    Formula: mean of `reward` over people's decisions.

    Missing: no person decided.

    Source: March (2021), Journal of Economic Psychology 87.
    """
    return plays.mean_where("reward", plays.by_people, by)


@_points_of_some("group")
def bot_points(plays: Plays, by: list[str]) -> Values[float]:
    """Mean points per seat and period, over periods in which a policy decided.

    Formula: mean of `reward` over decisions with `decided_by` = policy.

    Missing: no policy decided.

    Source: March (2021), Journal of Economic Psychology 87.
    """
    return plays.mean_where("reward", plays.decisions["decided_by"] == "policy", by)


@measure("group", unit="points per period", higher_is="people ahead")
def points_gap(plays: Plays, by: list[str]) -> Values[float]:
    """People's points per period minus the points per period of policies in the same group.

    Formula: people_points - bot_points.

    Missing: no person or no policy decided.

    Source: March (2021), Journal of Economic Psychology 87.
    """
    return people_points.compute(plays, by) - bot_points.compute(plays, by)


@_cooperation_of_some("group")
def people_cooperation(plays: Plays, by: list[str]) -> Values[float]:
    """Mean cooperation of people's decisions.

    Formula: mean of c (see cooperation) over people's decisions.

    Missing: no person decided.

    Source: March (2021), Journal of Economic Psychology 87.
    """
    return plays.mean_where(cooperation.of_decisions(plays), plays.by_people, by)


@_cooperation_of_some("group")
def bot_cooperation(plays: Plays, by: list[str]) -> Values[float]:
    """Mean cooperation of policies' decisions.

    Formula: mean of c (see cooperation) over decisions with `decided_by` = policy.

    Missing: no policy decided.

    Source: March (2021), Journal of Economic Psychology 87.
    """
    policies = plays.decisions["decided_by"] == "policy"
    return plays.mean_where(cooperation.of_decisions(plays), policies, by)


@measure(
    "group",
    unit="share",
    games=cooperation.cooperates,
    higher_is="people ahead",
    ends=(-1.0, 1.0),
)
def cooperation_gap(plays: Plays, by: list[str]) -> Values[float]:
    """People's cooperation minus the cooperation of policies in the same group.

    Formula: people_cooperation - bot_cooperation.

    Missing: no person or no policy decided.

    Source: March (2021), Journal of Economic Psychology 87.
    """
    return people_cooperation.compute(plays, by) - bot_cooperation.compute(plays, by)
