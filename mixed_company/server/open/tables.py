"""Tables that are open on this server; while a table is open, its state in memory is authoritative.

    tables.of(player)        a person's open table, read from the database on first use
    tables.settled(player)   the same table, brought up to date and committed: for pages and
                             timeouts
    tables.seen(player)      the first view for the person's page, once it is committed
    tables.manage(player, directive)   carry out a manager's directive at the table; returns once
                             it is committed
    tables.live(loop)        run the tables in this loop, which settles events that are due. The
                             tables' clocks run while the loop runs and the database keeps up

oTree's pages run in threads, and sockets in the loop; threads call `in_loop`.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

from mixed_company.policies.policy import Answer
from mixed_company.server import clock
from mixed_company.server.fleet import owners
from mixed_company.server.keeping import storage
from mixed_company.server.keeping.away import away
from mixed_company.server.keeping.writer import Trouble, Writer
from mixed_company.server.lateness import Beat, lateness
from mixed_company.server.open.agents import Agents
from mixed_company.server.open.asking import Asking
from mixed_company.server.open.open_lobby import OpenLobby
from mixed_company.server.open.open_table import Look, OpenTable, Stored, Writes, nobody
from mixed_company.server.open.showing import MOST_PERIODS
from mixed_company.server.play_clock import PlayClock, clock_of
from mixed_company.table.answers import Question
from mixed_company.table.directives import Directive
from mixed_company.table.protocol import Ack, Refusal
from mixed_company.table.table import Table

PATIENCE_SECONDS = 2.5
"""Maximum time that a page waits for the database before it fails."""

SWEEP_SECONDS = 60.0
"""Interval at which unused tables are removed from memory."""

BEHIND_SECONDS = 1.0
"""Age of the oldest unsaved batch at which clocks stop, because people then do not see their play
advance.
"""


class NotSaved(RuntimeError):
    """Error raised if the database is not accepting writes."""


class OpenTables:
    """All open tables of this process. `writer` creates the only writer, on first use."""

    def __init__(self, writer: Callable[[], Writer]) -> None:
        self._make_writer = writer
        self._writer: Writer | None = None
        self._open: dict[tuple[str, int], OpenTable] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = 0
        self._asking = Asking()
        self.agents = Agents(_introduced)

    @property
    def writer(self) -> Writer:
        """The only writer of this process."""
        if self._writer is None:
            self._writer = self._make_writer()
        return self._writer

    @property
    def trouble(self) -> Trouble | None:
        """Start and cause of the current database failure, or None."""
        return self.writer.trouble or away.trouble

    def __len__(self) -> int:
        return len(self._open)

    def __iter__(self) -> Any:
        return iter(list(self._open.values()))

    @property
    def clocks(self) -> set[PlayClock]:
        """Clocks of plays that are not over."""
        return {opened.clock for opened in self if not (opened.gone or opened.table.over)}

    def live(self, loop: asyncio.AbstractEventLoop) -> None:
        """Run the tables in this loop, which belongs to the current thread."""
        if self._loop is not loop:
            self._loop, self._thread = loop, threading.get_ident()
            self.writer.wake = partial(loop.call_soon_threadsafe, self.writer.deliver)
            self.writer.begin()
            self._beat()
            loop.call_later(SWEEP_SECONDS, self._sweep)

    def _beat(self) -> None:
        behind = self.writer.behind()
        silence = clock.beat(serving=behind < BEHIND_SECONDS)
        if self._loop is not None:
            self._loop.call_later(clock.BEAT_SECONDS, self._beat)
        self._hold_up(lateness.beat(clock.now_ms(), silence, round(1000 * behind)))

    def _hold_up(self, beat: Beat) -> None:
        """Report a delay of the server to the tables, which write it to their journals when it
        ends.
        """
        if beat.stood_ms:
            for opened in self:
                opened.hold_up(beat)
        if beat.ends:
            for opened in self:
                opened.write_late()

    def of(self, player: Any) -> OpenTable:
        """Return a person's open table. The caller must hold oTree's connection.

        Raises ElsewhereError if another server owns the session.
        """
        key = player.get_folder_name(), player.group_id
        opened = self._open.get(key)
        if opened is None or opened.gone:
            person = player.participant
            owners.check(person._session_code, person.code)
            stored = _stored(player)
            opened = self.in_loop(lambda: self._opened(stored))
        return opened

    def settled(self, player: Any) -> Table:
        """Return a person's table, up to date and committed. Raises NotSaved."""
        opened = self.of(player)
        self.committed(opened, opened.settle)
        return opened.table

    def seen(self, player: Any) -> dict[str, Any]:
        """Return a person's complete view for a page, once it is committed. Raises NotSaved."""
        opened, views = self.of(player), []
        self.committed(opened, lambda: views.append(opened.show(player.seat)))
        return views[0]

    def manage(self, player: Any, directive: Directive) -> Ack | Refusal:
        """Carry out a manager's directive at a person's table, and commit. Raises NotSaved."""
        opened, answers = self.of(player), []
        self.committed(opened, lambda: answers.append(opened.manage(directive)))
        return answers[0]

    def committed(self, opened: OpenTable | OpenLobby, act: Callable[[], object]) -> None:
        """Call `act` in the loop; return once everything is committed. The request's own writes are
        committed first, because they must not block the writer. Raises NotSaved, immediately if the
        session has been deleted.
        """
        storage.commit()
        saved: Future[None] = Future()

        def run() -> None:
            act()
            opened.when_saved(
                lambda: saved.set_result(None),
                lambda: saved.set_exception(NotSaved("its session no longer exists")),
            )

        self.in_loop(run)
        if self._here():
            self.writer.flush(PATIENCE_SECONDS)
        try:
            saved.result(0 if self._here() else PATIENCE_SECONDS)
        except TimeoutError:
            raise NotSaved("the database is not accepting writes; see the log") from None

    def _opened(self, stored: Stored) -> OpenTable:
        key = stored.app, stored.group_id
        if key not in self._open or self._open[key].gone:
            self._open[key] = self.opened(stored, self.writer, self.agents.look)
            self.agents.look(self._open[key])
        return self._open[key]

    def opened(self, stored: Stored, writer: Writes, look: Look = nobody) -> OpenTable:
        """Return a new open table that runs in this loop but is not one of these tables."""
        ask = None if self._loop is None else self._ask
        if ask is not None:
            self._prepare(stored.table)
        return OpenTable(stored, writer, self.after, ask, look)

    def _prepare(self, table: Table) -> None:
        """Start processes for policies that will be asked in processes."""
        setup = table.setup
        for seat in table.seats:
            if seat.policy_id is not None and seat.agent is None:
                policy = setup.policy(seat.policy_id)
                if policy.apart:
                    self._asking.prepare(policy)

    def _here(self) -> bool:
        return self._loop is None or threading.get_ident() == self._thread

    def in_loop(self, function: Callable[[], Any]) -> Any:
        """Call a function in the tables' loop, and return its result."""
        if self._here() or self._loop is None:
            return function()
        result: Future[Any] = Future()

        def run() -> None:
            try:
                result.set_result(function())
            except BaseException as error:  # noqa: BLE001  the calling thread raises it
                result.set_exception(error)

        self._loop.call_soon_threadsafe(run)
        return result.result()

    def after(self, ms: int, function: Callable[[], None]) -> Any:
        """Call a function after some milliseconds, or never if there is no loop."""
        return None if self._loop is None else self._loop.call_later(max(ms, 0) / 1000, function)

    def _ask(self, question: Question, tell: Callable[[Answer], None]) -> None:
        """Ask a policy outside the loop; `tell` is called in the loop."""
        loop = self._loop
        if loop is not None:
            self._asking.ask(question, lambda answer: loop.call_soon_threadsafe(tell, answer))

    def _sweep(self) -> None:
        """Drop tables that are idle or no longer exist."""
        for key, opened in list(self._open.items()):
            if opened.idle or opened.gone:
                opened.close()
                self.agents.forget(opened)
                del self._open[key]
        if self._loop is not None:
            self._loop.call_later(SWEEP_SECONDS, self._sweep)


def _stored(player: Any) -> Stored:
    """Read the table of a player's group from the database."""
    app, group, log = player.get_folder_name(), player.group, storage.log_class(player)
    table = storage.read(group, log)
    ticking, shift_ms = clock_of(group.session_id), int(group.shift_ms)
    ticking.reach(storage.latest_ms(log, group.id) + table.stood_ms - shift_ms + 1)
    members = type(player).objects_filter(group_id=group.id)
    players = [member for member in members if member.seat >= 0]
    return Stored(
        app,
        group.id,
        table,
        storage.last_of(log, group.id, MOST_PERIODS + 1),
        {other.seat: other.id for other in players},
        {
            other.seat: (other.points, other.played_share)
            for other in players
            if other.status != "seated"
        },
        ticking,
        shift_ms,
    )


def _writer() -> Writer:
    from mixed_company.server.keeping import (
        saving,  # needs oTree's models, which are loaded by the time a table is opened
    )

    return saving.writer(lambda: tables.clocks)


def _introduced(opened: OpenTable, seat: int) -> dict[str, Any]:
    from mixed_company.server.outside import (
        words,  # needs the apps, which are loaded by the time a table is opened
    )

    return words.introduced(opened, seat)


tables = OpenTables(_writer)
