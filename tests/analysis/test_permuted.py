"""Values that a blind report may show: no permuted label has exactly one treatment's values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from mixed_company.analysis import measures
from mixed_company.analysis.blinding import blinded, draw_labels
from mixed_company.analysis.blinding_blocks import blinded_blocks
from mixed_company.analysis.data import Data
from mixed_company.analysis.permuted import REASON, Permuted
from mixed_company.analysis.planned import tested as hypotheses
from mixed_company.analysis.planned.averaged import averaged
from mixed_company.analysis.planned.tested import of_plan
from mixed_company.analysis.statistics.result import NoTest
from mixed_company.experiment.plan import Plan
from tests.analysis.planned.made import played
from tests.analysis.test_blind_blocks import ALONE, ONE, simulate_units
from tests.experiment.planned import SMALL, plan

NAMES = ("open", "pool")
HYPOTHESIS = """
[hypotheses.efficiency]
meaning = "more efficient with a pool"
measure = "efficiency"
test = "mann_whitney"
"""
MEASURED = ["efficiency"]


def without_value(data: Data, groups: list[tuple[str, int]]) -> Data:
    """Return the data with a seat out of the play in these groups, so they have no efficiency."""
    rows = pd.MultiIndex.from_frame(data.decisions[["session", "group"]]).isin(groups)
    rows &= (data.decisions["seat"] == 0).to_numpy()
    decided_by = data.decisions["decided_by"].mask(rows, "absent")
    return replace(data, decisions=data.decisions.assign(decided_by=decided_by))


@pytest.fixture(scope="module")
def study() -> Plan:
    return plan(SMALL + HYPOTHESIS)


@pytest.fixture(scope="module")
def data(study: Plan) -> Data:
    """Return four groups of each treatment. Two of each have no efficiency."""
    every = of_plan(played(study, 4), "small", study)
    return without_value(every, [(name, group) for name in NAMES for group in (1, 2)])


def numbers(table: pd.DataFrame) -> list[Any]:
    return [abs(table["effect"].item()), table["p"].item()]


@pytest.mark.parametrize("seed", [52, 36])
def test_labels_are_not_true_among_the_groups_with_a_value(study, data, seed) -> None:
    """If only all eight groups count, these seeds give the true test, or its mirror image."""
    blind = blinded(data, NAMES, seed, measured=MEASURED)
    true, drawn = hypotheses.tested([data], study, None), hypotheses.tested([blind], study, None)
    assert drawn["groups"].item() != ""
    assert numbers(drawn) != pytest.approx(numbers(true))
    means = [set(averaged([of], study)["mean"].round(9)) for of in (data, blind)]
    assert not means[0] & means[1]
    unguided = hypotheses.tested([blinded(data, NAMES, seed)], study, None)
    assert unguided["notes"].item() == f"not tested: {REASON}"


@pytest.mark.parametrize("seed", [52, 36])
def test_labels_are_not_true_among_the_groups_in_which_people_decided(study, data, seed) -> None:
    """In the groups without an efficiency, nobody decided."""
    rest = data.config.loc[data.config["group"] > 2, ["session", "group"]]
    groups = list(rest.itertuples(index=False, name=None))
    before = blinded(data, NAMES, seed).permuted
    alone = pd.MultiIndex.from_frame(data.decisions[["session", "group"]]).isin(groups)
    decided_by = data.decisions["decided_by"].where(alone, "absent")
    quiet = replace(data, decisions=data.decisions.assign(decided_by=decided_by))
    after = blinded(quiet, NAMES, seed).permuted
    assert before is not None
    assert after is not None
    assert not before.shows(before.flags(groups))
    assert after.shows(after.flags(groups))


@pytest.mark.parametrize("seed", [36, 44])
def test_labels_are_not_true_among_the_remaining_groups_before_any_group_has_ended(
    data, seed
) -> None:
    """Two groups of each treatment are excluded. If only all groups count, these seeds give true
    labels to the others."""
    periods = data.periods.assign(ended="")
    playing = replace(data, periods=periods, events=data.events.iloc[:0])
    excluded = [(name, group) for name in NAMES for group in (1, 2)]
    blind = blinded(playing, NAMES, seed, without=excluded).permuted
    assert blind is not None
    assert blind.shows(~blind.flags(excluded))


@pytest.mark.parametrize("seed", [2, 21])
def test_labels_are_not_true_among_the_groups_that_have_ended(study, seed) -> None:
    """Two groups of each treatment are still playing."""
    data = of_plan(played(study, 4), "small", study)
    ended = data.periods["ended"].mask(data.periods["group"] < 3, "")
    early = replace(data, periods=data.periods.assign(ended=ended), events=data.events.iloc[:0])
    blind = blinded(early, NAMES, seed).permuted
    assert blind is not None
    assert blind.shows(~blind.flags([(name, group) for name in NAMES for group in (1, 2)]))


def test_a_measure_that_would_reveal_labels_under_any_permutation_is_left_out(study, data) -> None:
    """One group of each treatment has an efficiency."""
    few = without_value(data, [("open", 3), ("pool", 4)])
    for seed in range(4):
        blind = blinded(few, NAMES, seed, measured=MEASURED)
        table = hypotheses.tested([blind], study, None)
        assert table["p"].isna().all()
        groups = measures.groups(blind, ["efficiency", "harvest"])
        assert groups.notna().sum()[["efficiency", "harvest"]].tolist() in ([0, 8], [2, 8])


@pytest.mark.parametrize("seed", [7, 21])
def test_block_labels_are_not_true_among_the_units_with_a_value(seed) -> None:
    text = ONE.replace('"harvest"', '"efficiency"').replace("permutation", "wilcoxon")
    study = plan(text)
    every = of_plan(simulate_units(6), "small", study)
    config = every.config[every.config["matching_group"] > 2]
    data = without_value(every, list(zip(config["session"], config["group"], strict=True)))
    true = hypotheses.tested([data], study, None)
    blind = hypotheses.tested(blinded_blocks([data], ALONE, seed, measured=MEASURED), study, None)
    assert true["groups"].item() == "before 2, pooled 2"
    assert blind["groups"].item() == "before 2, pooled 2"  # not with the first permutation
    assert numbers(blind) != pytest.approx(numbers(true))


# -- the rule --------------------------------------------------------------------------------------


def permuted(true: str, drawn: str, **about: Any) -> Permuted:
    """Return groups 0, 1, ... of one session, with labels of one letter each."""
    keys = tuple(("s", number) for number in range(len(true)))
    return Permuted(
        keys, {"treatment": np.array([*true])}, {"treatment": np.array([*drawn])}, **about
    )


@pytest.mark.parametrize(
    ("drawn", "shows"),
    [
        ("aabb", False),  # the true labels
        ("bbaa", False),  # exchanged
        ("abab", True),
        ("aacc", False),  # one label has the groups of a
        ("cccc", True),
    ],
)
def test_no_label_may_have_all_groups_of_a_treatment(drawn, shows) -> None:
    assert permuted("aabb", drawn).shows(np.ones(4, dtype=bool)) is shows
    with_more = permuted("aabbabab", f"{drawn}abba")
    assert with_more.shows(np.array([True] * 4 + [False] * 4)) is shows
    assert with_more.shows(np.ones(8, dtype=bool))


def test_groups_that_a_test_uses_are_checked() -> None:
    labels = permuted("aabbcc", "abcabc")
    frame = pd.DataFrame(
        {"session": "s", "group": range(6), "points": [3.0, 5.0, 4.0, 1.0, 2.0, 6.0]}
    )
    labels.check(frame[:4])
    with pytest.raises(NoTest, match="exactly the values of one treatment"):
        labels.check(frame.iloc[[0, 4]])


@pytest.mark.parametrize(
    ("values", "shows"),
    [
        ([1.0, 0.0, 0.0, 2.0], False),  # groups 1 and 2 exchange the same value
        ([1.0, 0.1 + 0.2, 0.3, 2.0], False),  # equal except for rounding
        ([-0.0, 0.0, 0.0, 2.0], False),
        ([1.0, 0.0, 0.5, 2.0], True),
        ([1.0, 0.0, 0.5, 0.0], True),
        ([1.0, 0.0, 0.5, 1.0], False),  # the second label has 0 and 1, as the first treatment
        ([1.0, 2.0, 2.0, 1.0], False),  # both treatments have 1 and 2, and so does each label
        ([0.0, 0.0, 0.0, 0.0], True),  # the same under any labels
    ],
)
def test_groups_with_equal_values_do_not_hide_a_label(values, shows) -> None:
    labels = permuted("aabb", "abab")
    frame = pd.DataFrame({"session": "s", "group": range(4), "points": values})
    assert labels.veiled(frame)["points"].notna().all() == shows
    words = frame.assign(points=[f"type {value + 0.0:.3f}" for value in values])
    assert labels.veiled(words)["points"].notna().all() == shows


def test_values_of_seats_are_compared_by_group() -> None:
    labels = permuted("aabb", "abab")
    frame = pd.DataFrame({"session": "s", "group": [0, 0, 1, 1, 2, 2, 3, 3], "person": True})
    same = frame.assign(points=[1.0, 2.0, 5.0, 3.0, 3.0, 5.0, 4.0, 4.0])
    assert labels.veiled(same)["points"].isna().all()
    other = frame.assign(points=[1.0, 2.0, 5.0, 3.0, 3.0, 5.5, 4.0, 4.2])
    assert labels.veiled(other)["points"].notna().all()
    assert other.groupby("group")["points"].mean().nunique() == 4


@pytest.mark.parametrize("seed", range(6))
def test_the_groups_with_a_value_come_first_and_then_equal_shares(seed) -> None:
    def drawn(true: str, *groups: int) -> str:
        every, with_value = np.ones(len(true), dtype=bool), np.zeros(len(true), dtype=bool)
        with_value[list(groups)] = True
        return "".join(
            draw_labels(permuted(true, true), [0] * len(true), seed, [every], [with_value])
        )

    labels = drawn("aaaabb", 0, 2)  # two labels a would be as even
    assert "b" in (labels[0], labels[2])
    labels = drawn("aaaabbbb", 0, 1, 4, 5)
    assert sorted(labels[:2]) == sorted(labels[4:6])


def test_a_test_of_blocks_ignores_the_labels_of_treatments() -> None:
    """All groups that the test uses have and keep the label of one treatment."""
    kinds = {"treatment": ("aaaab", "aaaab"), "block": ("xxyyx", "xyxyx")}
    true, drawn = ({kind: np.array([*pair[n]]) for kind, pair in kinds.items()} for n in (0, 1))
    labels = replace(permuted("aaaab", "aaaab"), true=true, drawn=drawn)
    frame = pd.DataFrame({"session": "s", "group": range(4), "points": [1.0, 2.0, 3.0, 4.0]})
    labels.check(frame, but="treatment")
    with pytest.raises(NoTest):
        labels.check(frame)


def test_values_of_people_are_checked_without_bots() -> None:
    """Every group has a bot with a value, but only groups 0 and 3 have people with one."""
    labels = permuted("aabb", "abab")
    frame = pd.DataFrame({"session": "s", "group": [*range(4)] * 2, "seat": [0] * 4 + [1] * 4})
    frame = frame.assign(person=[False] * 4 + [True] * 4, points=1.0)
    assert labels.veiled(frame)["points"].notna().all()
    frame.loc[[5, 6], "points"] = np.nan
    assert labels.veiled(frame)["points"].isna().all()


def test_values_in_a_period_and_in_groups_that_are_not_excluded_are_checked() -> None:
    labels = permuted("aabb", "abab", without=[("s", 1), ("s", 2)])
    frame = pd.DataFrame({"session": "s", "group": range(4), "treatment": [*"abab"]})
    values = frame.assign(few=[1.0, 2.0, 3.0, None], type=["x", "y", "", ""])
    assert labels.veiled(values)[["few", "type"]].isna().all(axis=None)
    free = replace(labels, without=())
    assert free.veiled(values)["few"].tolist()[:3] == [1.0, 2.0, 3.0]
    assert free.veiled(frame.assign(type=["x", "", "", "y"]))["type"].isna().all()
    first, later = frame.assign(period=0, points=1.0), frame.iloc[[0, 3]].assign(period=1)
    veiled = free.veiled(pd.concat([first, later.assign(points=2.0)], ignore_index=True))
    assert veiled["points"].notna().tolist() == [True] * 4 + [False] * 2


def test_variables_of_a_space_must_not_correlate_among_the_groups_with_a_value() -> None:
    design = {name: np.array([float(place)]) for place, name in enumerate("abcd")}
    labels = permuted("abcd", "badc", design=design)  # r = 0.6
    assert not labels.shows(np.ones(4, dtype=bool))
    labels = permuted("abcd", "bdac", design=design)  # r = 0
    assert labels.shows(np.ones(4, dtype=bool))
    assert not labels.shows(np.array([True, True, False, False]))
