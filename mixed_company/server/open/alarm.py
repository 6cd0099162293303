"""The alarm of a table or of a lobby, which rings when something is due there by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["Alarm", "At"]

At = Callable[[int, Callable[[], None]], Any]
"""Has a function called after a number of milliseconds; what it gives can be cancelled."""


class Alarm:
    """At most one call that is still to come.

    at_ms   when it rings, or rang last, by the clock of its owner; None: it was never set
    """

    def __init__(self, at: At, ring: Callable[[], None]) -> None:
        self._at, self._ring = at, ring
        self._call: Any = None
        self.at_ms: int | None = None

    def set(self, at_ms: int | None, now: Callable[[], int], least_ms: int = 0) -> None:
        """Let it ring at a time, in so many milliseconds at the earliest; None: not at all."""
        if self._call is not None:
            if self.at_ms == at_ms:
                return
            self.stop()
        if at_ms is not None:
            self.at_ms = at_ms
            self._call = self._at(max(at_ms - now(), least_ms), self._ring)

    def rung(self) -> None:
        """It has rung: nothing is to come."""
        self._call = None

    def stop(self) -> None:
        """Nothing is to come any more."""
        if self._call is not None:
            self._call.cancel()
            self._call = None
