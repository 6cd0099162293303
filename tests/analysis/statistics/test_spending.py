"""Levels of interim looks, compared with published tables and hand calculations, and their error
rates.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from mixed_company.analysis.statistics.spending import levels, unbiased
from mixed_company.engine.contract.errors import ConfigError, UnknownName

FIVE = [0.2, 0.4, 0.6, 0.8, 1.0]


@pytest.mark.parametrize(
    ("spending", "limits"),
    [
        ("obrien_fleming", [4.8769, 3.3569, 2.6803, 2.2898, 2.0310]),
        ("pocock", [2.4380, 2.4268, 2.4101, 2.3966, 2.3859]),
    ],
)
def test_five_even_looks_have_the_published_boundaries(spending, limits):
    """Levels for two-sided .05, as printed by the programs of Reboussin et al. (2000, Controlled
    Clinical Trials 21(3)) and by R's ldbounds."""
    boundaries = stats.norm.isf(np.array(levels(FIVE, 0.05, spending)) / 2)
    assert boundaries == pytest.approx(limits, abs=2e-4)


def test_a_single_look_has_all_of_alpha_and_a_first_look_what_is_spent_by_then():
    """At half of the groups, Pocock spends .05 ln(1 + 1.71828 / 2) = .05 * .62011 = .0310;
    O'Brien-Fleming spend 4 (1 - Phi(2.2414 / .70711)) = 4 (1 - Phi(3.1698)) = .00305."""
    assert levels([1.0], 0.05, "pocock") == pytest.approx([0.05])
    assert levels([0.5, 1], 0.05, "pocock")[0] == pytest.approx(0.0310, abs=5e-5)
    assert levels([0.5, 1], 0.05, "obrien_fleming")[0] == pytest.approx(0.00305, abs=5e-6)


@pytest.mark.parametrize("spending", ["obrien_fleming", "pocock"])
def test_three_looks_keep_the_error_rate_alpha(spending):
    """There are 20,000 experiments without an effect, with t tests after 8, 12 and 24 groups of
    each treatment. The standard error of a share of .05 is .0015. Testing each look at .05 would
    have an error rate of about .10.
    """
    rng, looks = np.random.default_rng(4), [8, 12, 24]
    first, other = rng.normal(size=(2, 20_000, looks[-1]))
    p = [stats.ttest_ind(first[:, :look], other[:, :look], axis=1).pvalue for look in looks]
    boundaries = levels([look / looks[-1] for look in looks], 0.05, spending)
    crossed = np.any([values <= level for values, level in zip(p, boundaries, strict=True)], axis=0)
    assert crossed.mean() == pytest.approx(0.05, abs=0.006)
    assert np.any(np.array(p) <= 0.05, axis=0).mean() > 0.08


def test_a_look_that_spends_almost_nothing_has_a_level_no_test_can_reach():
    """After one of 24 groups, O'Brien and Fleming spend 4 (1 - Phi(2.2414 / .2041)) = 4 (1 -
    Phi(10.98)), which is below 1e-27. Later levels are as if nobody had looked, and an interval has
    a confidence below 1.
    """
    early, *later = levels([1 / 24, 0.5, 1], 0.05, "obrien_fleming")
    assert 0 < early < 2e-15
    assert 1 - early < 1
    assert later == pytest.approx(levels([0.5, 1], 0.05, "obrien_fleming"), rel=1e-4)


@pytest.mark.parametrize("shares", [[], [0.0, 1.0], [0.5, 0.5], [0.5, 1.2]])
def test_impossible_looks_are_refused(shares):
    with pytest.raises(ConfigError, match="looks = "):
        levels(shares, 0.05, "pocock")


def test_an_unknown_spending_function_is_refused_with_the_nearest():
    with pytest.raises(UnknownName, match="spending = 'pokock': unknown; did you mean 'pocock'"):
        levels([1.0], 0.05, "pokock")


def test_the_unbiased_effect_is_the_drift_whose_mean_estimate_was_observed():
    """A million simulated experiments have two looks. B(.5) is normal with mean .5 * 3, for a drift
    of 3, and variance .5. An experiment stops if |B(.5)| / sqrt(.5) is beyond the limit, with the
    estimate B(.5) / .5; otherwise the estimate is B(1). For the mean of these estimates the
    unbiased effect is 3.
    """
    rng, drift, shares = np.random.default_rng(5), 3.0, [0.5, 1.0]
    limit = stats.norm.isf(levels(shares, 0.05, "pocock")[0] / 2)
    first = drift / 2 + rng.normal(size=1_000_000) * 0.5**0.5
    last = first + drift / 2 + rng.normal(size=first.size) * 0.5**0.5
    stops = np.abs(first) / 0.5**0.5 >= limit
    mean = np.where(stops, first / 0.5, last).mean()
    assert mean > 3.1
    for look, z in ((0, mean * 0.5**0.5), (1, mean)):
        effect = unbiased(mean, 2 * stats.norm.sf(z), shares, look, 0.05, "pocock")
        assert effect == pytest.approx(drift, abs=0.01)


def test_an_effect_keeps_its_sign_and_without_an_early_look_its_size():
    p = 2 * stats.norm.sf(2.5)
    assert unbiased(8.0, p, [1.0], 0, 0.05, "pocock") == pytest.approx(8.0)
    less = unbiased(8.0, p, [0.5, 1.0], 0, 0.05, "pocock")
    assert 0 < less < 8
    assert unbiased(-8.0, p, [0.5, 1.0], 0, 0.05, "pocock") == pytest.approx(-less)
    assert unbiased(0.0, 1.0, [0.5, 1.0], 1, 0.05, "pocock") == 0
    assert unbiased(9.0, 0.0, [0.5, 1.0], 1, 0.05, "pocock") == 9
