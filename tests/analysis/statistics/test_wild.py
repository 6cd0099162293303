"""Wild cluster bootstrap, calculated by hand and compared with the regressions that it replaces."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from mixed_company.analysis import statistics as st
from mixed_company.analysis.statistics.wild import wild
from tests.analysis.statistics.frames import clustered, per_group

RNG = np.random.default_rng(0)
OPTIONS = {"level": 0.95, "resamples": 9_999, "rng": RNG}


def test_a_mean_of_five_clusters_by_hand():
    """With only a constant, the residuals under the null are y, and one sign per cluster gives the
    sign test of the mean. Of 2^5 sign patterns, all plus and all minus are as extreme: 2 / 32.
    """
    y = np.array([1.0, 2, 3, 4, 5])
    result = wild(y, np.ones((5, 1)), np.arange(5), 0, **OPTIONS)
    assert result.p == pytest.approx(2 / 32)
    assert np.isnan([result.low, result.high]).all()
    assert result.method == "all signs"


def test_four_clusters_of_eight_have_no_interval_of_their_mean_by_hand():
    """The mean of the first four depends only on them: 2 of their 2^4 sign patterns are at least as
    extreme under any hypothesis, so p is never below 0.125. The difference depends on all eight: 2
    / 2^8.
    """
    clusters, later = np.arange(8), (np.arange(8) >= 4).astype(float)
    x = np.column_stack([np.ones(8), later])
    y = np.array([0.66, 0.70, 0.67, 0.69, 0.81, 0.83, 0.80, 0.82])
    mean, difference = (wild(y, x, clusters, column, **OPTIONS) for column in (0, 1))
    assert mean.p == pytest.approx(2 / 16)
    assert np.isnan([mean.low, mean.high]).all()
    assert difference.p == pytest.approx(2 / 256)
    assert 0.1 < difference.low < 0.135 < difference.high < 0.17


def t_of(y, x, clusters, column, value):
    """Return t with clustered errors, computed directly and without the common factor."""
    inverse = np.linalg.inv(x.T @ x)
    coefficients = inverse @ x.T @ y
    residuals = y - x @ coefficients
    meat = sum(
        np.outer(score, score)
        for score in (
            x[clusters == cluster].T @ residuals[clusters == cluster]
            for cluster in set(clusters.tolist())
        )
    )
    return (coefficients[column] - value) / np.sqrt((inverse @ meat @ inverse)[column, column])


@pytest.mark.parametrize("value", [0.0, 0.7])
def test_it_matches_one_regression_per_sign_pattern(value):
    rng = np.random.default_rng(8)
    clusters = np.repeat(np.arange(6), 4)
    treated = (clusters >= 3).astype(float)
    x = np.column_stack([np.ones(24), treated, rng.normal(size=24)])
    y = rng.normal(size=24) + rng.normal(size=6)[clusters] + treated
    others = x[:, [0, 2]]
    null = others @ np.linalg.lstsq(others, y - value * treated, rcond=None)[0] + value * treated
    real = abs(t_of(y, x, clusters, 1, value))
    ts = [
        abs(t_of(null + np.array(signs)[clusters] * (y - null), x, clusters, 1, value))
        for signs in product((1, -1), repeat=6)
    ]
    expected = np.mean([t >= real * (1 - 1e-9) for t in ts])
    # The p value of `value` is the p value of 0 after subtracting `value` times the column from y.
    assert wild(y - value * treated, x, clusters, 1, **OPTIONS).p == pytest.approx(expected)


def test_the_interval_contains_the_values_not_rejected():
    frame = clustered(seed=3, groups={"a": 5, "b": 5}, shift=2.0)
    x = np.column_stack([np.ones(len(frame)), frame["treatment"] == "b"]).astype(float)
    y, clusters = frame["points"].to_numpy(), frame["group"].to_numpy()
    result = wild(y, x, clusters, 1, **OPTIONS)
    for end, inward in ((result.low, 1e-4), (result.high, -1e-4)):
        assert wild(y - (end + inward) * x[:, 1], x, clusters, 1, **OPTIONS).p > 0.05
        assert wild(y - (end - inward) * x[:, 1], x, clusters, 1, **OPTIONS).p <= 0.05


def test_with_many_clusters_signs_are_drawn():
    rng = np.random.default_rng(1)
    y = rng.normal(size=40) + 5
    result = wild(y, np.ones((40, 1)), np.arange(40), 0, level=0.95, resamples=199, rng=rng)
    assert result.p == pytest.approx(1 / 200)
    assert result.method == "199 signs drawn"
    assert result.low < y.mean() < result.high


def test_a_regression_with_wild_errors_says_so():
    frame = per_group(a=[1, 2, 3, 4], b=[3, 5, 6, 8])
    result = st.regression(frame, "points ~ treatment", errors="wild")
    row = result.results["treatment[T.b]"]
    assert row.test == "OLS, wild bootstrap by group, points ~ treatment"
    assert "all signs" in row.notes
    assert row.effect == pytest.approx(3)
    assert row.low < 3 < row.high


def test_a_regression_says_why_a_coefficient_has_no_interval():
    """The mean of four of eight groups has no interval; the difference has one."""
    frame = per_group(a=[1, 2, 3, 4], b=[13, 15, 16, 18])
    mean, difference = st.regression(frame, "points ~ treatment", errors="wild").results.values()
    assert np.isnan([mean.low, mean.high]).all()
    assert "no interval: too few groups to reject any value" in mean.notes
    assert 0 < difference.low < difference.high
    assert not any("no interval" in note for note in difference.notes)


@pytest.mark.long
def test_under_the_null_it_rejects_at_its_level():
    """With eight clusters of decisions and 100 draws without an effect, about 5 are rejected at
    0.05. Treating the decisions as independent rejects many more.
    """
    wilds = pooled = 0
    for seed in range(100):
        frame = clustered(seed=seed, groups={"a": 4, "b": 4}, seats=2, periods=3)
        x = np.column_stack([np.ones(len(frame)), frame["treatment"] == "b"]).astype(float)
        y = frame["points"].to_numpy()
        wilds += wild(y, x, frame["group"].to_numpy(), 1, **OPTIONS).p <= 0.05
        pooled += abs(t_of(y, x, np.arange(len(y)), 1, 0.0)) > 2.02
    assert wilds <= 12
    assert pooled >= 25
