"""A table that is open in this server: what comes from pages, what goes into the database, and what
goes out to pages, in this order.

    take     a message of a person; what is answered and shown goes out once all of it is saved
    wake     something is due by itself: a deadline, a takeover, a bot's answer
    answered a policy that was asked beside the loop has answered
    settle   bring it up to now for somebody who is no page
    hold_up  the server was late; `write_late`: it is in time again, and the journal says so
    manage   the manager has something done

While it is open nothing else knows how the table stands. It lives in the thread of the loop.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import orjson

from mixed_company.language import gettext as _
from mixed_company.language import speaking
from mixed_company.policies.policy import Answer
from mixed_company.server import clock
from mixed_company.server.keeping.storage import Row, row_of
from mixed_company.server.keeping.unsaved import Unsaved, nothing
from mixed_company.server.keeping.writer import Batch
from mixed_company.server.lateness import Beat, HeldUp
from mixed_company.server.open.alarm import Alarm, At
from mixed_company.server.open.asking import Ask, Questions
from mixed_company.server.open.group import outcomes
from mixed_company.server.open.lines import Lines
from mixed_company.server.open.showing import Past
from mixed_company.server.open.telling import Told
from mixed_company.server.play_clock import PlayClock
from mixed_company.table import view as table_view
from mixed_company.table.directives import Directive
from mixed_company.table.due import next_due
from mixed_company.table.exchange import Exchange, answered, exchange, looked_at, managed
from mixed_company.table.protocol import Ack, Message, Refusal, View
from mixed_company.table.table import Table

__all__ = [
    "MOST_IN_THE_AIR",
    "PORTION",
    "STANDING_MS",
    "At",
    "Listener",
    "Look",
    "OpenTable",
    "Stored",
    "Writes",
    "envelope",
    "nobody",
]

PORTION = 100
"""How many periods one message settles at most: a play left alone for long must not keep the others
waiting. The page that sent it sees that no time is left, and sends again."""

PORTION_ALONE = 1
"""How many periods a table settles by itself before others have their turn."""

MOST_IN_THE_AIR = 8
"""Decisions of one person that wait to be saved; who sends more is refused until they are."""

SIGHTINGS_MS = 5000
"""So much of when people were last heard of a crash may forget."""

ENTRIES_PER_SNAPSHOT = 200

SERVED_MS = round(1000 * clock.LONGEST_SECONDS)
"""How much of a silence of the loop a play went on at most."""

STANDING_MS = 100
"""How soon a table looks again whose clock has not come as far as the alarm."""


class Listener(Protocol):
    """Who is told what a seat is answered and shown: a page's socket."""

    def tell(self, text: str) -> None:
        """Send a message, now or when the page reads again."""


class Writes(Protocol):
    """Who has what a table hands over written down, and says when that is done."""

    def put(self, batch: Batch) -> None:
        """Have it written."""


@dataclass(frozen=True)
class Stored:
    """A table as it was committed.

    past      the start and the periods of its journal, the last MOST_PERIODS + 1
    people    seat -> the player's id
    credited  seat -> points and share of the periods written down, of those whose part is over
    clock     what its time goes by, and `shift_ms`: what the table is ahead of it
    """

    app: str
    group_id: int
    table: Table
    past: Sequence[Row]
    people: dict[int, int]
    credited: dict[int, tuple[float, float]]
    clock: PlayClock
    shift_ms: int


Look = Callable[["OpenTable"], None]
"""Called with a table that has changed."""


def nobody(_opened: OpenTable) -> None:
    """No agent from outside plays here."""


class OpenTable:
    """See the module's docstring.

    listeners     seat -> the pages of the person on it
    past     what pages are told of what happened
    at       called with a number of milliseconds and a function to be called after them
    ask      asks policies beside the loop (`server.open.asking`); None: all are asked at once
    look     is called when something has changed, for who has the seats of agents from outside
    """

    def __init__(
        self,
        stored: Stored,
        writer: Writes,
        at: At,
        ask: Ask | None = None,
        look: Look = nobody,
    ) -> None:
        self.key = (stored.app, stored.group_id)
        self.table = stored.table
        self.clock, self._shift_ms = stored.clock, stored.shift_ms
        self.listeners: defaultdict[int, set[Listener]] = defaultdict(set)
        self.gone = False
        self._people, self._credited = stored.people, dict(stored.credited)
        self.past = Past(self.table.game, stored.past)
        self._writer, self._look = writer, look
        self._lines = Lines()
        self._told = Told()
        self._questions = Questions(self.table, ask, self.answered)
        self._closed = False
        self._held_up: HeldUp | None = None
        self._alarm = Alarm(at, self.wake)
        self._unsaved = Unsaved()
        self._in_the_air: defaultdict[int, set[str]] = defaultdict(set)
        self._snapshot_at = self.table.entries
        self._sightings_ms = self.now_ms()
        self._questions.put()
        self._plan()

    @property
    def language(self) -> str:
        """In which language its people are spoken to."""
        return str(self.table.options.language)

    def now_ms(self) -> int:
        """What time it is at this table."""
        return self.table.clock_ms(self.clock.now_ms() + self._shift_ms)

    def put_on(self, ms: int) -> None:
        """Be further ahead of the session's clock, so that nobody waits: oTree's bots do not."""
        self._shift_ms += ms

    def sit(self, seat: int, listener: Listener) -> None:
        """A page of the person on this seat is there."""
        self.listeners[seat].add(listener)
        self._plan()

    def leave(self, seat: int, listener: Listener) -> None:
        """It is gone."""
        self.listeners[seat].discard(listener)
        self._plan()

    # -- what comes in ------------------------------------------------------------------------

    def take(self, seat: int, message: Message) -> None:
        """A message of the person on a seat: who is to know hears of it, once it is saved."""
        flying = self._in_the_air[seat]
        counts = message.kind in ("act", "answer")
        if counts and message.id in flying:
            message = Message("alive")  # sent again before it is saved
        elif counts and len(flying) >= MOST_IN_THE_AIR:
            with speaking(self.language):
                reason = _("too many decisions at once; wait until they are saved")
            self.tell(seat, Refusal(reason, message.id).to_json())
            return
        replies = self.exchanged(seat, message)
        if counts and self._unsaved:
            flying.add(message.id)
            self.when_saved(lambda: flying.discard(message.id))
        if replies:
            texts = [(person, envelope(payload)) for person, payload in replies]
            self.when_saved(lambda: self._send(texts))

    def exchanged(self, seat: int, message: Message) -> list[tuple[int, dict[str, Any]]]:
        """Take a message; what is to be told to which seat once all is saved, in order."""
        with speaking(self.language):
            now = self.now_ms()
            outcome = exchange(self.table, seat, message, now, PORTION)
        if message.kind == "shown":
            self._time_line(seat, message.sent_ms, now)
        elif message.kind == "sync":
            self._lines.begin(seat)
        self.write()
        replies = []
        if outcome.answer is not None:
            replies.append((seat, outcome.answer.to_json()))
        whole = seat if message.kind == "sync" else None
        return replies + self._shown(outcome.views or self._others(seat, outcome), whole)

    def _time_line(self, seat: int, sent_ms: int, now: int) -> None:
        """At the time of the message, where all that was due is settled and shown."""
        took_ms, due = self._lines.took(seat, sent_ms), next_due(self.table)
        if took_ms is not None and (due is None or due.at_ms > now):
            self.table.time_line(seat, took_ms, now)

    def _others(self, seat: int, outcome: Exchange) -> dict[int, View]:
        """A choice that nobody else can see is to be seen on the person's other pages."""
        heard = isinstance(outcome.answer, Ack) and len(self.listeners[seat]) > 1
        return {seat: table_view.view(self.table, seat, self.now_ms())} if heard else {}

    def wake(self) -> None:
        """Do what is due, and show it to everybody who can see that something changed."""
        self._alarm.rung()
        if self._alarm.at_ms is not None and self.now_ms() < self._alarm.at_ms:
            self._plan(STANDING_MS)
            return
        self._announce(looked_at(self.table, self.now_ms(), PORTION_ALONE))

    def answered(self, seat: int, period: int, answer: Answer) -> None:
        """A policy has answered for a seat what it was asked in a period."""
        if not self._closed:
            self._announce(answered(self.table, seat, period, answer, self.now_ms()))

    def manage(self, directive: Directive) -> Ack | Refusal:
        """The manager has something done; it holds once all is saved (`when_saved`)."""
        if directive.kind == "go_on":
            stood_ms = self.table.stands_ms(self.clock.now_ms() + self._shift_ms)
            directive = replace(directive, ms=stood_ms)
        answer, views = managed(self.table, directive, self.now_ms(), PORTION)
        self._announce(Exchange(None, views))
        return answer

    def settle(self) -> None:
        """Bring it up to now, and show it to everybody who can see that something changed."""
        now = self.now_ms()
        self._announce(looked_at(self.table, now, PORTION))
        while not self.table.advance(now, 0):
            self._announce(looked_at(self.table, now, PORTION))
        self.write(everything=True)

    def hold_up(self, beat: Beat) -> None:
        """The server was late, so that the play stood still."""
        if not (self._closed or self.table.over):
            held_up = self._held_up or HeldUp(self.now_ms() - SERVED_MS)
            self._held_up = held_up.longer(beat)

    def write_late(self) -> None:
        """Write down how late the server was, if that held up this play."""
        held_up, self._held_up = self._held_up, None
        if held_up is not None and not self._closed:
            now = self.now_ms()
            self._announce(looked_at(self.table, now))
            times = held_up.late_ms, held_up.stood_ms, now - held_up.since_ms
            late_s, stood_s, for_s = (ms / 1000 for ms in times)
            self.table.note_late(late_s, stood_s, for_s, now)
            self.write()

    def _announce(self, outcome: Exchange) -> None:
        self.write()
        texts = [(seat, envelope(payload)) for seat, payload in self._shown(outcome.views, None)]
        if texts:
            self.when_saved(lambda: self._send(texts))

    # -- what goes into the database ----------------------------------------------------------

    def write(self, everything: bool = False) -> None:
        """Hand to the writer what is new. Signs of life wait for something else, or some time."""
        table, now = self.table, self.now_ms()
        old = table.sighted and now - self._sightings_ms > SIGHTINGS_MS
        if table.rows or old or (everything and table.sighted):
            self._put(now)
        self._questions.put()
        self._plan()
        self._look(self)

    def _put(self, now: int) -> None:
        table = self.table
        entries = table.take_rows()
        try:
            rows = [row_of(entry) for entry in entries]
        except Exception:
            self._lose()  # it is read anew, as it was committed
            raise
        self.past = self.past.after(self.table.game, entries, rows)
        news = outcomes(table, self._people, self._credited)
        self._sightings_ms = now
        self._unsaved.write()
        self._writer.put(
            Batch(
                *self.key,
                table.entries - len(rows),
                rows,
                self._snapshot(ended=bool(news)),
                news,
                self._was_saved,
                self.clock,
            )
        )

    def _snapshot(self, ended: bool) -> str | None:
        entries = self.table.entries
        due = entries - self._snapshot_at >= ENTRIES_PER_SNAPSHOT
        if not due and not (ended and self.table.over):
            return None
        self._snapshot_at = entries
        return self.table.to_json()

    def _was_saved(self, there: bool) -> None:
        if not there:
            self._lose()
        self._unsaved.save(not self.gone)

    def _lose(self) -> None:
        self.gone = True
        self.close()

    def when_saved(
        self, function: Callable[[], None], otherwise: Callable[[], None] = nothing
    ) -> None:
        """Call it once all is committed that has been written so far; `otherwise` if it is not."""
        self._unsaved.then(function, otherwise)

    @property
    def unsaved(self) -> int:
        """How many batches wait to be committed."""
        return len(self._unsaved)

    # -- what goes out to pages ---------------------------------------------------------------

    def tell(self, seat: int, payload: dict[str, Any]) -> None:
        """Send to all pages of a seat, now."""
        self._send([(seat, envelope(payload))])

    def _send(self, texts: Sequence[tuple[int, str]]) -> None:
        for seat, text in texts:
            for listener in self.listeners[seat]:
                listener.tell(text)

    def _shown(self, views: dict[int, View], whole: int | None) -> list[tuple[int, dict[str, Any]]]:
        """The views with what follows from them; of one seat with all its history. An agent may
        look at no view but the last: each has all of the talk."""
        all_talk = {whole, *self.table.agents}
        shown = {
            seat: self.past.whole(seat, view) if seat == whole else self.past.beside(seat, view)
            for seat, view in views.items()
        }
        return [
            (seat, self._told.beside(seat, self._stamped(seat, view).to_json(), seat in all_talk))
            for seat, view in shown.items()
        ]

    def _stamped(self, seat: int, view: View) -> View:
        """A view that its page answers at once, where its line is to be measured."""
        measured = self.table.line_ms and seat in self._people
        sent_ms = self._lines.stamp(seat) if measured else None
        return view if sent_ms is None else view._replace(sent_ms=sent_ms)

    # -- its alarm ----------------------------------------------------------------------------

    def _plan(self, least_ms: int = 0) -> None:
        """Ask to be woken when something is due by itself, also where nobody is left to see it."""
        due = None if self.table.over else next_due(self.table)
        self._alarm.set(None if due is None or self.gone else due.at_ms, self.now_ms, least_ms)

    @property
    def idle(self) -> bool:
        """Is the play over, all of it saved, and has nobody a page open here?"""
        done = self.table.over and not self._unsaved and self._held_up is None
        return done and not any(map(self.listeners.get, self._people))

    def close(self) -> None:
        """Nothing happens here any more."""
        self._closed = True
        self._alarm.stop()


def envelope(payload: dict[str, Any]) -> str:
    """A message as oTree's pages expect it."""
    text: bytes = orjson.dumps({"otree_success": True, "live_method_payload": payload})
    return text.decode()
