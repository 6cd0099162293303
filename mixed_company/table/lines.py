"""Slow connections: a choice made in time counts even if it arrives after the time is up.

Pages show the time left on the table's clock, so a last-moment choice arrives late because of the
connection's delay. When time is up, the table waits this much longer for each person who has a slow
connection and has not decided (`table.timing`), but at most `line_seconds`. With pace `clock`, the
last choice counts, so the table also waits for people who have decided. The table's host measures
connections. A page cannot gain more than `line_seconds` by answering late.

During this wait the period, or the turn, is not over: all seats' choices count, and nobody sees
what the others have decided. Neither the time shown nor the deadline for policies includes the
wait. If everyone has decided, there is no wait.

A measurement takes effect with the seat's next decision. The `slow_line` event marks the change;
its `wait_ms` is 0 if the connection is no longer slow.
"""

from __future__ import annotations

from mixed_company.table.seating import Seat
from mixed_company.table.state import State
from mixed_company.table.writing import log_event


def hold(table: State, chair: Seat, time_ms: int) -> None:
    """Apply the measured delay of a person's connection when the seat starts to decide."""
    waits_ms = chair.line_ms if chair.occupant == "person" else 0
    if waits_ms != chair.waits_ms:
        chair.waits_ms = waits_ms
        log_event(table, "slow_line", time_ms, seat=chair.seat, wait_ms=waits_ms)
