"""Points of a group as a share of those under the best group plan."""

from __future__ import annotations

from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.efficiency import share_of_best
from mixed_company.analysis.measures.plays import Plays, Values

__all__ = ["commons_efficiency"]


@measure(
    "group",
    unit="share",
    name="efficiency",
    higher_is="better",
    whole=True,
)
def commons_efficiency(plays: Plays, by: list[str]) -> Values[float]:
    """Efficiency of the group: its points as a share of those under the best plan for its rules.

    The best plan depends on the rules, so under a more generous rule a group can earn more and
    still be less efficient. Also compare `mean_points`.

    Formula: sum_t delta^t sum_i reward_it / the same sum under the best group plan
    (engine.solutions.commons_game.best_group_plan), with delta the `discount` of the rules. The
    remaining stock is worth nothing in both sums.

    Missing: the play has not ended; a seat was out of the play; the roles or layers have no known
    best plan (all except information, hierarchy, and limits and bans on harvesting); or nothing can
    be earned.

    Source: Walker, Gardner and Ostrom (1990), Journal of Environmental Economics and Management
    19(3): rent as a share of the optimum; Clark (1990), Mathematical Bioeconomics, 2nd ed., for
    the plan.
    """
    return share_of_best(plays)
