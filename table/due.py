"""What happens at a table by itself, and when: the next thing that is due.

start      all people are there, or the grace time is over
answer     a bot has thought
takeover   a person has not been heard of for the grace time
timeout    in a sequential play: the time of the seat whose turn it is is up
settle     the period is over: all have decided, or the time is up
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from table import timing
from table.state import State

__all__ = ["Due", "next_due"]


class Due(NamedTuple):
    """What is due at `at_ms`, and on which seat (-1: not on one of them)."""

    at_ms: int
    what: Literal["start", "answer", "takeover", "timeout", "settle"]
    seat: int = -1


def next_due(table: State) -> Due | None:
    """The next thing that happens by itself; at the same time, in the order of the docstring."""
    if table.started_ms is None:
        return Due(table.opened_ms + table.grace_ms, "start")
    if not table.waiting() and not table.options.by_clock:
        return Due(max(decision.at_ms for decision in table.decided.values()), "settle")
    due = [Due(decision.at_ms, "answer", seat) for seat, decision in table.answers.items()]
    due += _takeovers(table)
    end, turn = table.deadline_ms, table.episode.turn
    if end is not None:
        due.append(Due(end, "settle") if turn is None else Due(end, "timeout", turn))
    return min(due, key=_order, default=None)


_RANK = {"answer": 0, "takeover": 1, "timeout": 2, "settle": 2}


def _order(due: Due) -> tuple[int, int, int]:
    return due.at_ms, _RANK[due.what], due.seat


def _takeovers(table: State) -> list[Due]:
    """When the seats of people are taken from whom nothing more is heard."""
    absent = table.episode.absent
    return [
        Due(
            timing.takes_over_at(
                table.opened_ms if chair.last_seen_ms is None else chair.last_seen_ms,
                table.grace_ms,
                table.period_ms,
            ),
            "takeover",
            chair.seat,
        )
        for chair in table.seats
        if chair.occupant == "person" and chair.seat not in absent
    ]
