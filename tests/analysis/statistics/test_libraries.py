"""Results equal those of scipy and statsmodels for the methods that these libraries share."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from mixed_company.analysis.measures.trend import lines
from mixed_company.analysis.statistics.result import _for_all
from mixed_company.analysis.statistics.tests import PAIRED, TESTS

DRAWS = range(40)
ALL = 20_000
"""More than the number of arrangements of these samples, so p is exact."""


def samples(number, *sizes, ties=False):
    rng = np.random.default_rng(number)
    return [rng.integers(0, 4, n).astype(float) if ties else rng.normal(size=n) for n in sizes]


def p_of(test, drawn):
    return test(drawn, ALL, np.random.default_rng(1)).p


@pytest.mark.parametrize("number", DRAWS)
def test_permutation_tests_of_means_and_ranks_match_scipy(number):
    first, other = samples(number, 5, 6)
    every = stats.permutation_test(
        (first, other),
        lambda x, y, axis: x.mean(axis=axis) - y.mean(axis=axis),
        vectorized=True,
        n_resamples=np.inf,
    )
    assert p_of(TESTS["permutation"], [first, other]) == pytest.approx(every.pvalue)
    exact = stats.mannwhitneyu(first, other, method="exact")
    assert p_of(TESTS["mann_whitney"], [first, other]) == pytest.approx(exact.pvalue)
    changes = stats.wilcoxon(other[:5] - first, method="exact")
    assert p_of(PAIRED["wilcoxon"], [first, other[:5]]) == pytest.approx(changes.pvalue)


@pytest.mark.parametrize("number", DRAWS)
def test_ranks_with_ties_match_scipy(number):
    first, other, third = samples(number, 5, 5, 4, ties=True)
    all_of_them = stats.PermutationMethod(n_resamples=np.inf)
    exact = stats.mannwhitneyu(first, other, method=all_of_them)
    assert p_of(TESTS["mann_whitney"], [first, other]) == pytest.approx(exact.pvalue)
    h = TESTS["kruskal_wallis"]([first, other, third], 99, np.random.default_rng(1)).statistic
    assert h == pytest.approx(stats.kruskal(first, other, third).statistic)


@pytest.mark.few(2)
@pytest.mark.parametrize("number", DRAWS[:10])  # the library collects garbage on every call
def test_holms_correction_matches_statsmodels(number):
    p = np.random.default_rng(number).random(7)
    assert _for_all(p, "holm") == pytest.approx(multipletests(p, method="holm")[1])


def test_regression_lines_match_scipy():
    rows = [
        pd.DataFrame({"person": number, "x": x, "y": y})
        for number in DRAWS
        for x, y in [samples(number, 7, 7)]
    ]
    every = lines(pd.concat(rows), ["person"])
    for number, row in zip(DRAWS, rows, strict=True):
        line = stats.linregress(row["x"], row["y"])
        expected = [line.slope, line.intercept, line.rvalue, line.pvalue]
        ours = every.loc[number, ["slope", "intercept", "r", "p"]]
        assert ours.tolist() == pytest.approx(expected)
