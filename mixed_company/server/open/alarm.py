"""Alarm that a table or lobby sets for its next scheduled event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

CallAfter = Callable[[int, Callable[[], None]], Any]
"""Function that calls another function after some milliseconds; the returned call can be
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
