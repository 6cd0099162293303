"""Messages from an open table to pages: each view, with the additions for its seat.

A page that asks for everything gets all talk messages that its seat can read (`Told`). Other views
carry only messages that no earlier view has contained.

If a page should answer a view immediately, the view carries `sent_ms`, which the page sends back
(`shown`), so that the latency of its connection is known (`Lines`). This applies to the first views
after a page connects, and occasionally to later ones. A page can fake a slow connection by
answering late, but it can gain only a limited amount of time (`table.lines`).

Messages wait for the commit of what they announce (`Unsaved`).
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol

import orjson

from mixed_company.server import clock
from mixed_company.server.open.showing import Past
from mixed_company.table.journal import Entry
from mixed_company.table.protocol import View
from mixed_company.table.table import Table


class Listener(Protocol):
    """Recipient of a seat's replies and views: a page's socket."""

    def tell(self, text: str) -> None:
        """Send a message, either now or once the page reads again."""


class Outgoing:
    """A table's pages, and what has been sent to them.

    people      seats of the people, whose connections can be slow
    entries     the start and period entries of the table's journal
    listeners   seat -> the pages of the person in it
    past        history of the table, as pages see it
    lines       latency of the pages
    """

    def __init__(self, table: Table, people: Collection[int], entries: Iterable[Entry]) -> None:
        self._table, self._people = table, people
        self.listeners: defaultdict[int, set[Listener]] = defaultdict(set)
        self.past = Past(table.game, entries)
        self.lines = Lines()
        self._talk_sent = Told()

    def add(self, entries: Sequence[Entry]) -> None:
        """Add the journal's newest entries to the history."""
        self.past = self.past.after(self._table.game, entries)

    def send(self, texts: Iterable[tuple[int, str]]) -> None:
        """Send messages to all pages of their seats immediately."""
        for seat, text in texts:
            for listener in self.listeners[seat]:
                listener.tell(text)

    def shown(
        self, views: Mapping[int, View], whole: int | None = None
    ) -> list[tuple[int, dict[str, Any]]]:
        """Return the messages with these views; the seat `whole` gets its full history. Agents get
        all talk messages every time, because they may only read the latest view.
        """
        all_talk = {whole, *self._table.agents}
        shown = {
            seat: self.past.whole(seat, view) if seat == whole else self.past.beside(seat, view)
            for seat, view in views.items()
        }
        return [
            (
                seat,
                self._talk_sent.beside(seat, self._stamped(seat, view).to_json(), seat in all_talk),
            )
            for seat, view in shown.items()
        ]

    def _stamped(self, seat: int, view: View) -> View:
        """Return the view, with `sent_ms` added if the latency of the seat's page should be
        measured."""
        measured = self._table.line_ms and seat in self._people
        sent_ms = self.lines.stamp(seat) if measured else None
        return view if sent_ms is None else view._replace(sent_ms=sent_ms)


def envelope(payload: dict[str, Any]) -> str:
    """Return a message in the form that oTree's pages expect."""
    text: bytes = orjson.dumps({"otree_success": True, "live_method_payload": payload})
    return text.decode()


class Told:
    """For each seat, the number of the last talk message that was sent to it."""

    def __init__(self) -> None:
        self._last: dict[int, int] = {}

    def beside(self, seat: int, view: dict[str, Any], whole: bool) -> dict[str, Any]:
        """Return the view (plain JSON) with only the talk messages that it should carry."""
        talk = view.get("talk")
        if talk is None:
            return view
        last = self._last.get(seat, -1)
        self._last[seat] = max([last, *(message["number"] for message in talk["messages"])])
        if whole:
            return view
        new = [message for message in talk["messages"] if message["number"] > last]
        return {**view, "talk": {**talk, "messages": new}}


FIRST = 3
"""Number of consecutive views that are measured after a page connects."""

AGAIN_MS = 10_000
LATEST = 3
"""Number of recent round trips; the fastest one is used. The others can be slow because the page or
the server was busy.
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


def nothing() -> None:
    """Ignore a commit that no caller is waiting for."""


class Unsaved:
    """Uncommitted batches of one table or lobby, and the callbacks that wait for them.

    They are committed in the order in which they were written (`server.keeping.writer`).
    """

    def __init__(self) -> None:
        self._later: deque[tuple[int, Callable[[], None], Callable[[], None]]] = deque()
        self._written = self._saved = 0

    def __len__(self) -> int:
        return self._written - self._saved

    def write(self) -> None:
        """Count a batch that was queued for writing."""
        self._written += 1

    def then(self, function: Callable[[], None], otherwise: Callable[[], None] = nothing) -> None:
        """Call `function` once everything written so far is committed; on failure, call `otherwise`
        instead."""
        if len(self) or self._later:
            self._later.append((self._written, function, otherwise))
        else:
            function()

    def save(self, exists: bool) -> None:
        """Count a committed batch and run its callbacks.

        The callbacks report a failure if the batch's table or session no longer `exists`.
        """
        self._saved += 1
        while self._later and self._later[0][0] <= self._saved:
            _, function, otherwise = self._later.popleft()
            (function if exists else otherwise)()
