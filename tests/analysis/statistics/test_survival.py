"""Survival times, and the difference detectable with this many units."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company.analysis import statistics as st
from tests.analysis.statistics.frames import per_group


def test_the_survival_estimate_handles_censored_units():
    """Of 5 units, one ends at 2: 4/5. Another is last seen at 3, and one of the remaining 3 ends at
    4: 4/5 * 2/3.
    """
    table = st.survival(np.array([2, 3, 4, 6, 6.0]), np.array([1, 0, 1, 0, 0.0]), ["a"] * 5)
    assert table[["duration", "at_risk", "ended"]].to_numpy().tolist() == [[2, 5, 1], [4, 3, 1]]
    assert table["share"].tolist() == pytest.approx([4 / 5, 8 / 15])
    assert (table["low"] < table["share"]).all()
    assert (table["share"] < table["high"]).all()


def test_the_interval_is_computed_on_the_log_log_scale():
    """Greenwood at 4/5 of 5: var(log S) = 1 / (5 4), and that of log(-log S) is / (log S)^2."""
    table = st.survival(np.array([2, 6, 6, 6, 6.0]), np.array([1, 0, 0, 0, 0.0]), ["a"] * 5)
    error = np.sqrt(1 / 20) / abs(np.log(0.8))
    low, high = (0.8 ** np.exp(sign * 1.959964 * error) for sign in (1, -1))
    assert table[["low", "high"]].to_numpy()[0].tolist() == pytest.approx([low, high], rel=1e-6)


def test_treatments_are_compared_by_the_log_rank_test():
    """Group a ends at 1 and 2, b at 3 and 4. At 1 two of 4 are from a: expected 1/2, variance 1/4.
    At 2 it is one of 3: expected 1/3, variance 2/9. Then none is left. (2 - 5/6)^2 / (17/36) =
    49/17.
    """
    statistic, p = st.log_rank(np.array([1, 2, 3, 4.0]), np.ones(4), ["a", "a", "b", "b"])
    assert statistic == pytest.approx(49 / 17)
    assert 0.05 < p < 0.1
    with pytest.raises(st.NoTest, match="one treatment"):
        st.log_rank(np.array([1, 2.0]), np.ones(2), ["a", "a"])
    with pytest.raises(st.NoTest, match="there are no events"):
        st.log_rank(np.array([1, 2.0]), np.zeros(2), ["a", "b"])


def test_the_detectable_difference_matches_cohens_table():
    """Cohen (1988), table 2.4.1: with 64 per group, d = 0.5 is detected in four of five experiments
    at 0.05.
    """
    sample = np.tile([-1.0, 1.0], 32) * np.sqrt(63 / 64)  # its standard deviation is 1
    assert st.pooled_deviation([sample, sample]) == pytest.approx(1)
    assert st.reached([sample, sample + 3]) == pytest.approx(0.5, abs=0.002)
    assert np.isnan(st.reached([np.ones(4), np.ones(4)]))


def test_the_unitless_effect_is_that_of_the_test():
    """All values of b are above all values of a, so the effect is 1. Three groups that do not
    overlap have ranks 1 2, 3 4 and 5 6.
    """
    two = st.units(per_group(a=[1, 2], b=[3, 4]), "points")
    assert st.compare(two).standardised == 1
    three = st.units(per_group(a=[1, 2], b=[3, 4], c=[5, 6]), "points")
    # between: 2 (2^2 + 0 + 2^2) = 16; total: 2 (2.5^2 + 1.5^2 + 0.5^2) = 17.5
    assert st.compare(three).standardised == pytest.approx(16 / 17.5)
    third = st.units(per_group(a=[1, 2], b=[3, 4], c=[5, 60]), "points")
    means = st.compare(third, "permutation")
    # means 1.5, 3.5, 32.5 around 12.5: 2 (11^2 + 9^2 + 20^2) = 1204; total: 2717.5
    share = 1204 / (11.5**2 + 10.5**2 + 9.5**2 + 8.5**2 + 7.5**2 + 47.5**2)
    assert means.standardised == means.effect == pytest.approx(share)
    assert means.effect_name == "eta squared"
