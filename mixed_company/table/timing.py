"""Times at a table, milliseconds: how long people have, and when a decision counts.

The server settles by these rules, and the audit of an export checks by them.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = [
    "COME_MS",
    "LINE_STEP_MS",
    "SILENCE_MS",
    "SLOW_MS",
    "answers_at",
    "come_ms",
    "extra_ms",
    "grace_ms",
    "is_silence",
    "limit_ms",
    "line_ms",
    "longest_line_ms",
    "takes_over_at",
]

SILENCE_MS = 15_000
"""Five missed signs of life of a page: counted as a gap in the connection."""


COME_MS = 30_000
"""How long a table waits at most for the page of a person whom a policy can stand in for: whoever
got a seat was in the lobby seconds before."""

SLOW_MS = 100
"""A line on which a message takes so long, or longer, is slow."""

LINE_STEP_MS = 50
"""How finely lines are told apart."""


def limit_ms(decision_seconds: float) -> int | None:
    """The time for a decision; None: no limit."""
    return None if decision_seconds == 0 else round(1000 * decision_seconds)


def grace_ms(grace_seconds: float) -> int:
    """How long a person may not be heard of."""
    return round(1000 * grace_seconds)


def come_ms(grace: int, dropout: str) -> int:
    """How long a table waits for people to come: whoever can come back is waited for no longer."""
    return min(grace, COME_MS) if dropout in ("bot", "pause") else grace


def is_silence(last_seen_ms: int | None, now: int) -> bool:
    """Was the person silent for longer than a page ever is?"""
    return last_seen_ms is not None and now - last_seen_ms > SILENCE_MS


def longest_line_ms(line_seconds: float, decision_seconds: float) -> int:
    """How long a play waits at most for what is under way: no longer than for a decision."""
    return round(1000 * min(line_seconds, decision_seconds))


def line_ms(round_trip_ms: int, longest_ms: int) -> int:
    """How long a play waits, when the time is up, for what is under way on a line; 0: not at all.

    A page shows the time as it is where the table is, by half of a round trip: what was pressed in
    time comes no later than the other half. Rounded up by one step to two, since no line is steady.
    """
    one_way = -(-round_trip_ms // 2)
    if one_way < SLOW_MS:
        return 0
    return min(LINE_STEP_MS * (-(-one_way // LINE_STEP_MS) + 1), longest_ms)


def extra_ms(extensions: Iterable[tuple[int, int]], at: int | None = None) -> int:
    """How much time was added to a decision, by (when, how much); `at`: as it was known before."""
    return sum(ms for when, ms in extensions if at is None or when < at)


def answers_at(begun_ms: int, delay_ms: int, end_ms: int | None) -> int:
    """When a policy decides that began then: when it has thought, and at the end at the latest; at
    once if it began after the end, while others were waited for."""
    at = begun_ms + delay_ms
    return at if end_ms is None else max(begun_ms, min(at, end_ms))


def takes_over_at(last_seen_ms: int, grace: int, period_ms: int) -> int:
    """When the seat of a person who is not heard of any more is taken: in a period, not before."""
    return max(last_seen_ms + grace, period_ms)
