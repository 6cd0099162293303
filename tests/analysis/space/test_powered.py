"""Power of hypotheses over a space."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mixed_company.analysis.planned.powered import notes, powered, without_reaction
from mixed_company.analysis.space import powered as simulation
from mixed_company.analysis.space.columns import matrix
from mixed_company.experiment import treatments
from tests.analysis.space.made import TEXT, plan, shipped
from tests.analysis.space.test_planted import BENT

OF_RETURN = """
[hypotheses.return]
meaning = "The higher the return, the more is contributed."
measure = "contribution"
variable = "mpcr"
direction = "higher"
family = "other"
"""


def experiments(effect: float, repetitions: int = 200) -> simulation._Experiments:
    """Return experiments on pools of normal values, with this effect of the first variable."""
    rng, points = np.random.default_rng(2), list(BENT.drawn)
    means = matrix(BENT, points)[:, 1] * effect
    blocks = [[mean + rng.normal(size=8) for mean in means] for _ in range(10)]
    return simulation._Experiments(BENT, tuple(points), blocks, "bent", 0.05, 1, 2, repetitions, 1)


def test_the_detectable_effect_is_found_with_power_80_percent() -> None:
    """The error without curvature is sd / sqrt(2 groups * 40 points * variance of the column), here
    about 1 / sqrt(80 / 12) = 0.39, and 80% of two-sided tests detect an effect of 2.9 such
    errors."""
    none = simulation._findings(experiments(0.0)).mean(axis=0)
    assert none[3] == pytest.approx(2.9 * 0.39, rel=0.1)
    assert none[0] < 0.08 > none[1]
    share = simulation._findings(experiments(float(none[3]))).mean(axis=0)
    assert share[0] == pytest.approx(0.8, abs=0.1)
    assert share[1] == 0
    assert share[2] == pytest.approx(none[3], rel=0.15)
    lower = simulation._findings(replace(experiments(float(none[3])), sign=-1)).mean(axis=0)
    assert lower[:2].tolist() == share[1::-1].tolist()


def test_power_of_a_plan_with_a_space() -> None:
    study = plan(**{"points = 24": "points = 10"})
    series = treatments.shipped_series("sanctions", shipped(study))
    table = powered(study, series, [1], repetitions=10, pool=10, seed=1).set_index("hypothesis")
    assert table["of_all"].tolist() == [10, 10, 10]
    assert table["alpha"].tolist() == [0.05, 0.025, 0.025]
    assert table.loc["earned", "power"] >= 0.7
    assert table.loc["earned", "effect"] == pytest.approx(48, rel=0.2)  # test_planted
    ends = table[["detectable_low", "detectable", "detectable_high"]].to_numpy()
    assert (np.diff(ends, axis=1) > 0).all()
    lines = list(notes(study, series))
    assert lines[0] == (
        "earned: power counts significant results only if mean_points of all seats rises with mpcr"
    )


def test_variables_without_an_effect_on_simulated_people_are_named():
    """People contribute at random, so the return changes what they earn but not what they
    contribute. The time limit and the statement about bots change neither."""
    text = TEXT + OF_RETURN
    study = plan(text)
    sentences = list(without_reaction(study, shipped(study)))
    assert [line.partition(":")[0] for line in sentences] == ["time", "told", "return"]
    assert sentences[2] == (
        "return: contribution of all seats stays the same in all 16 simulated groups if only mpcr "
        "changes, so the simulated people do not react to it; power is then the false-positive "
        "rate in the expected direction, which is half the rate in both"
    )
    assert sentences[0].endswith("do not react to it; power is then the false-positive rate")
