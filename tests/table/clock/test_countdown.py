"""Countdown: a play on a clock starts when pages have finished counting down."""

from __future__ import annotations

from typing import Any

from mixed_company.table.table import Table
from tests.table.clock.tables import settled
from tests.table.plays import act, started, view


def counting(people: list[int], **options: Any) -> Table:
    """Return a table that everyone joined at time 0, with pages that count down from 3 seconds."""
    return started(people, pace="clock", decision_seconds=2, countdown_seconds=3, **options)


def test_the_play_begins_when_the_pages_have_counted_down() -> None:
    table = counting([0, 1])
    early = view(table, 0, 1000)
    assert (early["ready"], early["started"], early["phase"]) == (True, False, "waiting")
    assert early["remaining_ms"] == 2000
    assert act(table, 0, 2999)["reason"] == "the game has not started yet"
    table.advance(3000)
    begun = view(table, 0, 3000)
    assert "ready" not in begun
    assert (begun["started"], begun["phase"], begun["remaining_ms"]) == (True, "decide", 2000)
    table.advance(60_000)
    assert settled(table)[:2] == [5000, 7000]


def test_nothing_counts_down_before_everybody_is_there() -> None:
    table = Table.open(counting([0]).setup, [0, 1], seed=7, now=0)
    table.hear(0, 0)
    assert "ready" not in view(table, 0, 500)
    table.hear(1, 500)
    assert view(table, 0, 500)["remaining_ms"] == 3000
    table.hear(0, 2000)  # a heartbeat does not restart it
    assert view(table, 0, 2000)["remaining_ms"] == 1500


def test_a_countdown_does_not_extend_the_wait_for_people_who_do_not_come() -> None:
    table = Table.open(counting([0]).setup, [0, 1], seed=7, now=0)
    table.hear(0, 0)
    latest = table.come_ms
    table.hear(1, latest - 1000)
    table.advance(latest)
    assert table.started_ms == latest
