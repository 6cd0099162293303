"""Statistical tests are compared with values calculated by hand or printed in textbooks."""

from __future__ import annotations

from math import comb

import numpy as np
import pandas as pd
import pytest

from mixed_company.analysis import statistics as st
from mixed_company.analysis.statistics.tests import PAIRED, TESTS
from mixed_company.engine.contract.errors import ConfigError, UnknownName
from tests.analysis.statistics.frames import per_group

RNG = np.random.default_rng(0)


def compared(test=None, *, options=None, **treatments):
    return st.compare(st.units(per_group(**treatments), "points"), test, **(options or {}))


def phases(*pairs):
    """Return values before and after, one pair per group."""
    before, after = (
        per_group(**{name: values})
        for name, values in zip(("before", "after"), zip(*pairs, strict=True), strict=True)
    )
    return st.units(pd.concat([before, after]), "points")


# -- between treatments ---------------------------------------------------------------------------


@pytest.mark.parametrize("test", ["mann_whitney", "permutation", "jonckheere"])
def test_three_against_three_apart_by_hand(test):
    """Of the 20 ways to choose 3 of 6, one on each side is as extreme: 2 / 20."""
    result = compared(test, a=[1, 2, 3], b=[10, 11, 12])
    assert result.p == pytest.approx(0.1)
    assert "exact" in result.test


def test_mann_whitney_by_hand():
    """a = 1, 3 and b = 2, 4, 5. The only pair in which a is larger is 3 > 2, so U is 1. The ranks
    of a can sum to 3 .. 9 in 10 ways. The sum is 4 here. The sums 3 (1 2) and 4 (1 3) are at least
    as low, so p is twice 2 / 10.
    """
    result = compared(a=[1, 3], b=[2, 4, 5])
    assert result.statistic == 1
    assert result.p == pytest.approx(0.4)


def test_mann_whitney_example_of_hollander_and_wolfe():
    """Permeability of a membrane at term and at 12 to 26 weeks: Hollander and Wolfe (1973),
    Nonparametric Statistical Methods, p. 69: U = 35, one-sided p = 0.1272 exact. Two-sided 0.2544.
    """
    term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
    result = compared(term=term, early=[1.15, 0.88, 0.90, 0.74, 1.21])
    assert result.statistic == 35
    assert result.p == pytest.approx(0.2544, abs=5e-5)


def test_mann_whitney_with_ties_is_exact_over_mean_ranks():
    """a = 1, 1 and b = 1, 2: mean ranks 2, 2, 2, 4. Of the 6 choices for a, 3 have the sum 4 and 3
    the sum 6, so each side contains half or all of them, and p = 1.
    """
    assert compared(a=[1, 1], b=[1, 2]).p == 1
    # a = 1, 1 and b = 2, 2: sums 3, 5 (4 times), 7 of mean ranks 1.5 and 3.5: 2 / 6.
    assert compared(a=[1, 1], b=[2, 2]).p == pytest.approx(1 / 3)


def test_mann_whitney_is_exact_with_ties():
    """Count by hand. There are ten 1s, twenty 2s and ten 3s; the first treatment has i, j and k of
    them.

    Their mean ranks are 5.5, 20.5 and 35.5, so ten 1s and ten 2s have the rank sum 260.
    """
    result = compared(a=[1, 2] * 10, b=[2, 3] * 10)
    assert result.test == "Mann-Whitney U test, exact"
    ways = {
        (i, j, 20 - i - j): comb(10, i) * comb(20, j) * comb(10, 20 - i - j)
        for i in range(11)
        for j in range(21 - i)
    }
    least = sum(n for (i, j, k), n in ways.items() if 5.5 * i + 20.5 * j + 35.5 * k <= 260)
    assert result.p == pytest.approx(2 * least / comb(40, 20))


def test_two_sided_p_with_ties_is_twice_the_smaller_tail():
    """Of the 126 sets of 4 out of 9 values, 10 have a rank sum at least as large. In 13 it is at
    least as far from the mean (docs/statistics.md).
    """
    assert compared("mann_whitney", a=[1, 1, 2, 2, 3], b=[2, 3, 3, 4]).p == pytest.approx(20 / 126)


def test_wilcoxon_is_exact_with_ties():
    """Count by hand.

    There are ten increases of 1 and six decreases of 2. Their ranks are 5.5 and 13.5, so the
    increases have a rank sum of 55 out of 136.
    """
    changes = [1.0] * 10 + [-2.0] * 6
    result = PAIRED["wilcoxon"]([np.zeros(16), np.array(changes)], 999, None)
    assert result.test == "Wilcoxon signed-rank test, exact"
    least = sum(
        comb(10, i) * comb(6, j) for i in range(11) for j in range(7) if 5.5 * i + 13.5 * j <= 55
    )
    assert result.p == pytest.approx(2 * least / 2**16)


def test_more_than_50_groups_of_a_treatment_use_the_normal_distribution():
    result = compared(a=[1, 2] * 26, b=[2, 3] * 26)
    assert result.test == "Mann-Whitney U test, normal"


def test_kruskal_wallis_example_of_hollander_and_wolfe():
    """Half-time of mucociliary clearance: Hollander and Wolfe (1973), p. 116: H = 0.7714, p is
    about 0.68 by chi-squared with 2 degrees of freedom. One group has 4 subjects, so arrangements
    are sampled.
    """
    result = compared(
        normal=[2.9, 3.0, 2.5, 2.6, 3.2],
        obstructive=[3.8, 2.7, 4.0, 2.4],
        asbestosis=[2.8, 3.4, 3.7, 2.2, 2.0],
    )
    assert result.test == "Kruskal-Wallis test, 20000 arrangements drawn"
    assert result.statistic == pytest.approx(0.7714, abs=5e-5)
    assert result.p == pytest.approx(0.68, abs=0.05)
    assert result.effect == pytest.approx(0.7714 / 13, abs=5e-5)


@pytest.mark.parametrize("test", ["kruskal_wallis", "permutation"])
def test_three_times_two_apart_by_hand(test):
    """Of 6! / (2! 2! 2!) = 90 arrangements, the 3! that only rename treatments are as extreme."""
    result = compared(test, a=[1, 2], b=[11, 12], c=[21, 22])
    assert result.p == pytest.approx(6 / 90)


def test_a_trend_by_hand():
    """All 12 pairs from different treatments are in order: J = 12, which occurs once in 90 on
    either side.
    """
    result = compared("jonckheere", a=[1, 2], b=[3, 4], c=[5, 6])
    assert result.statistic == 12
    assert result.p == pytest.approx(2 / 90)
    assert result.effect_name == "probability of superiority (c over b over a)"
    assert result.effect == 1


def test_a_trend_needs_its_order():
    """In the order a, c, b, all 4 pairs of a and c and all 4 pairs of a and b are in order, but no
    pair of c and b.
    """
    result = compared(
        "jonckheere", a=[1, 2], b=[3, 4], c=[5, 6], options={"treatments": ["a", "c", "b"]}
    )
    assert result.statistic == 8


def test_a_trend_says_its_order_and_whether_the_means_are_monotone():
    """The middle treatment is lowest. Of 12 pairs, a is below c in 4, and the middle is below c in
    4 and above a in none. So J = 8 of 12 and Somers' d = (8 - 4) / 12."""
    result = compared("jonckheere", a=[3, 4], b=[1, 2], c=[5, 6])
    assert (result.statistic, result.effect) == (8, pytest.approx(2 / 3))
    assert result.standardised == pytest.approx(1 / 3)
    assert 0 < result.low < 0.5 < result.effect < result.high
    order, monotone = result.notes[-2:]
    assert order == "Order tested, with means: a 3.5, b 1.5, c 5.5"
    assert monotone == (
        "The means are not monotone: they fall from a to b, rise from b to c; "
        "compare pairs of treatments"
    )
    assert f"{order}. {monotone}." in str(result)


@pytest.mark.parametrize("middle", [[1, 2], [3, 4], [5, 6]])
def test_monotone_means_are_not_flagged(middle):
    """Equal means are not a reversal, and 0.1 + 0.2 counts as equal to 0.3."""
    result = compared("jonckheere", a=[1, 2], b=middle, c=[5, 6])
    assert "monotone" not in str(result)
    noisy = compared("jonckheere", a=[0.1 + 0.2, 0.1 + 0.2], b=[0.3, 0.3], c=[0.5, 0.7])
    assert "monotone" not in str(noisy)


def test_a_trend_over_two_treatments_needs_no_order():
    result = compared("jonckheere", a=[3, 4, 8], b=[1, 2, 9])
    assert not any("Order" in note for note in result.notes)


def test_p_from_drawn_arrangements_is_never_0():
    """None of 99 sampled arrangements is as extreme, so p is twice 1 / 100, not 0."""
    options = {"resamples": 99, "seed": 3}
    result = compared("permutation", a=range(30), b=range(100, 130), options=options)
    assert result.p == pytest.approx(0.02)
    assert result.test == "permutation test of means, 99 arrangements drawn"


def test_drawn_and_exact_p_agree():
    """All 462 arrangements and 400 sampled ones agree within four standard errors. Each is sqrt(p
    (1 - p) / 400), doubled because p is two-sided.
    """
    values = {"a": [1.0, 4, 2, 8, 5], "b": [7.0, 9, 3, 12, 11, 10]}
    exact = compared("permutation", **values).p
    drawn = compared("permutation", options={"resamples": 400}, **values).p
    assert drawn != exact
    assert drawn == pytest.approx(exact, abs=4 * 2 * (exact / 2 * (1 - exact / 2) / 400) ** 0.5)


@pytest.mark.parametrize("test", sorted(TESTS))
def test_treatments_that_are_all_alike_have_p_1(test):
    result = compared(test, a=[3, 3, 3], b=[3, 3, 3, 3])
    assert result.p == 1
    assert np.isnan(result.low) or result.low < result.effect < result.high


@pytest.mark.parametrize("test", sorted(TESTS))
def test_many_groups_that_are_all_alike_have_p_1(test):
    assert compared(test, a=[3] * 30, b=[3] * 30).p == 1


def test_the_same_seed_gives_the_same_result():
    values = {"a": RNG.normal(size=12).tolist(), "b": RNG.normal(size=12).tolist()}
    first, second, other = (
        compared("permutation", options={"seed": seed}, **values) for seed in (1, 1, 2)
    )
    assert first == second
    assert first.p != other.p


# -- within groups --------------------------------------------------------------------------------


@pytest.mark.parametrize("test", sorted(PAIRED))
def test_five_increases_by_hand(test):
    """Of 2^5 sign patterns, all positive and all negative are as extreme: 2 / 32."""
    result = st.paired(phases((0, 1), (0, 2), (0, 3), (0, 4), (0, 5)), test)
    assert result.p == pytest.approx(0.0625)
    assert result.effect == 3  # mean, and median of mean changes
    assert result.n == {"before": 5, "after": 5}
    assert result.notes == ("With so few groups, p cannot be below 0.0625",)


def test_wilcoxon_example_of_hollander_and_wolfe():
    """Depression scores at two visits: Hollander and Wolfe (1973), p. 29: V = 40, one-sided
    p = 0.01953 exact, which is 10 / 512; two-sided 20 / 512."""
    first = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    second = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    result = st.paired(phases(*zip(second, first, strict=True)))
    assert result.statistic == 40
    assert result.p == pytest.approx(20 / 512)


def test_wilcoxon_with_ties_and_a_zero_change_by_hand():
    """Changes 1, 1, 2 and 0: mean ranks 1.5, 1.5, 3, all positive: V = 6, 2 / 2^3."""
    result = st.paired(phases((0, 1), (1, 2), (0, 2), (5, 5)))
    assert result.statistic == 6
    assert result.p == pytest.approx(0.25)
    assert result.left_out == ("1 of 4 that did not change",)
    assert result.effect == 1  # the median of 0, 0.5, 0.5, 1, 1, 1, 1, 1.5, 1.5, 2


def test_no_change_has_p_1():
    result = st.paired(phases((1, 1), (2, 2)))
    assert (result.p, result.effect) == (1, 0)
    assert result.left_out == ("2 of 2 that did not change",)


def test_groups_without_a_pair_are_left_out_by_name():
    frame = pd.DataFrame(
        {
            "session": "s",
            "group": [0, 0, 1, 1, 2, 3],
            "phase": ["before", "after", "before", "after", "before", "after"],
            "points": [1.0, 2, 1, 3, 1, 1],
        }
    )
    result = st.paired(st.units(frame, "points", by="phase"), effect="median_difference")
    assert result.left_out == (
        "2 groups in only one of before and after (group 2 of s, group 3 of s)",
    )
    assert result.n == {"before": 2, "after": 2}
    assert result.effect == 1.5
    assert result.effect_name == "median change (after - before)"


# -- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"open": [1], "governed": [1, 2]},
            "points: treatment 'open' has 1 group with a value; a test needs at least 2 groups per "
            "treatment, because one number does not show how much groups vary",
        ),
        (
            {"open": [np.nan, np.nan], "governed": [1, 2]},
            "points: treatment 'open' has 0 groups with a value; a test needs at least 2 groups "
            "per treatment, because one number does not show how much groups vary",
        ),
        ({"open": [1, 2]}, "points: there is only 'open'; a comparison needs two treatments"),
        ({}, "points: there are no treatments; a comparison needs two treatments"),
    ],
)
@pytest.mark.parametrize("test", [None, "permutation"])
def test_missing_data_for_a_test_are_named(values, message, test):
    with pytest.raises(st.NoTest) as error:
        compared(test, **values)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "man_whitney"}, "test = 'man_whitney': unknown; did you mean 'mann_whitney'?"),
        ({"treatments": ["a", "bb"]}, "treatment = 'bb': unknown; did you mean 'b'?"),
        (
            {"effect": "cliff_delta"},
            "effect = 'cliff_delta': unknown; did you mean 'cliffs_delta'?",
        ),
    ],
)
def test_unknown_names_are_refused_with_the_nearest(options, message):
    with pytest.raises(UnknownName) as error:
        st.compare(st.units(per_group(a=[1, 2], b=[1, 2]), "points"), **options)
    assert str(error.value) == message


def test_a_test_that_does_not_fit_three_treatments_is_refused():
    data = st.units(per_group(a=[1, 2], b=[1, 2], c=[1, 2]), "points")
    message = "'mann_whitney': compares 2 treatments, not 3; use 'krus"
    with pytest.raises(ConfigError, match=message):
        st.compare(data, "mann_whitney")
    with pytest.raises(ConfigError, match="effect = 'difference': compares 2 treatments, not 3"):
        st.compare(data, effect="difference")
    with pytest.raises(ConfigError, match="paired: compares 2 treatments, not 3: a, b, c"):
        st.paired(data)


def test_a_group_in_two_treatments_is_compared_within():
    frame = per_group(a=[1, 2, 3], b=[1, 2, 3]).assign(group=[0, 1, 2, 2, 3, 4])
    with pytest.raises(ConfigError, match="group 2 of s is in two treatments; use `paired`"):
        st.compare(st.units(frame, "points"))
    with pytest.raises(ConfigError, match="session s is in two treatments"):
        st.compare(st.units(frame, "points", unit="session"))
    with pytest.raises(st.NoTest, match="1 group with a value both in 'a' and in 'b'; a paired"):
        st.paired(st.units(frame, "points"))


@pytest.mark.filterwarnings("ignore::mixed_company.analysis.statistics.PooledWarning")
def test_decisions_have_no_pairs():
    frame = pd.concat([per_group(a=[1, 2], b=[1, 2])] * 2)
    with pytest.raises(ConfigError, match="decisions cannot be paired; use unit='group'"):
        st.paired(st.units(frame, "points", unit="decision"))


def test_an_impossible_level_or_number_of_arrangements_is_refused():
    frame = per_group(a=[1, 2], b=[1, 3])
    data = st.units(frame, "points")
    for call in (
        lambda level: st.compare(data, level=level),
        lambda level: st.means(data, level=level),
        lambda level: st.regression(frame, "points ~ treatment", level=level),
        lambda level: st.mixed(frame, "points ~ treatment", level=level),
    ):
        with pytest.raises(ConfigError, match="level = 95: should be between 0 and 1, for"):
            call(95)
    with pytest.raises(ConfigError, match="resamples = 0: should be 1 or more"):
        st.compare(data, resamples=0)


# -- messages -------------------------------------------------------------------------------------


def test_a_result_is_a_sentence():
    """U counts the pairs in which a group of `open` has more: 1 of 16 (5 against 4.5). On either
    side, 2 of the 70 arrangements have 1 or fewer: 4 / 70. The limits of the interval are 4.5 - 5
    and 10.5 - 2.
    """
    result = compared(open=[2, 3, 4, 5, np.nan], governed=[4.5, 8, 9, 10.5])
    assert str(result).startswith(
        "Mann-Whitney U test, exact, points (open: 4 groups, governed: 4 groups): U = 1, "
        "p = 0.057; Hodges-Lehmann shift (governed - open) = 5, 95% interval -0.5 to 8.5. "
    )
    assert str(result).endswith(". Left out: 1 of 9 rows have no points, all of group 4 of s.")


def test_a_small_p_is_not_printed_as_0():
    assert "p < 0.001" in str(compared(a=range(20), b=range(100, 120)))


def test_tests_that_nothing_could_make_significant_after_correction_say_so():
    """With four groups against four, p is at least 2 / 70 = 0.0286; with three tests it is
    0.0857."""
    result = compared(a=[1, 2, 3, 4], b=[11, 12, 13, 14])
    assert result.notes == ()
    assert result.least_p == pytest.approx(2 / 70)
    results = st.corrected([result, result, result])
    assert [result.least_p_corrected for result in results] == pytest.approx([6 / 70] * 3)
    note = (
        "Corrected for 3 tests, p cannot be below 0.0857: there are too many tests for so few grou"
    )
    assert all(result.notes[0].startswith(note) for result in results)
    assert st.corrected([result])[0].notes == ()


@pytest.mark.parametrize(("tests", "level"), [(1, 0.9), (2, 0.8), (3, 0.7)])
def test_a_smallest_p_that_equals_the_level_can_be_significant(tests, level):
    """With three groups against three, p is at least 0.1; 1 - 0.8 is slightly less than 0.2."""
    result = compared(a=[1, 2, 3], b=[11, 12, 13], options={"level": level})
    assert result.least_p == pytest.approx(0.1)
    corrected = st.corrected([result] * tests)
    assert [result.least_p_corrected for result in corrected] == pytest.approx([1 - level] * tests)
    assert [result.notes for result in corrected] == [()] * tests


def test_the_smallest_p_of_a_trend_is_for_a_perfect_order():
    """Of the 90 arrangements of three times two values, 6 differ only in the names of
    treatments."""
    three = {"a": [1, 2], "b": [11, 12], "c": [21, 22]}
    for test in ("kruskal_wallis", "permutation", "jonckheere"):
        assert compared(test, **three).least_p == pytest.approx(compared(test, **three).p)


# -- several tests --------------------------------------------------------------------------------


def with_p(*values):
    result = compared(a=[1, 2], b=[1, 2])
    return [st.Result(**{**vars(result), "p": value}) for value in values]


def test_holm_by_hand():
    """Sorted: 0.01, 0.03, 0.04. 3 * 0.01 = 0.03, 2 * 0.03 = 0.06, and 0.04 must not fall below
    that.
    """
    results = st.corrected(with_p(0.01, 0.04, 0.03))
    assert [result.p_corrected for result in results] == pytest.approx([0.03, 0.06, 0.06])
    assert [result.p for result in results] == [0.01, 0.04, 0.03]
    assert "p = 0.010 (Holm, 3 tests: p = 0.030)" in str(results[0])


def test_benjamini_and_hochberg_by_hand():
    """0.01 * 3 / 1 = 0.03, 0.03 * 3 / 2 = 0.045 but not above 0.04 * 3 / 3 = 0.04."""
    results = st.corrected(with_p(0.01, 0.04, 0.03), "fdr_bh")
    assert [result.p_corrected for result in results] == pytest.approx([0.03, 0.04, 0.04])


def test_bonferroni_of_one_test_is_itself_and_of_none_nothing():
    assert st.corrected(with_p(0.2), "bonferroni")[0].p_corrected == pytest.approx(0.2)
    assert st.corrected([]) == []


def test_an_unknown_correction_is_refused():
    with pytest.raises(UnknownName, match="method = 'hollm': unknown; did you mean 'holm'"):
        st.corrected([], "hollm")


def test_every_pair_of_treatments():
    data = st.units(per_group(a=[1, 2, 3], b=[10, 11, 12], c=[10.5, 11.5, 12.5]), "points")
    results = st.corrected(st.pairwise(data))
    assert [list(result.n) for result in results] == [["a", "b"], ["a", "c"], ["b", "c"]]
    # 3 * 0.1 for the two pairs that are apart; b and c: U = 3, and 7 of 20 rank sums are as low.
    assert [result.p_corrected for result in results] == pytest.approx([0.3, 0.3, 0.7])


@pytest.mark.parametrize("test", ["kruskal_wallis", "jonckheere"])
def test_drawn_tests_of_measures_with_the_same_ranks_have_the_same_p(test):
    frame = per_group(a=[1.0, 4.0, 6.0, 9.0], b=[2.0, 5.0, 7.0, 8.0], c=[3.0, 10.0, 11.0, 12.0])
    frame["cubed"] = frame["points"] ** 3
    measured = [st.units(frame, name) for name in ("points", "cubed")]
    first, second = (st.compare(data, test, resamples=300).p for data in measured)
    assert first == second
