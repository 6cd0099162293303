"""Harm that seats cause each other in the commons: lost growth."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mixed_company.analysis.data import GROUP, PERIOD
from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.plays import Plays, Values
from mixed_company.engine.games.commons_game import growth


@measure("group", "person", "period", unit="fish", higher_is="worse")
def regrowth_loss(plays: Plays, by: list[str]) -> Values[float]:
    """Mean reduction in the next period's growth caused by a seat's harvest.

    Negative values are gains: a full stock grows less, so the first fish taken increase growth.

    Formula: mean over the decisions that count of g(min(K, S + h)) - g(S), S the stock after the
    period, h the seat's `reward_harvest` and g the growth of the rules: gamma S (1 - S/K) or gamma.

    Missing: no decision counts; growth is exponential, because it then depends on the next harvest;
    or a layer makes growth drift, or makes the stock fall by more or less than the catch. The last
    period is left out, because nothing grows after it.

    Source: the stock externality of Smith (1969), Journal of Political Economy 77(2); growth:
    Schaefer (1954).
    """
    rows = plays.decisions
    stock = plays.periods.set_index(PERIOD)["after_stock"]
    last = rows["period"].groupby([rows[key] for key in GROUP]).transform("max")
    frame = pd.DataFrame({"stock": plays.to_rows(stock, PERIOD), "harvest": rows["reward_harvest"]})
    lost = pd.Series(np.nan, rows.index)
    for game, places in plays.each_game(rows):
        supported = game.externality == 1.0 and not game.drifts
        if supported and game.core.growth != "exponential":
            stocks, harvests = frame["stock"].iloc[places], frame["harvest"].iloc[places]
            unharvested = np.minimum(game.core.capacity, stocks + harvests)
            lost.iloc[places] = growth(game.core, unharvested) - growth(game.core, stocks)
    return plays.mean(lost.where(rows["period"] < last), by)
