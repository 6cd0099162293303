"""Cooperation of decisions, as each game's rules define it.

    commons_game      1 - requested / h_max: the share of the largest possible request that the seat
                      leaves in the stock
    sanctions         contribution / endowment
    punishment_vote   1 for a turn in which the seat collects nothing that harms others, else 0
    gem_mining        none: all villages earn the same, so nobody can be more cooperative than
                      anybody else; `coordination` measures how well they coordinate

These are the values of the engine's `Game.cooperation`, which the reputations shown to people are
based on. Contributions to the pool of a commons are a separate measure. A role's limit does not
change the scale: if h_max is 10, the cooperation of a seat that may take at most 5 is at least one
half.
"""

from __future__ import annotations

from functools import partial

from mixed_company.analysis.games import GameAnalysis, find
from mixed_company.analysis.measures import trend
from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.plays import Plays, Values
from mixed_company.engine.contract.errors import ConfigError


def cooperates(game: GameAnalysis) -> bool:
    """Return whether a game defines cooperation."""
    return game.cooperation is not None


_of_cooperation = partial(measure, unit="share", games=cooperates, higher_is="more cooperative")


@_of_cooperation("group", "person", "period", same_as=("contribution", "harvest_share", "taboo"))
def cooperation(plays: Plays, by: list[str]) -> Values[float]:
    """Mean cooperation of the decisions.

    Formula: mean of c over the decisions that count. Commons: c = 1 - `used_harvest` / h_max.
    Sanctions: c = `used_contribution` / endowment. Vote: c = 1 if nothing was collected, or nothing
    that harms others, else 0.

    Missing: no decision counts.

    Source: rules of the game (`Game.cooperation`); as a share of the endowment: Isaac and Walker
    (1988), Quarterly Journal of Economics 103(1).
    """
    return plays.mean(of_decisions(plays), by)


@_of_cooperation("group", "person", same_as=("first_contribution",))
def first_cooperation(plays: Plays, by: list[str]) -> Values[float]:
    """Mean cooperation in the first period, before anybody can have learned anything.

    Formula: mean of c (see cooperation) in the first period with a decision that counts.

    Missing: no decision counts.

    Source: Ledyard (1995), in Kagel and Roth, Handbook of Experimental Economics, chapter 2.
    """
    return trend.first(plays, of_decisions(plays), by)


@_of_cooperation("group", "person", whole=True, same_as=("last_contribution",))
def last_cooperation(plays: Plays, by: list[str]) -> Values[float]:
    """Mean cooperation in the last period.

    Formula: mean of c (see cooperation) in the last period with a decision that counts.

    Missing: the play has not ended; no decision counts.

    Source: Ledyard (1995), in Kagel and Roth, Handbook of Experimental Economics, chapter 2.
    """
    return trend.last(plays, of_decisions(plays), by)


@measure(
    "group",
    "person",
    unit="share/period",
    games=cooperates,
    higher_is="rising",
    whole=True,
    same_as=("contribution_slope",),
)
def cooperation_slope(plays: Plays, by: list[str]) -> Values[float]:
    """Change in cooperation per period; below 0, cooperation decays.

    Formula: least-squares slope, over periods, of each period's mean of c (see cooperation).

    Missing: the play has not ended; fewer than two periods with decisions that count.

    Source: Ledyard (1995), in Kagel and Roth, Handbook of Experimental Economics, chapter 2.
    """
    return trend.slope(plays, of_decisions(plays), by)


def of_decisions(plays: Plays) -> Values[float]:
    """Return c of every decision, 0 to 1; NaN for seats out of the play."""
    return plays.once(_computed)


def _computed(plays: Plays) -> Values[float]:
    declared = find(plays.game_id).cooperation
    if declared is None:
        raise ConfigError(f"{plays.game_id}: this game does not define cooperation")
    return plays.seatwise(declared.of, declared.column)
