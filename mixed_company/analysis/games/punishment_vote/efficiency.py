"""What a group of the punishment vote earned, of what could have been had at most."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mixed_company.analysis.data import GROUP
from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.efficiency import complete
from mixed_company.analysis.measures.plays import Plays, Values
from mixed_company.engine import solutions

__all__ = ["efficiency_at_least"]


@measure("group", unit="share", higher_is="better", whole=True)
def efficiency_at_least(plays: Plays, by: list[str]) -> Values[float]:
    """What the group earned over what no group could have earned more of: at least its efficiency.

    The best is not known, but a bound on it is: so this is a lower bound of the efficiency, and a
    group at 0.8 may have done as well as anybody could. The bound is of the play of the group's own
    seed, of what appeared where and when. Where the group lost points it is below 0, and no bound.

    Formula: sum of `reward` over all seats and turns / the bound from release times
    (engine.solutions.punishment_vote.release_bound); `flow_bound` there is tighter, and slow.

    Missing: the play has not ended; a seat was out of the play; the quantities of the play are
    shaken (layer uncertainty); nothing could be had; or the play is too large (over 3 million
    cells times turns).

    Source: ours; efficiency as the share of what can be had at most: Walker, Gardner and Ostrom
    (1990), Journal of Environmental Economics and Management 19(3).
    """
    earned = plays.decisions["reward"].groupby([plays.decisions[key] for key in by]).sum()
    return (earned / _most(plays)).where(complete(plays, GROUP))


def _most(plays: Plays) -> Values[float]:
    """Of each group the bound on what it could have earned; NaN where there is none, or it is 0."""
    seeds = plays.groups["seed"].tolist()
    bests = [solutions.best(game, seed) for game, seed in zip(plays.games, seeds, strict=True)]
    most = [best.value if best and best.value > 0 else np.nan for best in bests]
    return pd.Series(most, plays.groups.index, dtype="float64")
