"""The tables that are open in this server: their memory is the only truth while they are open.

    tables.of(player)        the open table of a person; read from the database when first asked for
    tables.settled(player)   brought up to now, and all of it committed: for pages and timeouts
    tables.manage(player, directive)   the manager has something done at it; committed
    tables.live(loop)        from now on tables live in this loop, and are woken by it; their clocks
                             run as long as it does, and as what they write is saved

Pages of oTree run in threads, sockets in the loop: whoever is in a thread has the loop do it.
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

__all__ = ["NotSaved", "OpenTables", "tables"]

PATIENCE_SECONDS = 2.5
"""How long a page waits for the database before it fails."""

SWEEP_SECONDS = 60.0
"""How often tables that nobody needs in memory are forgotten."""

BEHIND_SECONDS = 1.0
"""What waits longer to be saved stops the clocks: people cannot see how their play goes on."""


class NotSaved(RuntimeError):
    """The database takes nothing at present."""


class OpenTables:
    """All open tables of this process. `writer` makes the one writer, when it is first needed."""

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
        """The one writer of this process."""
        if self._writer is None:
            self._writer = self._make_writer()
        return self._writer

    @property
    def trouble(self) -> Trouble | None:
        """Since when nothing can be saved or read, and why; None: all is well."""
        return self.writer.trouble or away.trouble

    def __len__(self) -> int:
        return len(self._open)

    def __iter__(self) -> Any:
        return iter(list(self._open.values()))

    @property
    def clocks(self) -> set[PlayClock]:
        """The clocks of the plays that are not over."""
        return {opened.clock for opened in self if not (opened.gone or opened.table.over)}

    def live(self, loop: asyncio.AbstractEventLoop) -> None:
        """Let tables live in this loop, which runs in the present thread."""
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
        """Tell the tables that the server was late, and have them write it down in the end."""
        if beat.stood_ms:
            for opened in self:
                opened.hold_up(beat)
        if beat.ends:
            for opened in self:
                opened.write_late()

    def of(self, player: Any) -> OpenTable:
        """The open table of a person. Whoever asks may use oTree's connection now.

        Raises ElsewhereError where another server owns its session.
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
        """The table of a person, brought up to now; all of it is committed. Raises NotSaved."""
        opened = self.of(player)
        self.committed(opened, opened.settle)
        return opened.table

    def manage(self, player: Any, directive: Directive) -> Ack | Refusal:
        """The manager has something done at the table of a person; committed. Raises NotSaved."""
        opened, answers = self.of(player), []
        self.committed(opened, lambda: answers.append(opened.manage(directive)))
        return answers[0]

    def committed(self, opened: OpenTable | OpenLobby, act: Callable[[], object]) -> None:
        """Have something done to what is open; return when all of it is committed.

        What this request has written is committed too: it must not keep the writer waiting. Raises
        NotSaved, at once where the session has been deleted.
        """
        storage.commit()
        saved: Future[None] = Future()

        def run() -> None:
            act()
            opened.when_saved(
                lambda: saved.set_result(None),
                lambda: saved.set_exception(NotSaved("its session is not there any more")),
            )

        self.in_loop(run)
        if self._here():
            self.writer.flush(PATIENCE_SECONDS)
        try:
            saved.result(0 if self._here() else PATIENCE_SECONDS)
        except TimeoutError:
            raise NotSaved("the database takes nothing at present; the log says why") from None

    def _opened(self, stored: Stored) -> OpenTable:
        key = stored.app, stored.group_id
        if key not in self._open or self._open[key].gone:
            self._open[key] = self.opened(stored, self.writer, self.agents.look)
            self.agents.look(self._open[key])
        return self._open[key]

    def opened(self, stored: Stored, writer: Writes, look: Look = nobody) -> OpenTable:
        """A table that lives where the tables live, and is no more known to them than that."""
        ask = None if self._loop is None else self._ask
        if ask is not None:
            self._prepare(stored.table)
        return OpenTable(stored, writer, self.after, ask, look)

    def _prepare(self, table: Table) -> None:
        """Have the processes begin of policies that will be asked in one."""
        setup = table.setup
        for chair in table.seats:
            if chair.policy_id is not None and chair.agent is None:
                policy = setup.policy(chair.policy_id)
                if policy.apart:
                    self._asking.prepare(policy)

    def _here(self) -> bool:
        return self._loop is None or threading.get_ident() == self._thread

    def in_loop(self, function: Callable[[], Any]) -> Any:
        """Do it where the tables live."""
        if self._here() or self._loop is None:
            return function()
        result: Future[Any] = Future()

        def run() -> None:
            try:
                result.set_result(function())
            except BaseException as error:  # noqa: BLE001  the thread that asked raises it
                result.set_exception(error)

        self._loop.call_soon_threadsafe(run)
        return result.result()

    def after(self, ms: int, function: Callable[[], None]) -> Any:
        """Call it after so many milliseconds; never, where there is no loop."""
        return None if self._loop is None else self._loop.call_later(max(ms, 0) / 1000, function)

    def _ask(self, question: Question, tell: Callable[[Answer], None]) -> None:
        """Ask a policy beside the loop; what it answers is told in the loop."""
        loop = self._loop
        if loop is not None:
            self._asking.ask(question, lambda answer: loop.call_soon_threadsafe(tell, answer))

    def _sweep(self) -> None:
        """Forget the tables that nobody needs in memory."""
        for key, opened in list(self._open.items()):
            if opened.idle or opened.gone:
                opened.close()
                self.agents.forget(opened)
                del self._open[key]
        if self._loop is not None:
            self._loop.call_later(SWEEP_SECONDS, self._sweep)


def _stored(player: Any) -> Stored:
    """The table of a player's group, from the database."""
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
        saving,  # needs oTree's models, which are there when a table is opened
    )

    return saving.writer(lambda: tables.clocks)


def _introduced(opened: OpenTable, seat: int) -> dict[str, Any]:
    from mixed_company.server.outside import (
        words,  # needs the apps, which are there when a table is opened
    )

    return words.introduced(opened, seat)


tables = OpenTables(_writer)
