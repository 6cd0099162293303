"""Measures of the public good: points spent on punishing, and the group's efficiency."""

from __future__ import annotations

from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.efficiency import share_of_best
from mixed_company.analysis.measures.plays import Plays, Values

__all__ = ["public_good_efficiency", "punishment"]


@measure("group", "person", "period", unit="points", higher_is="more punishment")
def punishment(plays: Plays, by: list[str]) -> Values[float]:
    """Mean points that a seat spent on punishing when it could.

    Formula: mean of `used_punishment` over the decisions that count in which another seat had given
    least in the period before.

    Missing: no decision counts in which somebody could be punished, or the rules have no
    punishment.

    Source: Fehr and Gaechter (2000), American Economic Review 90(4).
    """
    lowest = plays.before(plays.decisions["after_lowest"]).astype("float64")
    allowed = plays.of_groups(lambda game: float(game.core.most_punishment > 0)).to_numpy() > 0
    possible = (plays.of_others(lowest) > 0) & allowed[plays.number(plays.decisions)]
    return plays.mean_where("used_punishment", plays.counted(by) & possible, by)


@measure("group", unit="share", name="efficiency", higher_is="better", whole=True)
def public_good_efficiency(plays: Plays, by: list[str]) -> Values[float]:
    """Share of the social optimum that the group earned, net of punishment.

    Formula: sum of the rewards of all seats and periods / (periods * seats * the points of
    engine.solutions.public_good.social_optimum).

    Missing: the play has not ended; a seat was out of the play or its role bars an action; or
    layers under which the best is not solved (all but information and hierarchy).

    Source: Ledyard (1995), in Kagel and Roth, Handbook of Experimental Economics, chapter 2.
    """
    return share_of_best(plays)
