"""Effect sizes calculated by hand, and intervals based on groups."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company.analysis import statistics as st
from mixed_company.analysis.statistics import effects
from tests.analysis.statistics.frames import per_group

A, B = np.array([1.0, 2, 3]), np.array([2.0, 4, 9])
# Pairs in which b is larger: 3 for 1; 2.5 for 2 (4, 9 and half a tie); 2 for 3 (4 and 9): 7.5 of 9.


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("difference", 3.0),  # 5 - 2
        ("median_difference", 2.0),  # 4 - 2
        ("shift", 2.0),  # median of -1, 0, 1, 1, 2, 3, 6, 7, 8
        ("superiority", 7.5 / 9),
        ("cliffs_delta", 6 / 9),  # 7 of 9 larger, 1 smaller
        # Ranks 1, 2.5, 4 and 2.5, 5, 6: sums 7.5 and 13.5 around a mean rank of 3.5: 3 (1)^2 + 3
        # (1)^2 = 6 of 6.25 + 1 + 0.25 + 1 + 2.25 + 6.25 = 17.
        ("epsilon_squared", 6 / 17),
        # Around a mean of 3.5: 3 (1.5)^2 + 3 (1.5)^2 = 13.5 of 6.25 + 2.25 + 0.25 + 2.25 + 0.25 +
        # 30.25 = 41.5.
        ("eta_squared", 13.5 / 41.5),
    ],
)
def test_effects_by_hand(name, value):
    assert float(effects.EFFECTS[name][0](A, B)) == pytest.approx(value)


def test_superiority_of_three_treatments_counts_ordered_pairs():
    """1 < 3, 1 > 0 and 3 > 0, so one of three pairs is in order."""
    three = [np.array([1.0]), np.array([3.0]), np.array([0.0])]
    assert float(effects.superiority(*three)) == pytest.approx(1 / 3)


def test_effects_of_many_samples_in_a_batch_equal_each_alone():
    rng = np.random.default_rng(4)
    many = rng.integers(0, 5, (7, 6)).astype(float), rng.integers(0, 5, (7, 4)).astype(float)
    for statistic, _, _ in effects.EFFECTS.values():
        singly = [float(statistic(first, other)) for first, other in zip(*many, strict=True)]
        assert statistic(*many).tolist() == pytest.approx(singly)


def test_without_variation_there_is_no_effect():
    assert float(effects.epsilon_squared(np.ones(3), np.ones(2))) == 0


def test_the_interval_depends_on_groups_not_on_their_rows():
    """Every row is repeated ten times. The groups are the same, and so is the interval."""
    frame = per_group(a=[1, 2, 4, 7, 8], b=[2, 5, 6, 9, 11])
    many = frame.loc[frame.index.repeat(10)]
    groups, other = (st.compare(st.units(values, "points")) for values in (frame, many))
    assert (groups.low, groups.high) == (other.low, other.high)
    with pytest.warns(st.PooledWarning):
        pooled = st.compare(st.units(many, "points", unit="decision"))
    assert pooled.high - pooled.low < 0.5 * (groups.high - groups.low)


def test_a_wider_level_gives_a_wider_interval():
    data = st.units(per_group(a=[1, 2, 4, 7, 8], b=[2, 5, 6, 9, 11]), "points")
    narrow, other = st.compare(data, level=0.8), st.compare(data, level=0.99)
    assert other.low < narrow.low < narrow.high < other.high
    assert "99% interval" in str(other)
