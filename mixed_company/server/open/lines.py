"""Latency of people's connections: the time from sending a view to receiving the page's reply.

If the page should answer a view immediately, the view carries `sent_ms`, which the page sends back
(`shown`). This applies to the first views after a page connects, and occasionally to later ones. A
page can fake a slow connection by answering late, but what it gains is limited (`table.lines`).
"""

from __future__ import annotations

from collections import deque

from mixed_company.server import clock

FIRST = 3
"""Number of consecutive views that are measured after a page connects."""

AGAIN_MS = 10_000
LATEST = 3
"""Number of recent round trips, of which the fastest one is used. The others can be slow because
the page or the server was busy.
"""

LONGEST_MS = 60_000
"""Maximum round trip that is used; a longer one probably means that the device was asleep."""


class Lines:
    """Connections of the people at a table, by seat."""

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}
        self._stamped_ms: dict[int, int] = {}
        self._open: dict[int, set[int]] = {}
        self._trips: dict[int, deque[int]] = {}

    def begin(self, seat: int) -> None:
        """Discard the measurements of a seat whose page has just connected."""
        for by_seat in (self._counts, self._trips, self._open):
            by_seat.pop(seat, None)

    def stamp(self, seat: int) -> int | None:
        """Return the `sent_ms` of a view for this seat; None if the view is not measured."""
        now, count = clock.now_ms(), self._counts.get(seat, 0)
        if count >= FIRST and now - self._stamped_ms[seat] < AGAIN_MS:
            return None
        self._counts[seat], self._stamped_ms[seat] = count + 1, now
        self._open.setdefault(seat, set()).add(now)
        return now

    def took(self, seat: int, sent_ms: int) -> int | None:
        """Return a seat's fastest recent round trip, or None if this answer is not usable. Only the
        first answer to a view is used, and only if that view was sent.
        """
        waiting = self._open.get(seat, set())
        round_trip_ms = clock.now_ms() - sent_ms
        if sent_ms not in waiting:
            return None
        self._open[seat] = {stamp_ms for stamp_ms in waiting if sent_ms < stamp_ms}
        if not 0 <= round_trip_ms <= LONGEST_MS:
            return None
        trips = self._trips.setdefault(seat, deque(maxlen=LATEST))
        trips.append(round_trip_ms)
        return min(trips)
