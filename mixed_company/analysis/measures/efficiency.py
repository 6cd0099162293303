"""Efficiency: earnings as a share of the maximum that could be earned.

The maximum comes from `engine.solutions`. Under some rules of the commons, such as rules under
which the stock overshoots, the best plan is known only approximately. Then `efficiency` is missing,
and `efficiency_at_least` and `efficiency_at_most` are its lower and upper bounds. For the
punishment vote, only an upper bound on the maximum is known: players block each other's way on the
map, and there is no known solution. That game has only `efficiency_at_least`, the group's share of
this bound.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from mixed_company.analysis.data import GROUP
from mixed_company.analysis.measures.plays import Plays, Values
from mixed_company.engine import solutions
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game

_EXACT = 1e-6
"""Largest difference between a share's bounds that counts as a rounding error."""


def complete(plays: Plays, by: list[str]) -> Values[bool]:
    """Return the groups or periods in which no seat was out of the play."""
    return plays.here.groupby([plays.decisions[key] for key in by]).all()


def share_of_best(plays: Plays) -> Values[float]:
    """Return each group's result as a share of the best result under its rules.

    It is NaN if the best result is unknown or known only approximately.
    """
    shares = plays.once(shares_of_best)
    return shares["least"].where(shares["exact"])


def shares_of_best(plays: Plays) -> pd.DataFrame:
    """Return the bounds `least` and `most` on each group's share of the best result under its
    rules.

    `exact`: whether they are equal, except for rounding, for all groups with the same rules.
    """
    return _shares(plays, net=False)


def net_shares_of_best(plays: Plays) -> pd.DataFrame:
    """Return the bounds of `shares_of_best`, for points after the costs and effects of peer points;
    NaN for groups without peer points."""
    shares = _shares(plays, net=True)
    pointed = np.array([game.peers is not None for game in plays.games], dtype=np.bool_)
    return shares.assign(least=shares["least"].where(pointed), most=shares["most"].where(pointed))


def _shares(plays: Plays, net: bool) -> pd.DataFrame:
    shares = np.full((len(plays.groups), 2), np.nan)
    exact = np.ones(len(plays.groups), dtype=np.bool_)
    whole = complete(plays, GROUP).reindex(plays.groups.index, fill_value=False)
    whole &= plays.over
    groups = plays.groups.reset_index()
    rows = plays.decisions[plays.to_rows(whole, GROUP).astype(bool)]
    for game, places in plays.each_game(groups):
        finished = places[whole.iloc[places].to_numpy()]
        if finished.size and solutions.has_best(game):
            game_rows = rows[np.isin(plays.number(rows), finished)]
            components = _components(game, plays, game_rows, finished, net)
            shares[finished] = solutions.share_of_best(game, [], components)
            exact[places] = not (np.ptp(shares[finished], axis=1) > _EXACT).any()
    low, high = shares.T
    return pd.DataFrame({"least": low, "most": high, "exact": exact}, plays.groups.index)


def _components(
    game: Game[Any], plays: Plays, rows: pd.DataFrame, groups: Array, net: bool
) -> list[dict[str, Array]]:
    """Return the reward components of one game's groups, period by period, (groups, n) each.

    They are 0 after a group has ended. Components for peer points are left out or, with `net`,
    added to the first component.
    """
    names = [field.name for field in solutions.own_components(game)]
    place = np.searchsorted(groups, plays.number(rows))
    period, seat = rows["period"].to_numpy(), rows["seat"].to_numpy()
    components = np.zeros((int(period.max()) + 1, len(names), len(groups), game.seats))
    for number, name in enumerate(names):
        components[period, number, place, seat] = rows[f"reward_{name}"]
    if net and game.peers is not None:
        points = rows[[f"reward_{name}" for name in solutions.PEER_PARTS]].sum(axis=1)
        components[period, 0, place, seat] += points.to_numpy(dtype=np.float64)
    return [dict(zip(names, values, strict=True)) for values in components]
