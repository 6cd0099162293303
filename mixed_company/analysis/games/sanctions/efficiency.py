"""Payoffs from contributions, as a share of the payoffs at the social optimum."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.efficiency import complete, share_of_best
from mixed_company.analysis.measures.plays import Plays, Values
from mixed_company.analysis.ranges import UP_TO_1
from mixed_company.engine import solutions
from mixed_company.engine.solutions.sanctions import PRIVATE, social_optimum


@measure("group", unit="share", name="efficiency", higher_is="better", whole=True, ends=UP_TO_1)
def sanctions_efficiency(plays: Plays, by: list[str]) -> Values[float]:
    """The group's private payoffs, before losses from sanctions, as a share of the payoffs at the
    social optimum under its rules.

    Only payoffs from contributions are included. Sanctions, points that players assign to each
    other (see `net_efficiency`) and the others' welfare that is part of a reward are left out.

    Formula: sum over seats and periods of (`reward_kept` + `reward_production` + `reward_synergy`)
    / (periods * sum of the payoffs at engine.solutions.sanctions.social_optimum).

    Missing: the play has not ended; a seat was out of the play or its role bars an action; the
    layers have no known optimum (all except information and hierarchy); or players can reward each
    other, because then a group can earn more than at the optimum.

    Source: Ledyard (1995), in Kagel and Roth, Handbook of Experimental Economics, chapter 2; the
    optimum: arXiv:2510.18802.
    """
    return share_of_best(plays)


@measure("period", unit="share", name="efficiency", higher_is="better", ends=UP_TO_1)
def sanctions_period(plays: Plays, by: list[str]) -> Values[float]:
    """Private payoffs in the period, as a share of the payoffs at the social optimum.

    Formula: sum over seats of (`reward_kept` + `reward_production` + `reward_synergy`) / sum of the
    payoffs at engine.solutions.sanctions.social_optimum.

    Missing: a seat was out of the play or its role bars an action; the layers have no known optimum
    (all except information and hierarchy); or players can reward each other.

    Source: Ledyard (1995), in Kagel and Roth, Handbook of Experimental Economics, chapter 2.
    """
    rows = plays.decisions
    earned = rows[[f"reward_{name}" for name in PRIVATE]].sum(axis=1)
    earned = earned.groupby([rows[key] for key in by]).sum().where(complete(plays, by))
    best = pd.Series(np.nan, plays.groups.index)
    for game, places in plays.each_game(plays.groups.reset_index()):
        if solutions.has_best(game):
            best.iloc[places] = float(social_optimum(game.core).payoffs.sum())
    maximum = best.to_numpy()[plays.number(earned.index.to_frame(index=False))]
    return pd.Series(earned.to_numpy() / maximum, earned.index)
