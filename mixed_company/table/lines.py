"""Slow connections: a choice made in time counts even if it arrives after the time is up.

Pages show the time left by the table's clock, so a choice made at the last moment arrives late by
the delay of the connection. When the time is up, the table waits that much longer for each person
with a slow connection who has not decided (`table.timing`), but at most `line_seconds`. With pace
`clock` the last choice counts, so the table also waits for people who have decided. The table's
host measures connections. No page can gain more than `line_seconds` by answering late.

During this wait the period, or the turn, is not over: choices of all seats count, and nobody sees
what others decided. The time shown, and the deadline for policies, do not include the wait. If
everybody has decided, there is no wait.

A measurement applies from the seat's next decision on. The event `slow_line` marks the change; its
`wait_ms` is 0 if the connection is no longer slow.
"""

from __future__ import annotations

from mixed_company.table.seating import Seat
from mixed_company.table.state import State
from mixed_company.table.writing import log_event


def hold(table: State, chair: Seat, time_ms: int) -> None:
    """Apply the measured delay of a person's connection when the seat begins to decide."""
    waits_ms = chair.line_ms if chair.occupant == "person" else 0
    if waits_ms != chair.waits_ms:
        chair.waits_ms = waits_ms
        log_event(table, "slow_line", time_ms, seat=chair.seat, wait_ms=waits_ms)
