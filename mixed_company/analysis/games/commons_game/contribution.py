"""Contributions to the pool of a commons, as a share of the possible maximum."""

from __future__ import annotations

from mixed_company.analysis.games.commons_game.harvest import most
from mixed_company.analysis.measures.contribution import given
from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.plays import Plays, Values


@measure("group", "person", "period", unit="share", higher_is="more cooperative")
def contribution_share(plays: Plays, by: list[str]) -> Values[float]:
    """A seat's mean contribution to the pool, as a share of the most it could have contributed.

    (In the sanctions game this is `cooperation`.)

    Formula: mean of `used_contribution` / the smaller of the wealth the seat held before the period
    and the limit of its role.

    Missing: no decision counts, the commons has no pool, or the seat never had any wealth; periods
    in which a seat had no wealth are left out.

    Source: Isaac and Walker (1988), Quarterly Journal of Economics 103(1), as a share of the
    endowment.
    """
    wealth = plays.before(plays.decisions["after_wealth"])
    start = plays.of_groups(lambda game: game.core.initial_wealth).to_numpy()
    started = start[plays.number(plays.decisions)]
    wealth = wealth.where(plays.decisions["period"] > 0, started)
    limit = plays.seatwise(lambda game, sent: sent * 0.0 + most(game, "contribution"), "seat")
    possible = wealth.clip(upper=limit)
    return plays.mean(given(plays) / possible.where(possible > 0), by)
