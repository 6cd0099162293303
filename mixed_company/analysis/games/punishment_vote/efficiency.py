"""A group's points in the punishment vote, as a share of an upper bound."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mixed_company.analysis.data import GROUP
from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.efficiency import complete
from mixed_company.analysis.measures.plays import Plays, Values
from mixed_company.analysis.ranges import UP_TO_1
from mixed_company.engine import solutions


@measure("group", unit="share", higher_is="better", whole=True, ends=UP_TO_1)
def efficiency_at_least(plays: Plays, by: list[str]) -> Values[float]:
    """Lower bound on the group's efficiency: its points divided by an upper bound on the maximum.

    The maximum itself is unknown, so a group at 0.8 may have done as well as possible. The bound is
    for the group's own seed, which determines the resources that appeared. If the group lost
    points, the value is negative and is not a bound.

    Formula: sum of `reward` over all seats and turns / the bound from release times
    (engine.solutions.punishment_vote.release_bound); `flow_bound` there is tighter but slow.

    Missing: the play has not ended; a seat was out of the play; quantities in the play are random
    (uncertainty layer); no points could be earned; or the play is too large (over 3 million cells
    times turns).

    Source: ours; efficiency as a share of the maximum attainable: Walker, Gardner and Ostrom
    (1990), Journal of Environmental Economics and Management 19(3).
    """
    earned = plays.decisions["reward"].groupby([plays.decisions[key] for key in by]).sum()
    return (earned / _most(plays)).clip(upper=1.0).where(complete(plays, GROUP))


def _most(plays: Plays) -> Values[float]:
    """Return the upper bound on each group's points; NaN if it is unknown or 0."""
    seeds = plays.groups["seed"].tolist()
    bests = [solutions.best(game, seed) for game, seed in zip(plays.games, seeds, strict=True)]
    bounds = [best.value if best and best.value > 0 else np.nan for best in bests]
    return pd.Series(bounds, plays.groups.index, dtype="float64")
