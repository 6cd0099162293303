"""What was earned as a share of the most that could be.

The most is that of `engine.solutions`. There is none for the punishment vote: what can be collected
depends on what appears where and on who stands in whose way, and nobody has solved that. Its groups
are compared by points (`points`) and by the harm they do (`harm`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from analysis.data import GROUP
from analysis.measures.plays import Plays, Values
from engine import solutions
from engine.contract.space import Array
from engine.game import Game

__all__ = ["complete", "is_solved", "share_of_best"]


def is_solved(game: Game[Any]) -> bool:
    """Has the engine solved this game as it was played?"""
    return not game.barred and solutions.has_best(game)


def complete(plays: Plays, by: list[str]) -> Values[bool]:
    """Groups or periods in which no seat was out of the play."""
    return plays.here.groupby([plays.decisions[key] for key in by]).all()


def share_of_best(plays: Plays) -> Values[float]:
    """Of each group what it came to, as a share of the best under its rules; else NaN."""
    shares = np.full(len(plays.groups), np.nan)
    whole = complete(plays, GROUP).reindex(plays.groups.index, fill_value=False)
    whole &= plays.over
    groups = plays.groups.reset_index()
    rows = plays.decisions[plays.to_rows(whole, GROUP).astype(bool)]
    for game, places in plays.each_game(groups):
        own = places[whole.iloc[places].to_numpy()]
        if own.size and is_solved(game):
            some = rows[np.isin(plays.number(rows), own)]
            shares[own] = solutions.share_of_best(game, [], _components(game, plays, some, own))
    return pd.Series(shares, plays.groups.index)


def _components(
    game: Game[Any], plays: Plays, rows: pd.DataFrame, groups: Array
) -> list[dict[str, Array]]:
    """The reward components of groups of one game, period by period, (groups, n) each.

    Where a group has ended before the others they are 0.
    """
    names = [field.name for field in game.declaration.components]
    place = np.searchsorted(groups, plays.number(rows))
    period, seat = rows["period"].to_numpy(), rows["seat"].to_numpy()
    components = np.zeros((int(period.max()) + 1, len(names), len(groups), game.seats))
    for number, name in enumerate(names):
        components[period, number, place, seat] = rows[f"reward_{name}"]
    return [dict(zip(names, values, strict=True)) for values in components]
