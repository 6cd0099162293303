"""Tests that treatments stay balanced as people arrive and leave."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mixed_company.experiment.assignment import (
    block_of,
    drawn_block,
    first_free,
    holds,
    paid_block,
    treatment_of,
)

SEEDS = st.integers(0, 2**53)
SIZES = st.dictionaries(st.sampled_from("abcd"), st.integers(1, 5), min_size=2)
HOW = st.sampled_from(["balanced", "by_group", "arrival"])


@given(SEEDS, SIZES, HOW, st.integers(0, 50))
def test_each_block_has_one_group_of_every_treatment(seed, sizes, how, block):
    slots = block_of(block, sizes, how, seed)
    assert Counter(slots) == sizes
    first = block * sum(sizes.values())
    assert slots == [treatment_of(first + index, sizes, how, seed) for index in range(len(slots))]


def test_arrivals_fill_one_group_after_another():
    slots = [treatment_of(slot, {"a": 2, "b": 3}, "arrival", 1) for slot in range(7)]
    assert "".join(slots) == "aabbbaa"


def test_by_group_draws_the_order_of_whole_groups():
    sizes = {"a": 2, "b": 3, "c": 1}
    orders = {"".join(block_of(block, sizes, "by_group", 7)) for block in range(60)}
    assert orders == {"aabbbc", "aacbbb", "bbbaac", "bbbcaa", "caabbb", "cbbbaa"}


def test_by_hand_groups_have_the_treatments_in_turn():
    sizes, order = {"a": 2, "b": 3}, ["b", "a", "b"]
    slots = [treatment_of(slot, sizes, "balanced", 1, order) for slot in range(11)]
    assert "".join(slots) == "bbbaabbbbbb"
    assert block_of(1, sizes, "balanced", 1, order) == list("bbbaabbb")


def test_balanced_blocks_have_different_orders_that_follow_from_the_seed():
    orders = {tuple(block_of(block, {"a": 2, "b": 2}, "balanced", 7)) for block in range(60)}
    assert len(orders) == 6  # 4! / (2! 2!) orders: all of them occur
    again = [block_of(3, {"a": 2, "b": 2}, "balanced", 7) for _ in range(2)]
    assert again[0] == again[1]


def test_every_treatment_is_as_likely_at_every_slot_of_a_block():
    # of 2000 blocks 1000 are expected, with a standard deviation of 22; five deviations never occur
    # by chance
    counts = Counter(block_of(block, {"a": 1, "b": 1}, "balanced", 3)[0] for block in range(2000))
    assert abs(counts["a"] - 1000) < 112


def test_the_first_free_slot_is_assigned():
    assert first_free([]) == 0
    assert first_free([0, 1, 3]) == 2
    assert first_free([1, 1, 2]) == 0


@given(SEEDS, SIZES, HOW, st.lists(st.one_of(st.none(), st.integers(0, 30)), max_size=80))
def test_dropouts_do_not_disturb_the_balance(seed, sizes, how, story):
    """Read the sequence of events: None is an arrival, and a number is a person who gives up the
    slot."""
    held: list[int] = []
    for step in story:
        if step is None:
            held.append(first_free(held))
        elif held:
            held.pop(step % len(held))
    lost = max(held, default=-1) + 1 - len(held)  # returned slots
    for _ in range(lost):
        held.append(first_free(held))  # as many arrivals as departures
    assert sorted(held) == list(range(len(held)))
    counts = Counter(treatment_of(slot, sizes, how, seed) for slot in held)
    groups = {name: counts[name] / size for name, size in sizes.items()}
    assert max(groups.values()) - min(groups.values()) <= 1


@pytest.mark.parametrize(
    ("status", "seated", "waited_s", "still"),
    [
        ("arriving", False, 899, True),
        ("arriving", False, 901, False),  # has not reached the lobby
        ("waiting", False, 5000, True),
        ("seated", True, 5000, True),
        ("left", True, 5000, True),  # the group had that treatment
        ("left", False, 10, False),
        ("quiz_failed", False, 10, False),
        ("released", False, 10, False),
        ("excluded", False, 10, False),
        ("no_consent", False, 10, False),
    ],
)
def test_a_slot_has_the_right_holder(status, seated, waited_s, still):
    assert holds(status, seated, waited_s, 900) is still


def test_the_paid_block_of_each_slot_is_the_one_that_earlier_releases_drew():
    """Exports store only the seed and the slot, so a different draw would change past payments."""
    assert [drawn_block(7, slot, 3) for slot in range(12)] == [0, 0, 0, 2, 0, 2, 0, 1, 1, 0, 2, 0]


@pytest.mark.parametrize(
    ("drawn", "stays", "paid"),
    [
        (1, [("finished", True), ("finished", True)], 1),
        (1, [("finished", True), ("released", False)], 0),
        (2, [("finished", True), ("ended", True)], 1),
        (1, [("left", True)], None),
        (0, [("released", False)], None),
    ],
)
def test_a_person_is_paid_for_the_drawn_block_or_the_last_one_before_it(drawn, stays, paid):
    assert paid_block(drawn, stays) == paid
