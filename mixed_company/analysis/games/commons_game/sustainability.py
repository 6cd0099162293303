"""Sustainability of the stock in the commons."""

from __future__ import annotations

from typing import Any

import pandas as pd

from mixed_company.analysis.data import GROUP
from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.plays import Plays, Values
from mixed_company.analysis.ranges import FROM_0
from mixed_company.engine.game import Game
from mixed_company.engine.solutions.commons_game import maximum_sustainable_yield


@measure("group", unit="periods", higher_is="better", whole=True)
def periods_survived(plays: Plays, by: list[str]) -> Values[float]:
    """Number of periods that the resource lasted.

    A survival analysis uses it together with `collapsed`: if `collapsed` is 0, the play ended while
    the resource lasted, so this is the number of periods played (a censored duration).

    Formula: number of periods up to and including the first one in which `after_collapsed` is true;
    if there is none, the number of periods played.

    Missing: the play has not ended; no period was played.

    Source: rules of the game, step 10; durations: Kaplan and Meier (1958), Journal of the American
    Statistical Association 53(282).
    """
    collapses = plays.periods["after_collapsed"].astype(bool)
    keys = [plays.periods[key] for key in by]
    before = collapses.groupby(keys).cumsum() <= collapses.astype(int)  # none in an earlier period
    return before.groupby(keys).sum().astype("float64")


@measure("group", unit="0 or 1", higher_is="worse", whole=True)
def collapsed(plays: Plays, by: list[str]) -> Values[float]:
    """Indicator that the stock collapsed (0 or 1).

    Formula: 1 if `after_collapsed` is true in a period, else 0. The mean over groups is the share
    of groups that collapsed.

    Missing: the play has not ended; no period was played.

    Source: rules of the game, step 10.
    """
    return plays.periods.groupby(by)["after_collapsed"].max().astype("float64")


@measure("group", "period", unit="share", higher_is="fuller")
def stock_share(plays: Plays, by: list[str]) -> Values[float]:
    """Stock after a period as a share of the capacity; for a group, the mean over its periods.

    After an early collapse there are few periods to average, so read this together with
    `periods_survived`.

    Formula: mean of `after_stock` / K over the periods played.

    Missing: no period was played.

    Source: Clark (1990), Mathematical Bioeconomics, 2nd ed., chapter 1.
    """
    return plays.of_period(_in(plays, lambda game: game.core.capacity), by)


@measure("group", unit="fish", higher_is="fuller", whole=True, ends=FROM_0)
def final_stock(plays: Plays, by: list[str]) -> Values[float]:
    """Stock after the last period.

    Formula: `after_stock` of the last period. If the last period is known, the best plan leaves few
    fish.

    Missing: the play has not ended; no period was played.

    Source: descriptive.
    """
    return plays.periods.groupby(by)["after_stock"].last()


@measure("group", "period", unit="ratio", higher_is="fuller", same_as=("stock_share",), ends=FROM_0)
def stock_over_msy(plays: Plays, by: list[str]) -> Values[float]:
    """Stock after a period divided by the stock at which growth is fastest; for a group, the mean.

    Below 1 the resource is overfished: a larger stock would permanently yield more.

    Formula: mean of `after_stock` / S, S the stock of the maximum sustainable yield: K/2 if growth
    is logistic, else K (engine.solutions.commons_game.maximum_sustainable_yield).

    Missing: no period was played.

    Source: Schaefer (1954), Bulletin of the Inter-American Tropical Tuna Commission 1(2); Gordon
    (1954), Journal of Political Economy 62(2).
    """
    return plays.of_period(_in(plays, lambda game: maximum_sustainable_yield(game.core)[0]), by)


@measure(
    "group", "period", unit="ratio", higher_is="more fishing", same_as=("harvest",), ends=FROM_0
)
def catch_over_msy(plays: Plays, by: list[str]) -> Values[float]:
    """Total catch in a period divided by the maximum sustainable yield; for a group, the mean.

    A catch above 1 cannot be sustained. The yield does not include growth from a pool.

    Formula: mean over periods of sum_i `reward_harvest` / Y, Y = gamma K / 4 if growth is logistic,
    gamma if it is linear, gamma K / (1 + gamma) if it is exponential
    (engine.solutions.commons_game.maximum_sustainable_yield).

    Missing: no period was played; nothing grows; or a layer makes growth drift, or makes the stock
    fall by more or less than the catch.

    Source: Schaefer (1954), Bulletin of the Inter-American Tropical Tuna Commission 1(2); Clark
    (1990), Mathematical Bioeconomics, 2nd ed., chapter 1.
    """
    rows = plays.decisions
    caught = rows["reward_harvest"].groupby([rows[key] for key in [*GROUP, "period"]]).sum()
    numbers = plays.number(caught.index.to_frame(index=False))
    shares = caught / plays.of_groups(_yield).to_numpy()[numbers]
    return shares.groupby(by).mean()


def _yield(game: Game[Any]) -> float:
    supported = game.externality == 1.0 and not game.drifts
    maximum = maximum_sustainable_yield(game.core)[1]
    return maximum if supported and maximum > 0 else float("nan")


def _in(plays: Plays, unit: Any) -> pd.Series[float]:
    """Return the stock after every period, divided by a number that `unit` computes from the
    group's game."""
    numbers = plays.of_groups(unit).to_numpy()[plays.number(plays.periods)]
    return plays.periods["after_stock"] / numbers
