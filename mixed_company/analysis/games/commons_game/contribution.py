"""What was paid into the pool of a commons, as a share of what could have been."""

from __future__ import annotations

from mixed_company.analysis.games.commons_game.harvest import most
from mixed_company.analysis.measures.contribution import given
from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.plays import Plays, Values

__all__ = ["contribution_share"]


@measure("group", "person", "period", unit="share", higher_is="more cooperative")
def contribution_share(plays: Plays, by: list[str]) -> Values[float]:
    """What a seat paid into the pool as a share of what it could have paid, on average.

    (In the sanctions game this is `cooperation`.)

    Formula: mean of `used_contribution` / the wealth the seat held before the period, or what its
    role is limited to, if that is less.

    Missing: no decision counts, it is a commons without a pool, or there was never anything to pay
    with; periods in which a seat had nothing are left out.

    Source: Isaac and Walker (1988), Quarterly Journal of Economics 103(1), as a share of the
    endowment.
    """
    held = plays.before(plays.decisions["after_wealth"])
    start = plays.of_groups(lambda game: game.core.initial_wealth).to_numpy()
    started = start[plays.number(plays.decisions)]
    held = held.where(plays.decisions["period"] > 0, started)
    limit = plays.seatwise(lambda game, sent: sent * 0.0 + most(game, "contribution"), "seat")
    could = held.clip(upper=limit)
    return plays.mean(given(plays) / could.where(could > 0), by)
