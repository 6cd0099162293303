"""Analysis of the sanctions game: contributions, trust, and losses from sanctions."""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company.analysis.games import (
    POINTS,
    Contribution,
    Cooperation,
    GameAnalysis,
    Pattern,
    PolicyTable,
    Quantity,
    Sample,
    Trial,
)
from mixed_company.engine.game import Game
from mixed_company.engine.play.episode import Episode
from mixed_company.engine.solutions.sanctions import payoffs, social_optimum

__all__ = ["ANALYSIS"]


def _given(play: Episode) -> float:
    """Return the mean contribution of all seats in the last period, in % of the endowment."""
    return 100 * float(play.observations["contribution"].mean() / play.game.core.endowment)


def _without_contributions(game: Game[Any]) -> float:
    """Return the private payoffs if nobody contributes, as a share of the private payoffs at the
    social optimum."""
    earned = payoffs(game.core, np.zeros(game.seats)).sum()
    return float(earned / social_optimum(game.core).payoffs.sum())


_LAB = {"archetype": "lab_0_7"}

_PATTERN = Pattern(
    title="Cooperation decays without sanctions and persists with them",
    says="The contributions of conditional cooperators who give a little less than the others fall "
    "well below their initial level (but not to zero, because the noisy cooperator returns to "
    "its baseline). With sanctions, policies that give more after a sanction sustain "
    "contributions.",
    source="Fehr and Gaechter (2000), American Economic Review 90(4)",
    people=("sanction_averse", "sanction_averse", "sanction_averse", "noisy_person"),
    treatments={"no sanctions": {"lambda_R": 0.0}, "sanctions": {}},
    expected={
        "last_contribution": ("no sanctions", "sanctions"),
        "contribution_slope": ("no sanctions", "sanctions"),
        "mean_points": ("no sanctions", "sanctions"),
    },
    course="contribution",
    archetype="lab_0_7",
)

ANALYSIS = GameAnalysis(
    main=("contribution", "efficiency", "points_per_period", "trust", "sanction_points", "gini"),
    series=("contribution", "trust", "sanction_points"),
    quantities=(
        Quantity("decisions", "used_contribution", "contribution"),
        Quantity("periods", "after_mean_trust", "mean trust"),
        Quantity("decisions", "reward_sanctions", "sanctions (part of the reward)"),
        POINTS,
    ),
    cooperation=Cooperation("used_contribution"),
    contribution=Contribution("used_contribution", nobody=_without_contributions),
    trials=(
        Trial("conditional_cooperation", {"intercept": 2, "slope": 0.7, "noise": 2}, _LAB),
        Trial("conditional_cooperation", {"intercept": 8, "slope": 0, "noise": 4}, _LAB),
        Trial(
            "conditional_cooperation_inertia",
            {"intercept": 1, "slope": 0.5, "inertia": 0.3, "noise": 2},
            _LAB,
        ),
        Trial("quantal_response", {"precision": 0.5}, _LAB),
        Trial("reinforcement_learning", {"precision": 0.5, "learning_rate": 0.4}, _LAB),
    ),
    policies=PolicyTable(
        archetypes=("lab", "unsanctioned", "source"),
        heading="given in %",
        meaning="the mean contribution in the last period, in % of the endowment",
        number=_given,
    ),
    pattern=_PATTERN,
    sample=Sample("sanctions_public_good"),
)
