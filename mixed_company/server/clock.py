"""What time it is on the server: the one place where clocks are read, handed on as an argument.

    now_ms     milliseconds since 1970, for the lobby and the quiz: it never goes back, nor jumps
               when the machine's clock is set
    served_ms  how long this process has served: what plays go by (`server.play_clock`)
    wall_ms    what the machine's clock shows, right or wrong

A server's loop says every BEAT_SECONDS that it serves. A silence counts as LONGEST_SECONDS at most:
the machine slept, the process was stopped, or something held the loop, and nobody could reach the
server (`server.lateness` tells). Where nobody ever says so, as in commands, all time counts.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import NamedTuple

__all__ = [
    "BEAT_SECONDS",
    "LONGEST_SECONDS",
    "Silence",
    "beat",
    "now_ms",
    "put_on",
    "served_ms",
    "wall_ms",
]

BEAT_SECONDS = 0.25
LONGEST_SECONDS = 1.0

_started_ns = time.time_ns() - time.monotonic_ns()
_ahead_ms = 0


class Silence(NamedTuple):
    """How long nothing was heard of the loop before a beat, and how much of that was not served."""

    silent_ms: int
    stood_ms: int


@dataclass(frozen=True)
class _Reading:
    """What had been served at a moment, and how much may follow before the next reading."""

    served_ns: int
    at_ns: int
    most_ns: float

    def served_by(self, at_ns: int) -> int:
        return self.served_ns + int(min(at_ns - self.at_ns, self.most_ns))


_reading = _Reading(0, time.monotonic_ns(), math.inf)


def now_ms() -> int:
    """Milliseconds since 1970. It never goes back, nor jumps when the machine's clock is set."""
    return (_started_ns + time.monotonic_ns()) // 1_000_000 + _ahead_ms


def served_ms() -> int:
    """Milliseconds for which this process has served."""
    return _reading.served_by(time.monotonic_ns()) // 1_000_000


def wall_ms() -> int:
    """Milliseconds since 1970 as the machine's clock has them; it can be set, back too."""
    return time.time_ns() // 1_000_000


def beat(serving: bool = True) -> Silence:
    """The server serves, or stands still until the next beat (nothing can be saved)."""
    global _reading
    before, at_ns = _reading, time.monotonic_ns()
    most_ns = LONGEST_SECONDS * 1e9 if serving else 0
    _reading = _Reading(before.served_by(at_ns), at_ns, most_ns)
    silent_ns = at_ns - before.at_ns
    stood_ns = silent_ns - (_reading.served_ns - before.served_ns)
    return Silence(silent_ns // 1_000_000, -(-stood_ns // 1_000_000))


def put_on(ms: int) -> None:
    """Let so much time pass at once, in a process in which nobody waits (oTree's own bots)."""
    global _ahead_ms, _reading
    if ms < 0:
        raise ValueError(f"ms = {ms}: time does not go back")
    _ahead_ms += ms
    _reading = replace(_reading, served_ns=_reading.served_ns + ms * 1_000_000)
