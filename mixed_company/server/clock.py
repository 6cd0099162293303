"""Time on the server. Clocks are read only here; other code receives times as arguments.

    now_ms     milliseconds since 1970, for the lobby: it never goes backwards, does not jump when
               the machine's clock is set, and on Linux stands still while the machine sleeps
    served_ms  time for which this process has been serving: the basis of play clocks
               (`server.play_clock`)
    wall_ms    the time on the machine's clock, whether right or wrong. The times of consent, of
               assignment to a treatment, of the sentence about bots and of the quiz are on this
               clock, because they are compared with oTree's times and with the time of a seal

A server's loop reports every BEAT_SECONDS that it is serving. If the loop is silent for longer, at
most LONGEST_SECONDS of the silence count as served, because nobody could reach the server: the
machine slept, the process was stopped, or something blocked the loop (`server.lateness` reports
this). If nothing ever reports, as in commands, all of the time counts.

Tables and lobbies set an `Alarm` for their next scheduled event.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

BEAT_SECONDS = 0.25
LONGEST_SECONDS = 1.0

_started_ns = time.time_ns() - time.monotonic_ns()
_ahead_ms = 0


class Silence(NamedTuple):
    """Time since the loop's previous beat, and how much of it does not count as served."""

    silent_ms: int
    stood_ms: int


@dataclass(frozen=True)
class _Reading:
    """Time served up to a reading, and the maximum that can be added before the next reading."""

    served_ns: int
    at_ns: int
    most_ns: float

    def served_by(self, at_ns: int) -> int:
        return self.served_ns + int(min(at_ns - self.at_ns, self.most_ns))


_reading = _Reading(0, time.monotonic_ns(), math.inf)


def now_ms() -> int:
    """Return the milliseconds since 1970. They never go backwards, and do not jump when the
    machine's clock is set.
    """
    return (_started_ns + time.monotonic_ns()) // 1_000_000 + _ahead_ms


def served_ms() -> int:
    """Return how many milliseconds this process has been serving."""
    return _reading.served_by(time.monotonic_ns()) // 1_000_000


def wall_ms() -> int:
    """Return the milliseconds since 1970 on the machine's clock, which can be set, even
    backwards.
    """
    return time.time_ns() // 1_000_000


def beat(serving: bool = True) -> Silence:
    """Record that the server is serving. If `serving` is false, record that it stops until the next
    beat.
    """
    global _reading
    before, at_ns = _reading, time.monotonic_ns()
    most_ns = LONGEST_SECONDS * 1e9 if serving else 0
    _reading = _Reading(before.served_by(at_ns), at_ns, most_ns)
    silent_ns = at_ns - before.at_ns
    stood_ns = silent_ns - (_reading.served_ns - before.served_ns)
    return Silence(silent_ns // 1_000_000, -(-stood_ns // 1_000_000))


def put_on(ms: int) -> None:
    """Advance the time in a process in which nobody is waiting (oTree's own bots)."""
    global _ahead_ms, _reading
    if ms < 0:
        raise ValueError(f"ms = {ms}: should be at least 0, because time cannot go back")
    _ahead_ms += ms
    _reading = replace(_reading, served_ns=_reading.served_ns + ms * 1_000_000)


CallAfter = Callable[[int, Callable[[], None]], Any]
"""Function that calls another function after some milliseconds; it returns the call, which can be
cancelled.
"""


class Alarm:
    """Timer with at most one pending call.

    at_ms   time at which the alarm rings or last rang, on its owner's clock; None if it was never
            set
    """

    def __init__(self, call_after: CallAfter, ring: Callable[[], None]) -> None:
        self._call_after, self._ring = call_after, ring
        self._call: Any = None
        self.at_ms: int | None = None

    def set(self, at_ms: int | None, now: Callable[[], int], least_ms: int = 0) -> None:
        """Ring at `at_ms`, but no sooner than `least_ms` from now. If `at_ms` is None, never
        ring.
        """
        if self._call is not None:
            if self.at_ms == at_ms:
                return
            self.stop()
        if at_ms is not None:
            self.at_ms = at_ms
            self._call = self._call_after(max(at_ms - now(), least_ms), self._ring)

    def rung(self) -> None:
        """Record that the alarm has rung."""
        self._call = None

    def stop(self) -> None:
        """Cancel the pending call."""
        if self._call is not None:
            self._call.cancel()
            self._call = None
