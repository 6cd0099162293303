"""Times at a table, in milliseconds: how long people have, and when a decision takes effect.

The server uses these rules to settle periods, and an export's audit reapplies them.
"""

from __future__ import annotations

from collections.abc import Iterable

SILENCE_MS = 15_000
"""Time without messages that counts as a gap in the connection: five times a page's usual
interval."""


COME_MS = 30_000
"""Longest wait for a person's page if a policy can replace the person. It is short, because the
person was in the lobby only seconds before.
"""

SLOW_MS = 100
"""Smallest one-way delay at which a connection counts as slow."""

LINE_STEP_MS = 50
"""Step used to round up the delay of a connection."""


def limit_ms(decision_seconds: float) -> int | None:
    """Return the time for a decision; None if there is no limit."""
    return None if decision_seconds == 0 else round(1000 * decision_seconds)


def limits_ms(decision_seconds: float, peer_seconds: float) -> tuple[int | None, int | None]:
    """Return the times for a decision at the first stage of a period, and at a later stage."""
    return limit_ms(decision_seconds), limit_ms(peer_seconds or decision_seconds)


def grace_ms(grace_seconds: float) -> int:
    """Return how long a person may fail to respond before counting as having left."""
    return round(1000 * grace_seconds)


def come_ms(grace: int, dropout: str, alone: bool) -> int:
    """Return how long a table waits for people to arrive; shorter if they can still join later.

    `alone` means that only one person plays, with bots, and confirms being ready, so nobody else
    has to wait.
    """
    return min(grace, COME_MS) if dropout in ("bot", "pause") and not alone else grace


def is_silence(last_seen_ms: int | None, now: int) -> bool:
    """Return whether the person's page was silent for longer than a connected page would be."""
    return last_seen_ms is not None and now - last_seen_ms > SILENCE_MS


def longest_line_ms(line_seconds: float, decision_seconds: float) -> int:
    """Return the longest wait for messages in transit, at most the time for a decision."""
    return round(1000 * min(line_seconds, decision_seconds))


def line_ms(round_trip_ms: int, longest_ms: int) -> int:
    """Return how long a play waits for late messages on a connection; 0 if it does not wait.

    A page corrects its clock by half of a round trip, so a message sent in time arrives at most
    half a round trip after the deadline. The result is rounded up by one to two steps, because no
    delay is constant.
    """
    one_way = -(-round_trip_ms // 2)
    if one_way < SLOW_MS:
        return 0
    return min(LINE_STEP_MS * (-(-one_way // LINE_STEP_MS) + 1), longest_ms)


def extra_ms(extensions: Iterable[tuple[int, int]], time_ms: int | None = None) -> int:
    """Return the time that extensions (when, how much) before `time_ms` add to a decision."""
    return sum(ms for when, ms in extensions if time_ms is None or when < time_ms)


def answers_at(begun_ms: int, delay_ms: int, end_ms: int | None) -> int:
    """Return when a policy decides: after its delay, but no later than the deadline.

    A policy that began after the deadline, while the table was waiting for others, decides
    immediately.
    """
    due = begun_ms + delay_ms
    return due if end_ms is None or due <= end_ms else max(begun_ms, end_ms)


def takes_over_at(last_seen_ms: int, grace: int, period_ms: int) -> int:
    """Return when a policy takes the seat of a person who has stopped responding, which is never
    before the period begins."""
    silent_ms = last_seen_ms + grace
    return silent_ms if silent_ms > period_ms else period_ms
