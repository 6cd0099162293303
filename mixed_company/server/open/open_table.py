"""Table that is open on this server: messages come in, entries go to the database, then views go
out.

    take     handle a person's message; replies and views are sent once everything is saved
    wake     handle a scheduled event: a deadline, a takeover, a bot's answer
    answered handle the answer of a policy that was asked outside the loop
    settle   bring the table up to date when the caller is not a page
    show     return everything that a page needs when it is first drawn
    hold_up  record that the server was late; `write_late`: write this to the journal once the delay
             is over
    manage   carry out a manager's directive

While a table is open, its state in memory is authoritative. It is used only in the event loop's
thread.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from mixed_company.language import gettext as _
from mixed_company.language import speaking
from mixed_company.policies.policy import Answer
from mixed_company.server import clock
from mixed_company.server.clock import Alarm, CallAfter
from mixed_company.server.keeping.storage import Row, entry_of, row_of
from mixed_company.server.keeping.writer import Batch
from mixed_company.server.lateness import Beat, HeldUp
from mixed_company.server.open.asking import Ask, Questions
from mixed_company.server.open.group import outcomes
from mixed_company.server.open.outgoing import Listener, Outgoing, Unsaved, envelope, nothing
from mixed_company.server.open.showing import Past
from mixed_company.server.play_clock import PlayClock
from mixed_company.table import view as table_view
from mixed_company.table.directives import Directive
from mixed_company.table.exchange import Exchange, answered, exchange, looked_at, managed
from mixed_company.table.protocol import Ack, Message, Refusal, View
from mixed_company.table.table import Table

PORTION = 100
"""Maximum number of periods settled per message, so that a play that is far behind does not delay
other tables. The page that sent the message sees that no time is left, and sends the message again.
"""

PORTION_ALONE = 1
"""Number of periods that a table settles at once before other tables get their turn."""

MOST_UNSAVED = 8
"""Maximum number of a person's unsaved decisions. Any others are rejected until these are saved."""

SIGHTINGS_MS = 5000
"""Maximum time for which records of people's presence stay unsaved; a crash would lose them."""

ENTRIES_PER_SNAPSHOT = 200

SERVED_MS = round(1000 * clock.LONGEST_SECONDS)
"""Maximum time between two beats of the loop that still counts as playing time."""

RECHECK_MS = 100
"""Delay before the next check if the table's clock has not yet reached the time of the alarm."""


class Writes(Protocol):
    """Writer of a table's batches, which reports when they are saved."""

    def put(self, batch: Batch) -> None:
        """Queue a batch for writing."""


@dataclass(frozen=True)
class Stored:
    """Table in its committed state.

    past      the start and period entries of its journal, at most the last MOST_PERIODS + 1
    people    seat -> player id
    credited  seat -> points and share of periods that have been written, for people whose part is
              over
    clock     the session's clock; `shift_ms`: how far the table is ahead of it
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
"""Function that is called after a table has changed."""


def nobody(_opened: OpenTable) -> None:
    """Ignore a change, because no outside agents are playing here."""


class OpenTable:
    """Open table; see the module's docstring.

    listeners   seat -> the pages of the person in it
    call_after  calls a function after some milliseconds
    ask         asks policies outside the loop (`server.open.asking`); if it is None, the table asks
                them
    look        called after a change; assigns seats to outside agents
    """

    def __init__(
        self,
        stored: Stored,
        writer: Writes,
        call_after: CallAfter,
        ask: Ask | None = None,
        look: Look = nobody,
    ) -> None:
        self.key = (stored.app, stored.group_id)
        self.table = stored.table
        self.clock, self._shift_ms = stored.clock, stored.shift_ms
        self.gone = False
        self._people, self._credited = stored.people, dict(stored.credited)
        self._pages = Outgoing(self.table, stored.people, map(entry_of, stored.past))
        self.listeners = self._pages.listeners
        self._writer, self._look = writer, look
        self._questions = Questions(self.table, ask, self.answered)
        self._closed = False
        self._held_up: HeldUp | None = None
        self._alarm = Alarm(call_after, self.wake)
        self._unsaved = Unsaved()
        self._pending_ids: defaultdict[int, set[str]] = defaultdict(set)
        self._snapshot_at = self.table.entries
        self._sightings_ms = self.now_ms()
        self._questions.put()
        self._plan()

    @property
    def language(self) -> str:
        """Language of the people at the table."""
        return str(self.table.options.language)

    @property
    def past(self) -> Past:
        """The table's history, as pages see it."""
        return self._pages.past

    def now_ms(self) -> int:
        """Return the time at this table."""
        return self.table.clock_ms(self.clock.now_ms() + self._shift_ms)

    def put_on(self, ms: int) -> None:
        """Advance the table's clock beyond the session's clock, because oTree's bots do not
        wait.
        """
        self._shift_ms += ms

    def sit(self, seat: int, listener: Listener) -> None:
        """Add a page of the person in this seat."""
        self.listeners[seat].add(listener)
        self._plan()

    def leave(self, seat: int, listener: Listener) -> None:
        """Remove a page."""
        self.listeners[seat].discard(listener)
        self._plan()

    # -- incoming ------------------------------------------------------------------------------

    def take(self, seat: int, message: Message) -> list[tuple[int, dict[str, Any]]]:
        """Handle a message from the person in this seat, and return the replies as (seat, payload).
        They are sent to pages after the commit.
        """
        pending = self._pending_ids[seat]
        counts = message.kind in ("act", "answer")
        if counts and message.id in pending:
            message = Message("alive")  # a repetition of a decision that has not been saved yet
        elif counts and len(pending) >= MOST_UNSAVED:
            with speaking(self.language):
                reason = _("too many decisions at once; wait until they are saved")
            refused = Refusal(reason, message.id).to_json()
            self.tell(seat, refused)
            return [(seat, refused)]
        replies = self.exchanged(seat, message)
        if counts and self._unsaved:
            pending.add(message.id)
            self.when_saved(lambda: pending.discard(message.id))
        if replies:
            texts = [(person, envelope(payload)) for person, payload in replies]
            self.when_saved(lambda: self._pages.send(texts))
        return replies

    def exchanged(self, seat: int, message: Message) -> list[tuple[int, dict[str, Any]]]:
        """Handle a message; return the replies as (seat, payload), to be sent after the commit."""
        with speaking(self.language):
            now = self.now_ms()
            outcome = exchange(self.table, seat, message, now, PORTION)
        if message.kind == "shown":
            self._time_line(seat, message.sent_ms, now)
        elif message.kind == "sync":
            self._pages.lines.begin(seat)
        self.write()
        replies = []
        if outcome.answer is not None:
            replies.append((seat, outcome.answer.to_json()))
        whole = seat if message.kind == "sync" else None
        return replies + self._pages.shown(outcome.views or self._others(seat, outcome), whole)

    def _time_line(self, seat: int, sent_ms: int, now: int) -> None:
        """Record a page's latency when its message arrives, unless the table still has to catch
        up.
        """
        took_ms, due = self._pages.lines.took(seat, sent_ms), self.table.due
        if took_ms is not None and (due is None or due.at_ms > now):
            self.table.time_line(seat, took_ms, now)

    def _others(self, seat: int, outcome: Exchange) -> dict[int, View]:
        """Return a view for the person's other open pages after a choice that nobody else can
        see.
        """
        heard = isinstance(outcome.answer, Ack) and len(self.listeners[seat]) > 1
        return {seat: table_view.view(self.table, seat, self.now_ms())} if heard else {}

    def wake(self) -> None:
        """Settle everything that is due, and show the changes to everyone who can see them."""
        self._alarm.rung()
        if self._alarm.at_ms is not None and self.now_ms() < self._alarm.at_ms:
            self._plan(RECHECK_MS)
            return
        self._announce(looked_at(self.table, self.now_ms(), PORTION_ALONE))

    def answered(self, seat: int, period: int, answer: Answer) -> None:
        """Handle a policy's answer for this seat and period."""
        if not self._closed:
            self._announce(answered(self.table, seat, period, answer, self.now_ms()))

    def manage(self, directive: Directive) -> Ack | Refusal:
        """Carry out a manager's directive, which takes effect once it is saved (`when_saved`)."""
        if directive.kind == "go_on":
            stood_ms = self.table.stands_ms(self.clock.now_ms() + self._shift_ms)
            directive = replace(directive, ms=stood_ms)
        answer, views = managed(self.table, directive, self.now_ms(), PORTION)
        self._announce(Exchange(None, views))
        return answer

    def settle(self) -> None:
        """Bring the table up to date, and show the changes to everyone who can see them."""
        now = self.now_ms()
        self._announce(looked_at(self.table, now, PORTION))
        while not self.table.advance(now, 0):
            self._announce(looked_at(self.table, now, PORTION))
        self.write(everything=True)

    def show(self, seat: int) -> dict[str, Any]:
        """Return a seat's complete view for a page that the server is about to send
        (`when_saved`).
        """
        now = self.now_ms()
        self._announce(looked_at(self.table, now, PORTION))
        return self.past.whole(seat, table_view.view(self.table, seat, now)).to_json()

    def hold_up(self, beat: Beat) -> None:
        """Record that the server was late and that play was therefore halted."""
        if not (self._closed or self.table.over):
            held_up = self._held_up or HeldUp(self.now_ms() - SERVED_MS)
            self._held_up = held_up.longer(beat)

    def write_late(self) -> None:
        """Write to the journal how late the server was, if that delayed this play."""
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
        texts = [(seat, envelope(payload)) for seat, payload in self._pages.shown(outcome.views)]
        if texts:
            self.when_saved(lambda: self._pages.send(texts))

    # -- database ------------------------------------------------------------------------------

    def write(self, everything: bool = False) -> None:
        """Queue new entries for writing. Sightings wait for other entries, or for SIGHTINGS_MS."""
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
            self._lose()  # the table is read again as it was committed
            raise
        self._pages.add(entries)
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

    def _was_saved(self, exists: bool) -> None:
        if not exists:
            self._lose()
        self._unsaved.save(not self.gone)

    def _lose(self) -> None:
        self.gone = True
        self.close()

    def when_saved(
        self, function: Callable[[], None], otherwise: Callable[[], None] = nothing
    ) -> None:
        """Call `function` once everything written so far is committed; on failure, call `otherwise`
        instead."""
        self._unsaved.then(function, otherwise)

    @property
    def unsaved(self) -> int:
        """Number of batches waiting to be committed."""
        return len(self._unsaved)

    # -- outgoing ------------------------------------------------------------------------------

    def tell(self, seat: int, payload: dict[str, Any]) -> None:
        """Send a message to all pages of a seat immediately."""
        self._pages.send([(seat, envelope(payload))])

    # -- alarm ---------------------------------------------------------------------------------

    def _plan(self, least_ms: int = 0) -> None:
        """Set the alarm for the next scheduled event, even if nobody is there to see it."""
        due = None if self.table.over else self.table.due
        self._alarm.set(None if due is None or self.gone else due.at_ms, self.now_ms, least_ms)

    @property
    def idle(self) -> bool:
        """True if the play is over and saved, and nobody has a page open."""
        done = self.table.over and not self._unsaved and self._held_up is None
        return done and not any(map(self.listeners.get, self._people))

    def close(self) -> None:
        """Stop the table, so that nothing more happens here."""
        self._closed = True
        self._alarm.stop()
