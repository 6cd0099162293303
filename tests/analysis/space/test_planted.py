"""Effects planted in simulated groups are found, and no others are.

Random contributions are uniform from 0 to the endowment w, so a person's points in two periods
have the mean 2 (w / 2 + 4 mpcr w / 2). Over mpcr 0.3 to 0.9, at w = 20, they change by
2 * 40 * 0.6 = 48. The mean contribution is w / 2, so over the endowment 18 to 22 it changes by 2.
Nothing else changes it.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from mixed_company.analysis.planned import tested as hypotheses
from mixed_company.analysis.planned.over_space import analysed, effects
from mixed_company.analysis.space.columns import matrix
from mixed_company.analysis.space.fitting import of_means, statistic_of
from mixed_company.experiment.space import Space
from tests.analysis.space.made import plan, played

TRUE = 48.0
WITHOUT = ("mpcr", "decision_seconds", "disclosure")
"""Variables without an effect on contributions."""
RARE = 0.999
"""Probability that a correct program passes each of these tests."""


def test_a_planted_effect_is_found() -> None:
    study = plan()
    assert study.space is not None
    data = hypotheses.of_plan(played(study, seed=1), "space", study)
    earned = hypotheses.tested([data], study, None).set_index("hypothesis").loc["earned"]
    assert earned["low"] < TRUE < earned["high"]
    assert earned["result"].endswith("in the direction of the hypothesis: rises with mpcr")
    assert earned["groups"] == "points 24, groups 24"
    lowered = plan(higher="lower")
    opposite = (
        hypotheses.tested([data], lowered, None).set_index("hypothesis").loc["earned", "result"]
    )
    assert "but opposite to the hypothesis: rises with mpcr; expected: falls with mpcr" in opposite


@pytest.mark.long
def test_of_100_designs_planted_effects_are_found_and_others_as_often_as_the_level() -> None:
    study, seeds = plan(**{"points = 24": "points = 100"}), range(20)
    assert study.space is not None
    covered, of_families, tables = 0, 0, []
    for seed in seeds:
        data = hypotheses.of_plan(played(study, seed), "space", study)
        rows = hypotheses.tested([data], study, None).set_index("hypothesis")
        assert rows.loc["earned", "result"].startswith("significant at the 0.05 level, in the dir")
        covered += rows.loc["earned", "low"] < TRUE < rows.loc["earned", "high"]
        of_families += bool((rows.loc[["time", "told"], "p_corrected"] <= 0.05).any())
        tables.append(effects(analysed([data], study, study.space)))
    table = pd.concat(tables)
    of_contributions = table[table["measure"].str.startswith("contribution")]
    p = of_contributions.loc[of_contributions["variable"].isin(WITHOUT), "p"]
    assert len(p) == 3 * len(seeds)
    assert (p <= 0.05).sum() <= stats.binom.ppf(RARE, len(p), 0.05)
    assert of_families <= stats.binom.ppf(RARE, len(seeds), 0.05)
    assert covered >= stats.binom.ppf(1 - RARE, len(seeds), 0.95)


BENT = Space.model_validate(
    {
        "points": 40,
        "seed": 3,
        "variables": {
            "bent": {"low": 0.0, "high": 1.0},
            "spread": {"low": 1.0, "high": 3.0},
            "rule": {"choices": ["a", "b", "c"]},
        },
    }
)


@pytest.mark.parametrize("groups", [1, 4])
def test_errors_allow_for_bends_and_unequal_spread(groups: int) -> None:
    """The mean is a parabola of one variable, the spread depends on another, and groups at the same
    point share part of their value. Neither `spread` nor `rule` has an effect on the mean."""
    points, rng, times = list(BENT.drawn), np.random.default_rng(6), 400
    bent, spread = (
        np.array([float(BENT.drawn[point][name]) for point in points])
        for name in ("bent", "spread")
    )
    weights, significant = np.full(len(points), float(groups)), np.zeros(2)
    for _ in range(times):
        of_groups = rng.normal(size=(groups, len(points))).mean(axis=0)
        shared = rng.normal(size=len(points))
        means = 4 * (bent - 0.5) ** 2 + spread * (of_groups + shared / 2)
        fit = of_means(BENT, "kept", points, means, weights)
        significant += [statistic_of(fit, name)[2] <= 0.05 for name in ("spread", "rule")]
    assert (significant <= stats.binom.ppf(RARE, times, 0.05)).all(), significant
    assert (significant >= 4).all(), significant  # a test that finds nothing would be useless
    assert matrix(BENT, points).shape == (40, 5)
