"""Intervals calculated by hand. They agree with the corresponding test, and are left out if none
exists.
"""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from scipy import stats

from docs import coverage, covering
from mixed_company.analysis import statistics as st
from mixed_company.analysis.statistics import effects, intervals
from mixed_company.analysis.statistics.intervals import of_mean, of_superiority
from mixed_company.analysis.statistics.tests import PAIRED, TESTS
from mixed_company.engine.contract.chance import generator
from tests.analysis.statistics.frames import per_group
from tests.project import ROOT

RNG = np.random.default_rng(0)


def run(name, *samples, within=False, resamples=20_000):
    arrays = [np.array(sample, dtype=float) for sample in samples]
    return (PAIRED if within else TESTS)[name](arrays, resamples, generator(0, "test"))


# -- by hand --------------------------------------------------------------------------------------

OPEN, GOVERNED = [2, 3, 4, 5], [4.5, 8, 9, 10.5]


@pytest.mark.parametrize("share", [0.97, 0.6, 0.02])
def test_the_interval_of_a_share_stays_between_0_and_1(share):
    """With 4 values the t interval around .97 ends above 1, and the one around .02 ends below 0."""
    values = np.clip(share + np.array([-0.02, 0.01, 0.03, -0.01]), 0.0, 1.0)
    plain, (low, high) = of_mean(values, 0.95), of_mean(values, 0.95, (0.0, 1.0))
    mean = values.mean()
    half = (plain[1] - plain[0]) / 2 / (mean * (1 - mean))  # of the logit, by the delta method
    logit = np.log(mean / (1 - mean))
    assert (low, high) == pytest.approx([1 / (1 + np.exp(half * side - logit)) for side in (1, -1)])
    assert 0 < low < mean < high < 1
    assert (plain[0] < 0 or plain[1] > 1) == (share != 0.6)


def test_an_interval_with_one_end_stops_there_and_a_wrong_range_cuts_nothing():
    values = np.array([0.0, 0.0, 1.0, 5.0])
    low, high = of_mean(values, 0.95)
    assert low < 0
    assert of_mean(values, 0.95, (0.0, np.inf)) == (0.0, high)
    assert of_mean(-values, 0.95, (-np.inf, 0.0)) == (-high, 0.0)
    assert of_mean(values, 0.95, (2.0, np.inf)) == (low, high)


@pytest.mark.long
@pytest.mark.parametrize(
    ("first", "second", "groups", "plain", "within"),
    [
        (8.0, 2.0, 4, 0.925, 0.948),
        (8.0, 2.0, 30, 0.946, 0.950),
        (0.5, 4.5, 4, 0.852, 0.930),
        (0.5, 4.5, 30, 0.926, 0.944),
    ],
)
def test_intervals_of_shares_contain_the_mean_more_often(first, second, groups, plain, within):
    """The shares in docs/statistics.md come from 20,000 draws from beta distributions; here there
    are 2,000.
    """
    rng, truth = np.random.default_rng(1), first / (first + second)
    draws = [rng.beta(first, second, groups) for _ in range(2000)]
    for ends, share in (((-np.inf, np.inf), plain), ((0.0, 1.0), within)):
        parts = [of_mean(draw, 0.95, ends) for draw in draws]
        assert np.mean([low <= truth <= high for low, high in parts]) == pytest.approx(
            share, abs=0.025
        )


def test_a_shift_of_four_against_four_by_hand():
    """p is 2 / 70 if all groups of one treatment are above all groups of the other, and 4 / 70 with
    one pair fewer. Therefore the interval goes from the smallest difference between two groups, 4.5
    - 5, to the largest, 10.5 - 2. The 8th and 9th of the 16 ordered differences are 5 and 5.
    """
    result = st.compare(st.units(per_group(open=OPEN, governed=GOVERNED), "points"))
    assert result.effect_name == "Hodges-Lehmann shift (governed - open)"
    assert (result.effect, result.low, result.high) == (5, -0.5, 8.5)


def test_a_permutation_interval_by_hand():
    """On either side only the actual arrangement, out of 70, may be as extreme, because 2 / 70 is
    below 0.05 and 4 / 70 is not. The interval goes from the smallest to the largest mean difference
    between groups that an arrangement exchanges, and these are differences between individual
    groups.
    """
    low, high = run("permutation", OPEN, GOVERNED).intervals["difference"](0.95)
    assert (low, high) == (-0.5, 8.5)


def test_changes_of_six_by_hand():
    """2 / 2^6 is below 0.05 and 4 / 2^6 is not, so the interval goes from the smallest to the
    largest change.
    """
    changes = [1.0, 2, 4, 5, 7, 11]
    for name, effect in (("wilcoxon", "shift"), ("permutation", "difference")):
        result = run(name, [0.0] * 6, changes, within=True)
        assert result.p == pytest.approx(2 / 64)
        assert result.intervals[effect](0.95) == (1, 11)


def test_wilcoxon_interval_of_hollander_and_wolfe():
    """Depression scores: Hollander and Wolfe (1973), p. 35: the estimate is -0.46, and the 96.1%
    interval is from -0.786 to -0.010."""
    first = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    second = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    low, high = run("wilcoxon", first, second, within=True).intervals["shift"](0.96)
    assert (low, high) == pytest.approx((-0.786, -0.010), abs=1e-9)


def test_a_mean_by_hand():
    """For 1, 2, 3 the standard deviation is 1, and t with 2 degrees of freedom is 4.303."""
    assert of_mean(np.array([1.0, 2, 3]), 0.95) == pytest.approx(
        (2 - 4.303 / 3**0.5, 2 + 4.303 / 3**0.5), abs=5e-4
    )


def test_welch_by_hand():
    """With variances of 1 and 1 and three values each, the standard error is the square root of 2 /
    3; t with 4 degrees of freedom is 2.776.
    """
    low, high = run("welch", [1, 2, 3], [10, 11, 12]).intervals["difference"](0.95)
    assert (low, high) == pytest.approx(
        (9 - 2.776 * (2 / 3) ** 0.5, 9 + 2.776 * (2 / 3) ** 0.5), abs=1e-3
    )


def test_a_superiority_of_1_has_an_interval_with_a_width():
    """If both groups of one treatment are above both of the other: (1 - t)^2 = z^2 t (1 - t) (1 +
    (1 - t) / (2 - t) + t / (1 + t)) / 4, so 1 - t = 0.960 t (...)."""
    low, high = of_superiority(1.0, [2, 2], 0.95)
    assert high == 1
    right = 1.96**2 / 4 * low * (1 + (1 - low) / (2 - low) + low / (1 + low))
    assert 1 - low == pytest.approx(right, abs=1e-3)
    assert 0.2 < low < 0.5


def test_cliffs_delta_of_separated_treatments_still_has_uncertainty():
    data = st.units(per_group(a=range(6), b=range(10, 16)), "points")
    result = st.compare(data, effect="cliffs_delta")
    assert (result.effect, result.high) == (1, 1)
    assert 0 < result.low < 0.7


def test_the_interval_of_a_trend_by_hand():
    """There are three treatments with one group each. If values do not differ, J of the 3 pairs is
    0, 1, 2 or 3 in 1, 2, 2 and 1 of 6 orders: its variance is (2 (3/2)^2 + 4 (1/2)^2) / 6 = 11 /
    12, and that of the share is 11 / 108. So an interval that ends at one half belongs to a share
    of 0.5 + z sqrt(11 / 108).
    """
    share = 0.5 + (11 / 108) ** 0.5
    low, _ = of_superiority(share, [1, 1, 1], 2 * stats.norm.cdf(1) - 1)
    assert low == pytest.approx(0.5)


def test_the_variance_of_a_trend_agrees_with_draws():
    """Values are exponential. Each treatment's rate is e^-0.8 times that of the previous treatment.
    The model uses the mean of their variance and that of the reverse order."""
    sizes, rng = [4, 5, 6], np.random.default_rng(1)
    shares = []
    for order in (sizes, sizes[::-1]):
        scales = np.exp(0.8 * np.arange(3))
        samples = [
            rng.exponential(scale, size=(20_000, n)) for scale, n in zip(scales, order, strict=True)
        ]
        shares.append(effects.superiority(*samples))
    chance, variance = intervals._of_exponential(0.8, sizes)
    assert np.mean(shares) == pytest.approx(chance, abs=0.002)
    assert np.mean([share.var() for share in shares]) == pytest.approx(variance, rel=0.03)


# -- agreement ------------------------------------------------------------------------------------


def agrees(p, low, high, null, level):
    """Check that `null` is inside the interval exactly when p is above 1 - level."""
    if math.isnan(low):
        return True
    return low <= null <= high if p > 1 - level else not low < null < high


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("name", "effect", "null"),
    [
        ("mann_whitney", "shift", 0),
        ("mann_whitney", "superiority", 0.5),
        ("mann_whitney", "cliffs_delta", 0),
        ("jonckheere", "superiority", 0.5),
        ("permutation", "difference", 0),
        ("welch", "difference", 0),
    ],
)
@pytest.mark.parametrize("values", ["real", "whole"])
def test_an_interval_agrees_with_its_test(name, effect, null, values):
    """The cases are small and large groups, with and without ties, and differences close to
    significance.
    """
    rng = np.random.default_rng(7)
    rejected = 0
    for size, other in ((4, 4), (5, 3), (6, 7), (9, 12)) * 4:
        samples = rng.normal(size=size), rng.normal(1.0, size=other)
        samples = [np.round(2 * sample) if values == "whole" else sample for sample in samples]
        result = run(name, *samples, resamples=999)
        for level in (0.8, 0.95):
            low, high = result.intervals[effect](level)
            assert agrees(result.p, low, high, null, level), (samples, result.p, low, high)
            rejected += result.p <= 1 - level
    assert 3 < rejected < 29


@pytest.mark.parametrize("values", ["real", "whole"])
def test_the_interval_of_a_trend_agrees_with_its_test(values):
    """Three treatments of 2 to 8 groups, whose means rise by half a standard deviation."""
    rng = np.random.default_rng(11)
    rejected = 0
    for sizes in ((3, 3, 3), (2, 4, 3), (6, 5, 8)) * 4:
        samples = [rng.normal(0.5 * place, size=n) for place, n in enumerate(sizes)]
        samples = [np.round(2 * sample) if values == "whole" else sample for sample in samples]
        result = run("jonckheere", *samples, resamples=999)
        low, high = result.intervals["superiority"](0.9)
        assert agrees(result.p, low, high, 0.5, 0.9), (samples, result.p, low, high)
        assert low <= float(effects.superiority(*samples)) <= high
        rejected += result.p <= 0.1
    assert 2 < rejected < 10


@pytest.mark.parametrize(("name", "effect"), [("wilcoxon", "shift"), ("permutation", "difference")])
@pytest.mark.parametrize("values", ["real", "whole"])
def test_an_interval_of_changes_agrees_with_its_test(name, effect, values):
    rng = np.random.default_rng(8)
    for size in (5, 6, 9, 16) * 3:
        changes = rng.normal(0.6, size=size)
        changes = np.round(2 * changes) if values == "whole" else changes
        result = run(name, np.zeros(size), changes, within=True, resamples=999)
        low, high = result.intervals[effect](0.95)
        assert agrees(result.p, low, high, 0, 0.95), (changes, result.p, low, high)


@pytest.mark.parametrize("name", ["mann_whitney", "permutation", "welch"])
def test_the_estimate_lies_in_its_interval(name):
    rng = np.random.default_rng(9)
    for _ in range(5):
        frame = per_group(a=rng.normal(size=6), b=rng.lognormal(size=8))
        result = st.compare(st.units(frame, "points"), name, resamples=999)
        assert result.low <= result.effect <= result.high


# -- no interval------------------------------------------------------------------------------------


@pytest.mark.parametrize("test", ["mann_whitney", "permutation"])
def test_if_nothing_could_be_rejected_there_is_no_interval(test):
    result = st.compare(st.units(per_group(a=[1, 2, 3], b=[10, 11, 12]), "points"), test)
    assert math.isnan(result.low)
    assert math.isnan(result.high)
    assert "no 95% interval. With so few groups, p cannot be below 0.1." in str(result)


def test_no_interval_of_three_treatments_excludes_its_estimate():
    """Epsilon squared is never below 0 and has no interval; each pair of treatments has one."""
    rng = np.random.default_rng(3)
    frame = per_group(**{name: rng.normal(place, size=5) for place, name in enumerate("abc")})
    data = st.units(frame, "points")
    assert "epsilon squared = " in str(st.compare(data))
    assert math.isnan(st.compare(data).low)
    assert all(result.low < result.effect < result.high for result in st.pairwise(data))


def test_groups_that_are_all_alike_have_no_interval():
    assert math.isnan(of_mean(np.array([2.0, 2, 2]), 0.95)[0])
    result = st.compare(st.units(per_group(a=[2] * 6, b=[5] * 6), "points"))
    assert result.effect == 3
    assert math.isnan(result.low)
    with pytest.raises(st.NoTest, match="all values within treatments are equal"):
        st.compare(st.units(per_group(a=[2, 2], b=[5, 5]), "points"), "welch")


def test_an_effect_that_does_not_belong_to_the_test_has_no_interval():
    data = st.units(per_group(open=OPEN, governed=GOVERNED), "points")
    assert math.isnan(st.compare(data, effect="median_difference").low)
    assert math.isnan(st.compare(data, "welch", effect="shift").low)


# -- coverage -------------------------------------------------------------------------------------


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("name", "shape", "groups", "least"),
    [
        *(("mean", "normal", groups, 0.92) for groups in (3, 5, 20)),
        *(("shift", "skewed", groups, 0.92) for groups in (4, 8)),
        *(("difference (permutation)", shape, 5, 0.92) for shape in covering.DRAWS),
        ("difference (welch)", "normal", 4, 0.92),
        ("superiority", "normal", 6, 0.90),
    ],
)
def test_an_interval_has_its_nominal_coverage(name, shape, groups, least):
    share, number = covering.covered(name, shape, groups, 200)
    assert number == 200
    assert share >= least


@pytest.mark.parametrize(
    "means", [pytest.param((0.0, 0.0, 0.0), marks=pytest.mark.long), (0.0, 1.0, 2.0)]
)
def test_the_interval_of_a_trend_has_its_nominal_coverage(means):
    """A share of 0.91 in 100 draws is within two standard errors of 0.95 (each is 0.022)."""
    assert covering.of_trend(means, 5, 100) >= 0.91


def test_a_mean_of_four_groups_with_many_equal_values_is_covered_too_rarely():
    """Whole numbers from 0 to 3 are equally likely. The report warns about this beside each such
    interval."""
    share, number = covering.covered("mean", "whole", 4, 4000)
    assert number < 4000  # identical groups have no interval
    assert 0.9 < share < 0.935
    assert "fewer than 95 of 100 cases" in intervals.OF_MEAN


def test_the_unit_of_independence_has_its_nominal_coverage():
    """Sessions differ, and each has one treatment, so people and groups are not independent."""
    shares = {
        unit: covering.by_unit("one treatment", unit, 0.2, 16, 1000)[0]
        for unit in covering.UNITS["one treatment"]
    }
    assert shares["person"] < 0.8
    assert 0.88 < shares["group"] < 0.94
    assert 0.93 < shares["session"] < 0.97
    share, number = covering.by_unit("both treatments", "within sessions", 0.2, 8, 200)
    assert number == 200
    assert share >= 0.91


def test_the_document_matches_its_command():
    text = (ROOT / "docs/coverage.md").read_text("utf-8")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    head = rows[0]
    assert head[2:] == ["mean", *covering.INTERVALS]
    assert {int(row[0]) for row in rows if row[0].isdigit()} == set(coverage.GROUPS)
    cells = {
        (row[0], row[1]): dict(zip(head, row, strict=True))
        for row in rows
        if row[1] in covering.DRAWS
    }
    (repetitions,) = re.findall(r"comes from (\d+) draws", text)
    share, _ = covering.covered("mean", "skewed", 4, int(repetitions))
    assert cells["4", "skewed"]["mean"] == f"{share:.3f}"
    about = ("one treatment", "person", 0.2, 4, int(repetitions))
    assert f"| 4 | 0.2 | {coverage.drawn(('unit', about))} | " in text
    looked = ("pocock", (8, 16, 24), 0.8, int(repetitions))
    assert f"| pocock | 8, 16, 24 | 0.8 | {coverage.drawn(('estimate', looked))} |" in text


def test_the_test_recommended_for_means_is_valid_with_unequal_spread():
    """Fifteen groups are compared with five that have four times the spread. At 0.05, about 5 of
    100 tests are wrong.
    """
    text = (ROOT / "docs/statistics.md").read_text("utf-8")
    (row,) = [line for line in text.splitlines() if line.startswith("| means")]
    (name,) = re.findall(r'st\.compare\(points, "(\w+)"\)', row)
    assert covering.rejected(name, (15, 5), 4.0, 200) < 0.1
