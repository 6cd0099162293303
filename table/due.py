"""What happens at a table by itself, and when: the next thing that is due.

start      all people are there, or the grace time is over
answer     a bot has thought
takeover   a person has not been heard of for the grace time
timeout    in a sequential play: the time of the seat whose turn it is is up
settle     the period is over: all have decided, or the time is up
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from table.table import Table

__all__ = ["next_due"]

Due = tuple[int, str, int]


def next_due(table: Table) -> Due | None:
    """(when, what, seat) of the next thing that happens by itself; ties in this order."""
    if table.started_ms is None:
        return (table.opened_ms + table.grace_ms, "start", -1)
    if not table.waiting() and not table.options.by_clock:
        return (max(row["at_ms"] for row in table.decided.values()), "settle", -1)
    due = [(row["at_ms"], 0, "answer", seat) for seat, row in table.answers.items()]
    for chair in table.seats:
        if chair.occupant == "person" and not table.out(chair.seat):
            heard = table.opened_ms if chair.last_seen_ms is None else chair.last_seen_ms
            due.append((max(heard + table.grace_ms, table.period_ms), 1, "takeover", chair.seat))
    if table.deadline_ms is not None:
        turn = table.episode.turn
        kind, seat = ("settle", -1) if turn is None else ("timeout", turn)
        due.append((table.deadline_ms, 2, kind, seat))
    if not due:
        return None
    at, _, kind, seat = min(due)
    return at, kind, seat
