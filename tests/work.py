"""The work of code, counted. A test that counts seconds is decided by the speed of the machine."""

from __future__ import annotations

import cProfile
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

__all__ = ["assert_linear", "bounded"]

MOST_CALLS = 20_000_000
"""About five times the calls of a command that imports every library and every app."""


@contextmanager
def bounded() -> Iterator[None]:
    """Check that the code within calls functions at most MOST_CALLS times."""
    profile = cProfile.Profile()
    with profile:
        yield
    assert sum(entry.callcount for entry in profile.getstats()) < MOST_CALLS


def assert_linear(run: Callable[[int], object], size: int) -> None:
    """Check that twice the size takes about twice the work, not four times."""
    run(size)  # what is only computed once does not count
    once, twice = _steps(lambda: run(size)), _steps(lambda: run(2 * size))
    assert twice < 2.5 * once, (once, twice)


def _steps(run: Callable[[], object]) -> int:
    """Return how many lines of Python a call runs, with each round of a loop."""
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
