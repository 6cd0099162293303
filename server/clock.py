"""What time it is on the server: the one place where a clock is read, handed on as an argument."""

from __future__ import annotations

import time

__all__ = ["now_ms", "put_on"]

_started_ns = time.time_ns() - time.monotonic_ns()
_ahead_ms = 0


def now_ms() -> int:
    """Milliseconds since 1970. It never goes back, nor jumps when the machine's clock is set."""
    return (_started_ns + time.monotonic_ns()) // 1_000_000 + _ahead_ms


def put_on(ms: int) -> None:
    """Let so much time pass at once, in a process in which nobody waits (oTree's own bots)."""
    global _ahead_ms
    if ms < 0:
        raise ValueError(f"ms = {ms}: time does not go back")
    _ahead_ms += ms
