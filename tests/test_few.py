"""Tests of the `few` marker: the right number of sets is chosen, spread over the list."""

from __future__ import annotations

import pytest

from tests.few import chosen, mark_others


class Item:
    """Stand-in for a collected parameter set with these markers."""

    def __init__(self, nodeid: str, **markers: tuple[object, ...]) -> None:
        self.nodeid, self.markers = nodeid, markers

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        mark: pytest.MarkDecorator = getattr(pytest.mark, name)
        return mark.with_args(*self.markers[name]).mark if name in self.markers else None

    def add_marker(self, name: str) -> None:
        self.markers[name] = ()


@pytest.mark.parametrize(("sets", "count"), [(1, 1), (4, 1), (4, 2), (7, 3), (20, 6), (3, 5)])
def test_as_many_sets_are_chosen_as_the_marker_says(sets: int, count: int) -> None:
    picked = chosen("tests/test_lake.py::test_it", sets, count)
    assert len(picked) == min(sets, count)
    assert picked <= set(range(sets))


def test_the_chosen_sets_are_spread_over_the_list() -> None:
    first, second = sorted(chosen("tests/test_lake.py::test_it", 8, 2))
    assert second - first == 4


def test_different_tests_have_different_sets() -> None:
    picked = {frozenset(chosen(f"tests/test_{name}.py::test_it", 4, 1)) for name in "abcdefgh"}
    assert len(picked) > 1


def test_all_but_the_chosen_sets_become_long() -> None:
    items = [Item(f"tests/test_a.py::test_it[{game}]", few=(1,)) for game in "abcd"]
    other = Item("tests/test_a.py::test_else[a]")
    mark_others([*items, other])  # type: ignore[list-item]
    assert ["long" in item.markers for item in items].count(False) == 1
    assert "long" not in other.markers


def test_a_set_that_is_long_anyway_is_not_chosen() -> None:
    long = [Item(f"tests/test_a.py::test_it[{game}]", few=(1,), long=()) for game in "abc"]
    only = Item("tests/test_a.py::test_it[d]", few=(1,))
    mark_others([*long, only])  # type: ignore[list-item]
    assert "long" not in only.markers
