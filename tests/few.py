"""Marker `few(count)`: `make test` runs that many parameter sets of a test, and the others are
`long`.

It is for tests that run for every game, archetype or configuration in a list and take a second or
more each. The sets that run are spread over the list and depend on the test's name, so every run
uses the same sets, and different tests use different sets.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from zlib import crc32

import pytest

__all__ = ["chosen", "mark_others"]


def mark_others(items: Iterable[pytest.Item]) -> None:
    """Mark the parameter sets that `make test` leaves out as `long`."""
    tests: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("few") and not item.get_closest_marker("long"):
            tests[item.nodeid.partition("[")[0]].append(item)
    for name, sets in tests.items():
        marker = sets[0].get_closest_marker("few")
        assert marker is not None
        kept = chosen(name, len(sets), *marker.args)
        for index, item in enumerate(sets):
            if index not in kept:
                item.add_marker("long")


def chosen(name: str, sets: int, count: int) -> set[int]:
    """Return the indices of `count` of a test's parameter sets, spread over all of them."""
    first, kept = crc32(name.encode()), min(count, sets)
    return {(first + number * sets // kept) % sets for number in range(kept)}
