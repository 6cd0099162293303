"""Tests that a flood ends if it cannot start, and that its report differs from a measured flood's
report.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from benchmarks import floods

TARGET = floods.Target(0, (), ())


def flooding(workers: int, closed: int, monkeypatch: pytest.MonkeyPatch) -> tuple[bool, int]:
    """Run a flood whose workers cannot connect. Return whether it started and how many workers
    acted."""
    acted = set()
    begun, ends = threading.Event(), threading.Event()

    def open_one(target: floods.Target, number: int) -> Callable[[], None]:
        if number < closed:
            raise ConnectionRefusedError

        def act() -> None:
            acted.add(number)
            if len(acted) == workers:
                ends.set()

        return act

    monkeypatch.setitem(floods.FLOODS, "a flood", (workers, open_one))
    monkeypatch.setattr(floods, "OPENING_SECONDS", 0.2 if closed else 60.0)
    arguments = ("a flood", TARGET, begun, ends)
    running = threading.Thread(target=floods.flood, args=arguments, daemon=True)
    running.start()
    if closed:
        begun.wait(1)
        ends.set()
    running.join(30)
    assert not running.is_alive()
    return begun.is_set(), len(acted)


def test_a_flood_starts_once_all_its_workers_are_connected(monkeypatch):
    assert flooding(3, 0, monkeypatch) == (True, 3)


def test_a_flood_with_an_unconnected_worker_ends_without_starting(monkeypatch):
    assert flooding(3, 1, monkeypatch) == (False, 0)


def test_the_line_of_a_flood_shows_waits_and_memory():
    # medians 2 and 6, three times as long, 9 ms at most
    line = floods.line("a flood", [1, 2, 3], [5, 6, 9], [10, 20, 15])
    assert line.split() == ["a", "flood", "2.0", "6.0", "3.00", "9", "10", "20", "15"]


def test_the_line_of_a_flood_that_never_started_says_so():
    assert floods.line("a flood", [1, 2, 3], [], [10, 20, 15]).endswith("connected within 60 s")
