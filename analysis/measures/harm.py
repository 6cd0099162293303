"""What seats do to one another: harm in the punishment vote, lost growth in the commons."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from analysis.data import GROUP, PERIOD
from analysis.measures.declaring import measure
from analysis.measures.plays import Plays, Values
from engine.contract.space import Array
from engine.game import Game
from engine.games.commons_game import growth

__all__ = ["harm_caused", "harm_suffered", "regrowth_loss"]

_VOTE = ("punishment_vote",)
_COMMONS = ("commons_game",)


@measure("group", "person", "period", unit="points", games=_VOTE, higher_is="worse")
def harm_caused(plays: Plays, by: list[str]) -> Values[float]:
    """What a seat cost all others together in a turn, on average.

    Of a group over its whole play it is the same as harm_suffered: what one causes the others pay.
    By turns too if seats move together; in sequence some is paid a turn later.

    Formula: mean, over the decisions that count, of harm of the kind collected * number of other
    seats in the play.

    Missing: no decision counts.

    Source: rules of the game, Social Harm System; Pigou (1920), The Economics of Welfare.
    """
    caused = plays.seatwise(_harming, "after_collected")
    seats = plays.here.groupby([plays.decisions[key] for key in PERIOD]).transform("sum")
    return plays.mean(caused * (seats - 1), by)


@measure(
    "group",
    "person",
    "period",
    unit="points",
    games=_VOTE,
    higher_is="worse",
    same_as=("harm_caused",),
)
def harm_suffered(plays: Plays, by: list[str]) -> Values[float]:
    """What a seat lost by what others collected, in a turn, on average.

    Formula: mean of - `reward_harm` over the decisions that count.

    Missing: no decision counts.

    Source: rules of the game, Social Harm System; Pigou (1920), The Economics of Welfare.
    """
    return plays.mean(0.0 - plays.decisions["reward_harm"], by)


@measure("group", "person", "period", unit="fish", games=_COMMONS, higher_is="worse")
def regrowth_loss(plays: Plays, by: list[str]) -> Values[float]:
    """By how much a seat's harvest lowers what grows in the next period, on average.

    Below 0 it is a gain: in a full stock less grows, so that the first fish taken help growth.

    Formula: mean over the decisions that count of g(min(K, S + h)) - g(S), S the stock after the
    period, h the seat's `reward_harvest` and g the growth of the rules: gamma S (1 - S/K) or gamma.

    Missing: no decision counts; layers by which growth drifts or the stock loses more or less than
    is caught. The last period played is left out: nothing grows after it.

    Source: the stock externality of Smith (1969), Journal of Political Economy 77(2); growth:
    Schaefer (1954).
    """
    rows = plays.decisions
    stock = plays.periods.set_index(PERIOD)["after_stock"]
    last = rows["period"].groupby([rows[key] for key in GROUP]).transform("max")
    told = pd.DataFrame({"stock": plays.to_rows(stock, PERIOD), "harvest": rows["reward_harvest"]})
    lost = pd.Series(np.nan, rows.index)
    for game, places in plays.each_game(rows):
        if game.externality == 1.0 and not game.drifts:
            own = told.iloc[places]
            without = np.minimum(game.core.capacity, own["stock"] + own["harvest"])
            lost.iloc[places] = growth(game.core, without) - growth(game.core, own["stock"])
    return plays.mean(lost.where(rows["period"] < last), by)


def _harming(game: Game[Any], kinds: Array) -> Array:
    harms = [0.0, *(kind.harm for kind in game.core.resources.values())]
    return np.asarray(np.array(harms)[kinds])
