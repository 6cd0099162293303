"""Assignment of people to the parts of a session: only complete groups, on the least busy
server."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.server.fleet.parted import Part, part_to_fill, sizes


@pytest.mark.parametrize(
    ("people", "per_group", "parts", "expected"),
    [
        (300, 4, 4, [76, 76, 76, 72]),  # 75 groups: 19, 19, 19, 18
        (12, 3, 2, [6, 6]),
        (13, 3, 2, [6, 7]),  # 4 groups and one person left over
        (5, 1, 5, [1, 1, 1, 1, 1]),
        (9, 2, 1, [9]),
    ],
)
def test_parts_are_for_whole_groups(people, per_group, parts, expected):
    assert sizes(people, per_group, parts) == expected


@given(some.integers(1, 9), some.integers(1, 36), some.integers(0, 500))
def test_nobody_is_lost_and_only_the_last_part_has_the_rest(per_group, parts, more):
    people = per_group * parts + more
    divided = sizes(people, per_group, parts)
    assert (len(divided), sum(divided)) == (parts, people)
    assert all(size % per_group == 0 for size in divided[:-1])
    groups = [size // per_group for size in divided]
    assert max(groups) - min(groups) <= 1


def test_fewer_groups_than_parts_are_refused_by_name():
    with pytest.raises(
        ConfigError,
        match="parts = 4: should be at most 3, the number of groups of 2 that 7 people can form",
    ):
        sizes(7, 2, 4)


def part(code: str, come: int, server: int, places: int = 4) -> Part:
    return Part(code, places, come, server)


@pytest.mark.parametrize(
    ("parts", "load", "expected"),
    [
        # no arrivals yet, so the server with fewer people
        ([part("a", 0, 0), part("b", 0, 1)], {0: 9, 1: 2}, "b"),
        # a group has begun, so it is filled first, however busy its server is
        ([part("a", 1, 0), part("b", 0, 1)], {0: 9, 1: 2}, "a"),
        # that group is full, so the other part
        ([part("a", 2, 0), part("b", 0, 1)], {0: 2, 1: 0}, "b"),
        # one is full
        ([part("a", 4, 0), part("b", 2, 1)], {0: 4, 1: 90}, "b"),
        # equally busy servers: the part with fewer people of this session
        ([part("a", 2, 0), part("b", 0, 1)], {}, "b"),
        # the last place of a part that is not for whole groups
        ([part("a", 4, 0), part("b", 4, 1, places=5)], {}, "b"),
        # all are full
        ([part("a", 4, 0), part("b", 4, 1)], {}, None),
    ],
)
def test_a_newcomer_fills_a_group_or_goes_to_the_least_busy_server(parts, load, expected):
    chosen = part_to_fill(parts, 2, load)
    assert (chosen and chosen.code) == expected


def test_a_crowd_is_spread_evenly_and_no_group_is_split():
    """Send twelve people, one after another and in groups of two, to three parts of four people
    each."""
    come = dict.fromkeys("abc", 0)
    order = []
    for _ in range(12):
        parts = [part(code, here, server) for server, (code, here) in enumerate(come.items())]
        chosen = part_to_fill(parts, 2, {part.server: part.come for part in parts})
        come[chosen.code] += 1
        order.append(chosen.code)
    assert "".join(order) == "aabbccaabbcc"
