"""The server's clocks never go back, and downtime does not count."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mixed_company.server import clock

SECOND = 1000


class Machine:
    """Machine whose clocks a test sets: seconds since the start, and the time of day."""

    def __init__(self) -> None:
        self.up = 500.0
        self.day = 1_750_000_000.0

    def passes(self, seconds: float) -> None:
        self.up += seconds
        self.day += seconds


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    turned = Machine()
    monkeypatch.setattr(clock.time, "monotonic_ns", lambda: round(turned.up * 1e9))
    monkeypatch.setattr(clock.time, "time_ns", lambda: round(turned.day * 1e9))
    monkeypatch.setattr(
        clock, "_reading", clock._Reading(0, round(turned.up * 1e9), clock.math.inf)
    )
    yield turned
    monkeypatch.undo()


def test_time_can_be_added_and_does_not_go_back(monkeypatch):
    monkeypatch.setattr(clock, "_ahead_ms", 0)
    monkeypatch.setattr(clock, "_reading", clock._reading)
    before = clock.now_ms(), clock.served_ms()
    clock.put_on(3000)
    assert clock.now_ms() - before[0] >= 3000
    assert clock.served_ms() - before[1] >= 3000
    with pytest.raises(ValueError, match="ms = -1: should be at least 0"):
        clock.put_on(-1)


def test_added_time_is_served_to_the_millisecond(machine, monkeypatch):
    monkeypatch.setattr(clock, "_ahead_ms", 0)
    before = clock.now_ms(), clock.served_ms()
    clock.put_on(30_000_000)
    assert (clock.now_ms() - before[0], clock.served_ms() - before[1]) == (30_000_000, 30_000_000)
    machine.passes(1.5)
    clock.put_on(0)
    assert clock.served_ms() - before[1] == 30_001_500


def test_served_time_counts_by_beats_and_to_the_millisecond_between_them(machine):
    for _ in range(40):
        clock.beat()
        machine.passes(0.25)
    assert clock.served_ms() == 10 * SECOND
    clock.beat()
    machine.passes(0.007)
    assert clock.served_ms() == 10_007


def test_a_machine_that_slept_or_a_stopped_process_served_at_most_a_second(machine):
    clock.beat()
    machine.passes(150)
    assert clock.served_ms() == SECOND
    clock.beat()
    machine.passes(0.25)
    assert clock.served_ms() == 1250


def test_a_server_that_stands_still_serves_no_time_until_it_goes_on(machine):
    clock.beat()
    machine.passes(0.25)
    for _ in range(100):
        clock.beat(serving=False)
        machine.passes(0.25)
    assert clock.served_ms() == 250
    clock.beat()
    machine.passes(0.25)
    assert clock.served_ms() == 500


@pytest.mark.parametrize("seconds", [-60, 86_400])
def test_setting_a_clock_changes_only_what_it_shows(machine, seconds):
    clock.beat()
    before = clock.now_ms(), clock.served_ms(), clock.wall_ms()
    machine.day += seconds
    machine.passes(0.5)
    assert clock.now_ms() - before[0] == 500
    assert clock.served_ms() - before[1] == 500
    assert clock.wall_ms() - before[2] == 500 + round(1000 * seconds)


def test_without_a_server_all_time_counts(machine):
    machine.passes(150)
    assert clock.served_ms() == 150 * SECOND
