"""How slow the lines of people are: how long a view takes to a page, and its answer back.

A view that is to be answered at once has `sent_ms`; the page sends it back (`shown`). That is done
with the first views of a page that has come or come back, and then now and then. A page that
answers late makes its line seem slow; what is gained by that has an end (`table.lines`).
"""

from __future__ import annotations

from collections import deque

from mixed_company.server import clock

__all__ = ["Lines"]

FIRST = 3
"""So many views are answered before time passes between them."""

AGAIN_MS = 10_000
LATEST = 3
"""The quickest of so many counts: that a page or the server was busy is no slow line."""

LONGEST_MS = 60_000
"""An answer that takes longer is not looked at: the device slept."""


class Lines:
    """The lines of the people at a table, by seat."""

    def __init__(self) -> None:
        self._asked: dict[int, int] = {}
        self._asked_ms: dict[int, int] = {}
        self._open: dict[int, set[int]] = {}
        self._trips: dict[int, deque[int]] = {}

    def begin(self, seat: int) -> None:
        """A page has come or come back: nothing is known yet of its line."""
        for known in (self._asked, self._trips, self._open):
            known.pop(seat, None)

    def stamp(self, seat: int) -> int | None:
        """What a view for this seat has as `sent_ms`; None: it is not to be answered."""
        now, count = clock.now_ms(), self._asked.get(seat, 0)
        if count >= FIRST and now - self._asked_ms[seat] < AGAIN_MS:
            return None
        self._asked[seat], self._asked_ms[seat] = count + 1, now
        self._open.setdefault(seat, set()).add(now)
        return now

    def took(self, seat: int, sent_ms: int) -> int | None:
        """A page has answered a view: the time for there and back; None: that says nothing.

        A view is answered once, and what was not sent not at all.
        """
        waiting = self._open.get(seat, set())
        round_trip_ms = clock.now_ms() - sent_ms
        if sent_ms not in waiting:
            return None
        self._open[seat] = {at for at in waiting if sent_ms < at}
        if not 0 <= round_trip_ms <= LONGEST_MS:
            return None
        trips = self._trips.setdefault(seat, deque(maxlen=LATEST))
        trips.append(round_trip_ms)
        return min(trips)
