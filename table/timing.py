"""Times at a table, milliseconds: how long people have, and when a decision counts.

The server settles by these rules, and the audit of an export checks by them.
"""

from __future__ import annotations

__all__ = ["SILENCE_MS", "answers_at", "grace_ms", "is_silence", "limit_ms", "takes_over_at"]

SILENCE_MS = 15_000
"""Five missed signs of life of a page: counted as a gap in the connection."""


def limit_ms(decision_seconds: float) -> int | None:
    """The time for a decision; None: no limit."""
    return None if decision_seconds == 0 else round(1000 * decision_seconds)


def grace_ms(grace_seconds: float) -> int:
    """How long a person may not be heard of, and how long a table waits for people to come."""
    return round(1000 * grace_seconds)


def is_silence(last_seen_ms: int | None, now: int) -> bool:
    """Was the person silent for longer than a page ever is?"""
    return last_seen_ms is not None and now - last_seen_ms > SILENCE_MS


def answers_at(begun_ms: int, delay_ms: int, end_ms: int | None) -> int:
    """When a policy decides that began then: when it has thought, and at the end at the latest."""
    at = begun_ms + delay_ms
    return at if end_ms is None else min(at, end_ms)


def takes_over_at(last_seen_ms: int, grace: int, period_ms: int) -> int:
    """When the seat of a person who is not heard of any more is taken: in a period, not before."""
    return max(last_seen_ms + grace, period_ms)
