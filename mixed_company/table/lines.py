"""Slow lines: what a person pressed in time counts, though it comes after the time is up.

A page shows how much time is left where the table is. What is pressed at the last moment is under
way for as long as the line is: so long is waited when the time is up, for each person who has not
decided and whose line is slow (`table.timing`), `line_seconds` at most; by the clock, where the
last choice counts, for each person with a slow line. Who keeps the table measures lines. No
page can gain more than `line_seconds` by answering late.

Until then the period, or the turn, is not over: whatever comes counts, from anybody, and nobody is
shown anything of what others decided. Time that is left is shown, and policies decide, by the
deadline as it is without that. Where all have decided nobody waits.

What was measured holds from the next decision of the seat on. The event `slow_line` says since
when, with `wait_ms`; 0: not any more.
"""

from __future__ import annotations

from mixed_company.table.seating import Seat
from mixed_company.table.state import State
from mixed_company.table.writing import log_event

__all__ = ["hold"]


def hold(table: State, chair: Seat, time_ms: int) -> None:
    """A seat is to decide: what was measured of its person's line holds from now on."""
    waits_ms = chair.line_ms if chair.occupant == "person" else 0
    if waits_ms != chair.waits_ms:
        chair.waits_ms = waits_ms
        log_event(table, "slow_line", time_ms, seat=chair.seat, wait_ms=waits_ms)
