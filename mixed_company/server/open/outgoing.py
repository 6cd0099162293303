"""Messages from an open table to pages: each view, with the additions that its seat should get."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol

import orjson

from mixed_company.server.open.lines import Lines
from mixed_company.server.open.showing import Past
from mixed_company.server.open.telling import Told
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
    entries     start and periods of the table's journal
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
        all talk messages every time, because they may read only the latest view.
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
        """Return the view with `sent_ms` if the latency of its page should be measured."""
        measured = self._table.line_ms and seat in self._people
        sent_ms = self.lines.stamp(seat) if measured else None
        return view if sent_ms is None else view._replace(sent_ms=sent_ms)


def envelope(payload: dict[str, Any]) -> str:
    """Return a message in the form that oTree's pages expect."""
    text: bytes = orjson.dumps({"otree_success": True, "live_method_payload": payload})
    return text.decode()
