"""Measures of work as calls or executed lines, because seconds depend on the machine."""

from __future__ import annotations

import cProfile
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

__all__ = ["assert_linear", "bounded"]

MOST_CALLS = 20_000_000
"""Limit on calls: about five times the calls made by a command that imports every library and
app."""


@contextmanager
def bounded() -> Iterator[None]:
    """Check that the code in the block calls functions at most MOST_CALLS times."""
    profile = cProfile.Profile()
    with profile:
        yield
    assert sum(entry.callcount for entry in profile.getstats()) < MOST_CALLS


def assert_linear(run: Callable[[int], object], size: int) -> None:
    """Check that twice the size takes about twice the work, not four times as much."""
    run(size)  # a first run fills the caches
    once, twice = _steps(lambda: run(size)), _steps(lambda: run(2 * size))
    assert twice < 2.5 * once, (once, twice)


def _steps(run: Callable[[], object]) -> int:
    """Return the number of executed Python lines, counting every iteration of a loop."""
    counted = 0

    def count(_frame: FrameType, event: str, _value: Any) -> Any:
        nonlocal counted
        counted += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        run()
    finally:
        sys.settrace(before)
    return counted
