"""What seats do to one another in the commons: lost growth."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mixed_company.analysis.data import GROUP, PERIOD
from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.plays import Plays, Values
from mixed_company.engine.games.commons_game import growth

__all__ = ["regrowth_loss"]


@measure("group", "person", "period", unit="fish", higher_is="worse")
def regrowth_loss(plays: Plays, by: list[str]) -> Values[float]:
    """By how much a seat's harvest lowers what grows in the next period, on average.

    Below 0 it is a gain: in a full stock less grows, so that the first fish taken help growth.

    Formula: mean over the decisions that count of g(min(K, S + h)) - g(S), S the stock after the
    period, h the seat's `reward_harvest` and g the growth of the rules: gamma S (1 - S/K) or gamma.

    Missing: no decision counts; growth is exponential, so that it depends on the next harvest;
    layers by which growth drifts or the stock loses more or less than is caught. The last period
    played is left out: nothing grows after it.

    Source: the stock externality of Smith (1969), Journal of Political Economy 77(2); growth:
    Schaefer (1954).
    """
    rows = plays.decisions
    stock = plays.periods.set_index(PERIOD)["after_stock"]
    last = rows["period"].groupby([rows[key] for key in GROUP]).transform("max")
    frame = pd.DataFrame({"stock": plays.to_rows(stock, PERIOD), "harvest": rows["reward_harvest"]})
    lost = pd.Series(np.nan, rows.index)
    for game, places in plays.each_game(rows):
        known = game.externality == 1.0 and not game.drifts
        if known and game.core.growth != "exponential":
            own = frame.iloc[places]
            without = np.minimum(game.core.capacity, own["stock"] + own["harvest"])
            lost.iloc[places] = growth(game.core, without) - growth(game.core, own["stock"])
    return plays.mean(lost.where(rows["period"] < last), by)
