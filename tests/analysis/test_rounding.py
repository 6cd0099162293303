"""Values that differ only by rounding error share a rank."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from mixed_company.analysis import statistics as st
from mixed_company.analysis.measures.conditional import conditional_rho, cooperator_type
from mixed_company.analysis.rounding import alike, levels, ranks
from mixed_company.analysis.statistics import effects
from tests.analysis.measures.played import played, values
from tests.analysis.statistics.frames import per_group

NOISY = 0.1 + 0.2  # 0.30000000000000004


def test_numbers_that_differ_by_rounding_are_equal():
    assert levels(np.array([NOISY, 5.0, 0.3, -1.0])).tolist() == [1, 2, 1, 0]
    assert ranks(np.array([[NOISY, 5.0, 0.3], [1.0, 3.0, 2.0]])).tolist() == [
        [1.5, 3, 1.5],
        [1, 3, 2],
    ]
    assert alike(np.array([NOISY, 0.3]))
    assert not alike(np.array([0.3, 0.3001]))
    assert not alike(np.array([]))


def test_small_differences_are_rounding_only_next_to_large_numbers():
    assert levels(np.array([1e12, 1e12 + 1e-3, 2e12])).tolist() == [0, 0, 1]
    assert levels(np.array([1e-6, 2e-6])).tolist() == [0, 1]


@pytest.mark.parametrize("test", ["mann_whitney", "kruskal_wallis", "jonckheere"])
def test_rank_tests_ignore_rounding(test):
    noisy = {"a": [0.1, NOISY, 0.3, 0.2], "b": [0.3, NOISY, 0.6, 0.7]}
    clean = {"a": [0.1, 0.3, 0.3, 0.2], "b": [0.3, 0.3, 0.6, 0.7]}
    noisy_ranks, other = (
        st.compare(st.units(per_group(**values), "points"), test) for values in (noisy, clean)
    )
    assert (noisy_ranks.p, noisy_ranks.statistic, noisy_ranks.effect) == (
        other.p,
        other.statistic,
        other.effect,
    )


def test_a_tie_counts_half_even_if_rounding_breaks_it():
    """b = 0.3 and a = 0.30000000000000004 are equal."""
    assert float(effects.superiority(np.array([NOISY]), np.array([0.3]))) == 0.5
    assert float(effects.epsilon_squared(np.array([NOISY]), np.array([0.3]))) == 0


def test_changes_of_the_same_size_have_one_rank():
    """The changes are 0.1, 0.1 up to rounding, 0.2 and 0: mean ranks 1.5, 1.5, 3; V = 6, p = 2 /
    2^3.
    """
    frame = per_group(before=[0.2, 0.7, 0.1, NOISY], after=[0.3, 0.8, 0.3, 0.3])
    frame["group"] = [0, 1, 2, 3] * 2
    result = st.paired(st.units(frame, "points"))
    assert result.statistic == 6
    assert result.p == pytest.approx(0.25)
    assert result.left_out == ("1 of 4 that did not change",)


def mine_and_others(harvests, others, **options):
    """Play one person among three others with these harvests, none above 10."""
    periods = [
        {"harvest": [mine, *rest], "contribution": [0] * 4}
        for mine, rest in zip(harvests, others, strict=True)
    ]
    return played("commons_game", periods, seats=4, people=1, capacity=1e6, periods=50, **options)


def test_others_with_the_same_sum_in_another_order_have_the_same_rank():
    """Harvests add up to 9, 6 and 12 in several orders; ranks follow the sums."""
    others = [
        [2, 6, 1],
        [6, 2, 1],
        [1, 6, 2],
        [2, 3, 1],
        [3, 2, 1],
        [7, 4, 1],
        [4, 7, 1],
        [4, 1, 7],
    ]
    harvests = [0, 3, 1, 4, 2, 2, 5, 6]
    data = mine_and_others(harvests, others)
    met = [-sum(rest) for rest in others[:-1]]
    done = [-mine for mine in harvests[1:]]
    right = spearmanr(met, done).statistic
    assert values(conditional_rho, data)[0] == pytest.approx(right, abs=1e-12)


def test_a_free_rider_is_recognised_however_its_tenth_is_rounded():
    """The person leaves 0.12, 0.08, 0.11, 0.09, 0.13 and 0.07: 0.10000000000000002 on average."""
    others = [[1, 2, 6], [3, 2, 1], [7, 4, 1], [1, 2, 3], [1, 4, 7], [6, 2, 1], [1, 2, 3]]
    data = mine_and_others([9.0, 8.8, 9.2, 8.9, 9.1, 8.7, 9.3], others)
    assert values(cooperator_type, data)[0] == "free rider"
