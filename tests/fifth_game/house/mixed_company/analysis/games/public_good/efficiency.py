"""Measure of the public good: the group's efficiency."""

from __future__ import annotations

from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.efficiency import share_of_best
from mixed_company.analysis.measures.plays import Plays, Values
from mixed_company.analysis.ranges import UP_TO_1

__all__ = ["public_good_efficiency"]


@measure("group", unit="share", name="efficiency", higher_is="better", whole=True, ends=UP_TO_1)
def public_good_efficiency(plays: Plays, by: list[str]) -> Values[float]:
    """Share of the social optimum that the group earned, before peer points (see `net_efficiency`).

    Formula: sum over seats and periods of `reward_kept` + `reward_share` / (periods * seats * the
    points of engine.solutions.public_good.social_optimum).

    Missing: the play has not ended; a seat was out of the play or its role bars an action; layers
    under which the optimum is not computed (all except information and hierarchy); or players can
    reward each other, because then a group can earn more than at the optimum.

    Source: Ledyard (1995), in Kagel and Roth, Handbook of Experimental Economics, chapter 2.
    """
    return share_of_best(plays)
