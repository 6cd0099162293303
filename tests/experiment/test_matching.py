"""Tests of matching, which depends on the groups of the first block: strangers or partners."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.experiment.assignment import (
    Place,
    check_matching,
    drawn_block,
    group_in,
    is_possible,
    paid_block,
    position_of,
)

GROUPS, PEOPLE, BLOCKS = st.integers(1, 9), st.integers(1, 6), st.integers(2, 6)


def matched(how, groups, people, block, **more):
    """Return the places of the people in every group of a block."""
    members = [[] for _ in range(groups)]
    for place in map(Place._make, product(range(groups), range(people))):
        members[group_in(block, place, how, groups, people, **more)].append(place)
    return members


@given(GROUPS, PEOPLE, BLOCKS)
def test_perfect_strangers_never_meet_twice_wherever_that_is_possible(groups, people, blocks):
    met = [
        frozenset(pair)
        for block in range(blocks)
        for members in matched("perfect_strangers", groups, people, block)
        for pair in combinations(members, 2)
    ]
    assert is_possible(groups, people, blocks) == (len(met) == len(set(met)))


@given(GROUPS, PEOPLE, BLOCKS, st.sampled_from(["partners", "strangers", "perfect_strangers"]))
def test_groups_keep_their_size(groups, people, blocks, how):
    for block in range(blocks):
        sizes = {
            len(members) for members in matched(how, groups, people, block, seed=3, which="a 0")
        }
        assert sizes == {people}


@given(GROUPS, PEOPLE, BLOCKS, st.sampled_from(["strangers", "perfect_strangers"]))
def test_with_fixed_roles_each_group_has_each_position_once(groups, people, blocks, how):
    for members in matched(how, groups, people, blocks - 1, roles="kept", seed=1, which="a 0"):
        assert sorted(place.position for place in members) == list(range(people))


def test_partners_stay_together_and_the_first_block_keeps_its_groups():
    for how, block in (("partners", 2), ("strangers", 0), ("perfect_strangers", 0)):
        groups = matched(how, 3, 2, block, seed=1, which="a 0")
        assert [{place.group for place in members} for members in groups] == [{0}, {1}, {2}]


def test_strangers_are_drawn_anew_in_each_block_and_for_each_matching_group():
    drawn = [matched("strangers", 4, 3, 1, seed=7, which="a 0")]
    drawn.append(matched("strangers", 4, 3, 2, seed=7, which="a 0"))
    drawn.append(matched("strangers", 4, 3, 1, seed=7, which="a 1"))
    drawn.append(matched("strangers", 4, 3, 1, seed=8, which="a 0"))
    assert len({str(groups) for groups in drawn}) == 4
    assert drawn[0] == matched("strangers", 4, 3, 1, seed=7, which="a 0")


def test_perfect_strangers_by_hand():
    # person j of group i is in group (i + j b) mod 3 in block b: in block 1 group 0 has (0, 0) and
    # person 1 of group 2, in block 2 person 1 of group 1
    assert matched("perfect_strangers", 3, 2, 1)[0] == [(0, 0), (2, 1)]
    assert matched("perfect_strangers", 3, 2, 2)[0] == [(0, 0), (1, 1)]


@given(GROUPS, PEOPLE, BLOCKS)
def test_a_refusal_names_a_valid_number_of_groups(groups, people, blocks):
    assume(not is_possible(groups, people, blocks))
    with pytest.raises(ConfigError) as refused:
        check_matching("perfect_strangers", groups, people, blocks)
    named = str(refused.value).partition("; use ")[2].removesuffix(" groups")
    assert all(is_possible(int(number), people, blocks) for number in named.split(" or "))
    check_matching("strangers", groups, people, blocks)


def test_a_refusal_in_words():
    # 4 people, 3 blocks: (j - j')(b - b') is 1, 2, 3, 4 or 6; 4 divides 4, but 5 divides none of
    # them
    with pytest.raises(ConfigError, match="matching_groups = 4: perfect_strangers in groups of"):
        check_matching("perfect_strangers", 4, 4, 3)
    with pytest.raises(ConfigError, match="use 5 groups"):
        check_matching("perfect_strangers", 4, 4, 3)


def test_a_position_is_the_seat_if_people_fill_all_seats():
    # three of four people came in time: their seats give their positions, as in a full group
    assert [position_of(seat, [0, 2, 3], 4, 4) for seat in (0, 2, 3)] == [0, 2, 3]
    assert [position_of(seat, [3, 1], 2, 4) for seat in (1, 3)] == [0, 1]


# -- the paid block -------------------------------------------------------------------------------

DONE, GONE, SENT = ("finished", True), ("left", True), ("released", True)


@pytest.mark.parametrize(
    ("drawn", "stays", "paid"),
    [
        (1, [DONE, DONE, DONE], 1),
        (2, [DONE, GONE], None),  # left before it
        (1, [DONE, GONE], 1),  # left in it: paid for the earnings until then
        (2, [DONE, SENT], 1),  # sent home before it: paid for the last one played
        (2, [DONE, ("released", False)], 0),
        (0, [("released", False)], None),
    ],
)
def test_the_drawn_block_is_paid_or_the_last_one_of_a_person_who_missed_it(drawn, stays, paid):
    assert paid_block(drawn, stays) == paid


def test_each_block_is_drawn_about_equally_often():
    drawn = [drawn_block(11, slot, 3) for slot in range(900)]
    assert [drawn_block(11, slot, 3) for slot in range(900)] == drawn
    assert all(250 < drawn.count(block) < 350 for block in range(3))  # 300, sd 14
