"""Many measures in one table."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company.analysis import statistics as st
from mixed_company.engine.contract.errors import UnknownName
from tests.analysis.statistics.frames import per_group

FRAME = per_group(a=[1, 2, 3], b=[10, 11, 12]).assign(
    gini=[0.2, 0.4, 0.3, 0.3, 0.2, 0.4], survival=[5, np.nan, np.nan, 7, 8, 9]
)


def test_means_by_treatment_with_intervals():
    means = st.means(st.units(FRAME, "points")).set_index("treatment")
    assert means["mean"].to_dict() == {"a": 2, "b": 11}
    assert means["n"].to_dict() == {"a": 3, "b": 3}
    assert (means["low"] < means["mean"]).all()
    assert (means["mean"] < means["high"]).all()


def test_one_group_has_a_mean_and_no_interval():
    means = st.means(st.units(FRAME, "survival")).set_index("treatment")
    assert means.loc["a", "mean"] == 5
    assert means.loc["a", ["low", "high"]].isna().all()


def test_each_measure_has_one_row_and_p_is_corrected_over_the_tested_ones():
    """For points, p = 2 / 20, and twice that after Holm's correction. The Ginis of both treatments
    are the same three numbers.
    """
    table = st.compare_all(FRAME, ["points", "gini", "survival"]).set_index("measure")
    assert table.loc["points", "p"] == pytest.approx(0.1)
    assert table.loc["points", "p_corrected"] == pytest.approx(0.2)
    assert table.loc["points", "correction"] == "Holm, 2 tests"
    assert table.loc["gini", "p"] == 1
    assert table.loc["points", ["mean a", "mean b", "effect"]].tolist() == [2, 11, 9]
    assert table.loc["points", "low a"] < 2 < table.loc["points", "high a"]
    assert table.loc["points", "least_p_corrected"] == pytest.approx(0.2)


def test_a_measure_that_cannot_be_tested_keeps_its_row_and_says_why():
    row = st.compare_all(FRAME, ["points", "survival"]).iloc[1]
    assert row["notes"].startswith("survival: treatment 'a' has 1 group with a value; a test needs")
    assert row["left_out"] == "2 of 6 rows have no survival, all of group 1 of s, group 2 of s"
    assert np.isnan(row["p"])
    assert row["n b"] == 3


def test_a_row_matches_compare_and_means():
    row = st.compare_all(FRAME, ["points"], "permutation", seed=4).iloc[0]
    data = st.units(FRAME, "points")
    result, described = st.compare(data, "permutation", seed=4), st.means(data)
    assert [row[key] for key in ("test", "p", "effect")] == [result.test, result.p, result.effect]
    assert [row["low b"], row["high b"]] == described.loc[1, ["low", "high"]].tolist()


def test_treatments_can_be_named_and_keep_that_order():
    three = per_group(a=[1, 2], b=[1, 2], c=[5, 6])
    row = st.compare_all(three, ["points"], treatments=["c", "a"]).iloc[0]
    assert row["effect_name"] == "Hodges-Lehmann shift (a - c)"
    assert row["effect"] == -4
    assert "mean b" not in row


def test_a_missing_measure_is_named():
    with pytest.raises(UnknownName, match="column 'point': not in the frame; did"):
        st.compare_all(FRAME, ["point"])


def test_pairs_of_treatments_of_all_measures_are_corrected_together():
    """There are six pairs of four groups against four. Three pairs do not overlap: 6 * 2 / 70. A
    constant measure is not compared.
    """
    frame = per_group(a=[1, 2, 3, 4], b=[11, 12, 13, 14], c=[21, 22, 23, 24])
    frame = frame.assign(gini=[0.1, 0.2, 0.3, 0.4] * 3, same=1.0)
    table = st.pairwise_all(frame, ["points", "gini", "same"])
    assert table[["measure", "first", "second"]].to_numpy().tolist() == [
        [measure, *two] for measure in ("points", "gini") for two in ("ab", "ac", "bc")
    ]
    assert table["p_corrected"].tolist() == pytest.approx([12 / 70] * 3 + [1] * 3)
    assert (table["low"] <= table["effect"]).all()
    assert table["correction"].unique().tolist() == ["Holm, 6 tests"]
    assert st.pairwise_all(frame, []).empty


def test_treatments_are_compared_only_within_their_block():
    """Two blocks with two groups per treatment: p is 1/3 in each, and Holm doubles it."""
    frame = per_group(a=[1, 2], b=[10, 11], c=[1, 2], d=[20, 21])
    blocks = {"first": ["a", "b"], "second": ["c", "d"]}
    table = st.compare_all(frame, ["points"], blocks=blocks)
    assert table["block"].tolist() == ["first", "second"]
    assert table["effect"].tolist() == [9, 19]
    assert table["p"].tolist() == pytest.approx([1 / 3, 1 / 3])
    assert table["p_corrected"].tolist() == pytest.approx([2 / 3, 2 / 3])
    assert table["n c"].isna().tolist() == [True, False]
    pairs = st.pairwise_all(frame, ["points"], blocks=blocks)
    assert pairs[["first", "second"]].to_numpy().tolist() == [["a", "b"], ["c", "d"]]
