"""Expected points of joint choices, as a share of the expected points of the best joint choices."""

from __future__ import annotations

import pandas as pd

from mixed_company.analysis.measures.declaring import measure
from mixed_company.analysis.measures.plays import Plays, Values
from mixed_company.analysis.ranges import UP_TO_1


@measure(
    "group",
    "period",
    unit="share",
    name="efficiency",
    higher_is="better",
    whole=True,
    ends=UP_TO_1,
)
def gem_efficiency(plays: Plays, by: list[str]) -> Values[float]:
    """Expected points of the joint choices, as a share of the expected points of the best joint
    choices.

    Expected points are used instead of actual finds to exclude luck. The best joint choice is
    computed for the probabilities at the start of the period and the villages still in the play.

    Formula: sum of `expected_points` / sum of `best_expected_points`, over the periods of the
    group, or of the period; see engine.solutions.gem_mining.judge.

    Missing: the play has not ended (for groups); or in any period the search for the best joint
    choice would take too long, or its points are 0.

    Source: Roijers, Whiteson and Oliehoek (2015), Journal of AI Research 52, for the exact best
    joint choice.
    """
    best = plays.periods["best_expected_points"].astype("float64")
    expected = plays.periods["expected_points"]
    sums = pd.DataFrame({"expected": expected, "best": best.where(best > 0)})
    grouped = sums.groupby([plays.periods[key] for key in by])
    return grouped["expected"].sum() / grouped["best"].sum().where(
        grouped["best"].count() == grouped.size()
    )
