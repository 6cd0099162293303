"""A group's points as a share of the points under the best group plan."""

from __future__ import annotations

import numpy as np

from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.efficiency import share_of_best, shares_of_best
from mixed_company.analysis.measures.plays import Plays, Values
from mixed_company.analysis.ranges import UP_TO_1


@measure(
    "group",
    unit="share",
    name="efficiency",
    higher_is="better",
    whole=True,
    ends=UP_TO_1,
)
def commons_efficiency(plays: Plays, by: list[str]) -> Values[float]:
    """The group's efficiency: its points as a share of the points under the best plan for its
    rules.

    The best plan depends on the rules, so under a more generous rule a group can earn more points
    and still be less efficient. Also compare `mean_points`.

    Formula: sum_t delta^t sum_i reward_it / the same sum under the best group plan
    (engine.solutions.commons_game.best_group_plan), with delta the `discount` of the rules. The
    remaining stock is worth nothing in both sums, and points that players assign to each other are
    left out (see `net_efficiency`).

    Missing: the play has not ended; a seat was out of the play; the roles or layers have no known
    best plan (all except information, hierarchy, and limits and bans on harvesting); players can
    reward each other, because then a group can earn more than under the plan; the best plan is
    known only approximately (see `efficiency_at_least`); or no points can be earned.

    Source: Walker, Gardner and Ostrom (1990), Journal of Environmental Economics and Management
    19(3): rent as a share of the optimum; Clark (1990), Mathematical Bioeconomics, 2nd ed., for
    the plan.
    """
    return share_of_best(plays)


@measure("group", unit="share", higher_is="better", whole=True, ends=UP_TO_1)
def efficiency_at_least(plays: Plays, by: list[str]) -> Values[float]:
    """Lower bound on `efficiency`, if the best plan is known only approximately.

    Formula: the group's points / (points under the best plan found + its error), both discounted as
    for `efficiency`.

    Missing: the play has not ended; `efficiency` is exact under the rules of all groups; or else as
    for `efficiency`.

    Source: ours.
    """
    return _bound(plays, "least")


@measure(
    "group",
    unit="share",
    whole=True,
    untested="it is the upper bound that matches `efficiency_at_least`",
    ends=UP_TO_1,
)
def efficiency_at_most(plays: Plays, by: list[str]) -> Values[float]:
    """Upper bound on `efficiency`, if the best plan is known only approximately.

    Formula: the group's points / points under the best plan found, both discounted as for
    `efficiency`; at most 1.

    Missing: the play has not ended; `efficiency` is exact under the rules of all groups; or else as
    for `efficiency`.

    Source: ours.
    """
    return _bound(plays, "most")


def _bound(plays: Plays, end: str) -> Values[float]:
    """Return a bound on each group's efficiency if some groups' exact efficiency is unknown."""
    shares = plays.once(shares_of_best)
    return shares[end] * (np.nan if shares["exact"].all() else 1.0)
