"""Lobby that is open on this server. It notifies connected people of changes.

    enter    admit a person who has reached the lobby
    take     handle a person's message
    wake     handle a scheduled event: a waiting time has ended, or a person has been silent for too
             long
    part     remove a person who leaves the lobby without a group
    hurry,   release, write carry out one of the manager's directives

While the lobby is open, nothing else changes people's statuses, assigns seats or forms groups.
Changes are sent to pages after they are committed. The lobby is used only in the event loop's
thread.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mixed_company.server import clock
from mixed_company.server.blocks.apps import block_of
from mixed_company.server.clock import Alarm, CallAfter
from mixed_company.server.keeping.writer import LobbyBatch, NewGroup, Standing, Writer
from mixed_company.server.open.group import new_group
from mixed_company.server.open.outgoing import Listener, Unsaved, envelope, nothing
from mixed_company.server.play_clock import PlayClock
from mixed_company.server.treatments import NONE
from mixed_company.table.lobby import Change, Lobby, Waiting, refusal
from mixed_company.table.meeting import Companies, Meeting
from mixed_company.table.protocol import LobbyView, Message
from mixed_company.table.setup import Setup

LOOK_AGAIN_MS = 10_000
"""Interval at which the lobby of a later block rereads who is expected."""


@dataclass(frozen=True)
class StoredLobby:
    """A session's lobby in its committed state.

    setups    setups by treatment; `NONE` for people without a treatment
    waiting   waiting people; their pages are not connected yet
    formed    number of groups formed so far
    group     columns that all groups of the session have in common
    clock     clock of the groups' tables
    meeting   who plays with whom in a later block; None if groups form in the order of arrival
    """

    app: str
    subsession_id: int
    setups: Mapping[str, Setup]
    waiting: Sequence[Waiting]
    formed: int
    group: Mapping[str, Any]
    clock: PlayClock
    meeting: Companies | None = None


class OpenLobby:
    """Open lobby; see the module's docstring.

    listeners   player id -> the pages of the person
    gone        True if the session was deleted or this state is outdated, so the lobby is
                reread
    call_after  calls a function after some milliseconds
    """

    def __init__(self, stored: StoredLobby, writer: Writer, call_after: CallAfter) -> None:
        self.key = (stored.app, stored.subsession_id)
        options = {name: setup.options for name, setup in stored.setups.items()}
        kind = Lobby if stored.meeting is None else Meeting
        self.lobby = kind(options[NONE], stored.waiting, options)
        self.listeners: defaultdict[int, set[Listener]] = defaultdict(set)
        self.gone = False
        self._stored, self._formed = stored, stored.formed
        self._parted: dict[int, str] = {}
        self._writer = writer
        self._unsaved = Unsaved()
        self._alarm = Alarm(call_after, self.wake)
        self._here = 0
        self._seats: dict[int, int] = {}
        self._read_ms: dict[int, int] = {}
        self._expect(stored.meeting)

    # -- arrivals and departures -----------------------------------------------------------------

    def enter(
        self,
        player_id: int,
        status: str,
        treatment: str = NONE,
        meeting: Companies | None = None,
    ) -> None:
        """Add a person who arrives or returns.

        `status` and `meeting` (who plays with whom) come from the database.
        """
        self._expect(meeting)
        now = clock.now_ms()
        standings = []
        if player_id in self.lobby.waiting:
            self.lobby.hear(player_id, now)
        elif player_id not in self._parted and status == "arriving":
            self.lobby.arrive(player_id, now, treatment)
            values = {"status": "waiting", "arrived_ms": float(now), "heard_ms": float(now)}
            standings.append(Standing(player_id, ("arriving",), values))
        else:
            self._parted.setdefault(player_id, status)
        self._settle(now, standings)

    def is_stale(self, player_id: int) -> bool:
        """Return whether the person's group must be reread with `enter`. Members may have left the
        previous block since the group was last read.
        """
        since = clock.now_ms() - self._read_ms.get(player_id, 0)
        waits = isinstance(self.lobby, Meeting) and player_id in self.lobby.waiting
        return waits and since >= LOOK_AGAIN_MS

    def _expect(self, meeting: Companies | None) -> None:
        """Update the expected people; omit people whose departure is not saved yet."""
        if meeting is not None and isinstance(self.lobby, Meeting):
            listed = [key for company in meeting.companies for key in company]
            self._read_ms |= dict.fromkeys(listed, clock.now_ms())
            self._seats |= meeting.seats
            present = [
                tuple(key for key in company if key not in self._parted)
                for company in meeting.companies
            ]
            self.lobby.expect(present, meeting.open)

    def part(self, player_id: int, status: str) -> None:
        """Remove a person who has pressed the button to leave, even if the person is not
        waiting."""
        waited = self.lobby.part(player_id)
        if waited or (player_id not in self._parted and status == "arriving"):
            self._parted[player_id] = "left"
            now = clock.now_ms()
            left = Standing(player_id, ("arriving", "waiting"), {"status": "left"}, now)
            self._settle(now, [left])

    def hurry(self, player_id: int) -> None:
        """End a person's waiting time because the manager ordered it."""
        self.lobby.hurry(player_id)
        self._settle(clock.now_ms())

    def release(self, player_id: int, managed: str, status: str = "released") -> bool:
        """End the participation of a person without a seat; return False if the person has a seat
        or has left.

        `status` is `released` (with pay) or `excluded` (without pay). `managed` is a record, as
        JSON, of the manager's previous actions for the person.
        """
        if player_id in self._parted:
            return False
        now = clock.now_ms()
        self.lobby.part(player_id)
        self._parted[player_id] = status
        values = {"status": status, "managed": managed}
        self._settle(now, [Standing(player_id, ("arriving", "waiting"), values, now)])
        self._show([player_id], now)
        return True

    def write(self, player_id: int, note: dict[str, str], managed: str) -> bool:
        """Send a manager's note to a person. Return False if the person is not waiting here."""
        if player_id not in self.lobby.waiting:
            return False
        now = clock.now_ms()
        self.lobby.write(player_id, note)
        self._settle(now, [Standing(player_id, ("waiting",), {"managed": managed})])
        self._show([player_id], now)
        return True

    def sit(self, player_id: int, listener: Listener) -> None:
        """Add one of this person's pages."""
        self.listeners[player_id].add(listener)

    def leave(self, player_id: int, listener: Listener) -> None:
        """Remove a page."""
        self.listeners[player_id].discard(listener)
        if not self.listeners[player_id]:
            del self.listeners[player_id]
            self.lobby.leave(player_id)
            self._settle(clock.now_ms())

    def take(self, player_id: int, message: Message) -> None:
        """Handle a message from a person; replies are sent after the commit."""
        now = clock.now_ms()
        self.lobby.hear(player_id, now)
        shown = self._settle(now)
        refused = refusal(message)
        if refused is not None:
            self._tell(player_id, refused.to_json())
        elif message.kind in ("sync", "tick") and player_id not in shown:
            self._show([player_id], now)

    def wake(self) -> None:
        """Settle scheduled events."""
        self._alarm.stop()
        self._settle(clock.now_ms())

    # -- consequences ---------------------------------------------------------------------------

    def _settle(self, now: int, standings: Iterable[Standing] = ()) -> set[int]:
        """Form groups, extend waiting times and release people; return the people who see a
        change.
        """
        if self.gone:
            return set()
        try:
            shown = self._changed(now, list(standings))
        except BaseException:
            self.close()  # the lobby is reread as it was committed
            raise
        self._plan(now)
        return shown

    def _changed(self, now: int, standings: list[Standing]) -> set[int]:
        treatments = {key: person.treatment for key, person in self.lobby.waiting.items()}
        changes = self.lobby.advance(now)
        groups = self._follow(changes, treatments, standings, now)
        if standings or groups:
            self._put(standings, groups)
        concerned = {key for change in changes for key in change.keys}
        here, before = self.lobby.here(now), self._here
        self._here = here
        moved = here != before or any(change.kind != "ask" for change in changes)
        if moved:
            concerned |= self.lobby.counting()
        self._show(concerned, now)
        return concerned

    def _follow(
        self,
        changes: Iterable[Change],
        treatments: Mapping[int, str],
        standings: list[Standing],
        now: int,
    ) -> list[NewGroup]:
        """Return the newly formed groups, each within one treatment; add changes to `standings`."""
        groups = []
        for change in changes:
            if change.kind == "form":
                here = next(key for key in change.keys if key in treatments)
                groups.append(self._group(change.keys, treatments[here], now))
                self._parted.update(dict.fromkeys(change.keys, "seated"))
            elif change.kind == "extend":
                standings += [
                    Standing(key, ("waiting",), {"extended": True}) for key in change.keys
                ]
            elif change.kind in ("release", "leave"):
                status = "released" if change.kind == "release" else "left"
                self._parted.update(dict.fromkeys(change.keys, status))
                parted = {"status": status}
                standings += [Standing(key, ("waiting",), parted, now) for key in change.keys]
        return groups

    def _group(self, people: Sequence[int], treatment: str, now: int) -> NewGroup:
        self._formed += 1
        shift_ms = now - self._stored.clock.now_ms()
        setup = self._stored.setups[treatment]
        block = block_of(self._stored.app)
        seats = [self._seats[key] for key in people] if self._seats else None
        return new_group(setup, self._formed, people, now, shift_ms, treatment, block, seats)

    def _put(self, standings: Sequence[Standing], groups: Sequence[NewGroup]) -> None:
        self._unsaved.write()
        columns, dated_by = self._stored.group, self._stored.clock if groups else None
        self._writer.put(
            LobbyBatch(*self.key, columns, standings, groups, self._was_saved, dated_by)
        )

    def _was_saved(self, exists: bool) -> None:
        if not exists:
            self.close()
        self._unsaved.save(not self.gone)

    def when_saved(
        self, function: Callable[[], None], otherwise: Callable[[], None] = nothing
    ) -> None:
        """Call `function` once everything written so far is committed; on failure, call `otherwise`
        instead."""
        self._unsaved.then(function, otherwise)

    # -- outgoing -------------------------------------------------------------------------------

    def _show(self, people: Iterable[int], now: int) -> None:
        """Send people their current statuses, once these are saved."""
        for player_id in people:
            if player_id in self.listeners:
                self._tell(player_id, self._view(player_id, now).to_json())

    def _view(self, player_id: int, now: int) -> LobbyView:
        if player_id in self.lobby.waiting:
            return self.lobby.view(player_id, now)
        return LobbyView(self._parted[player_id])

    def _tell(self, player_id: int, payload: dict[str, Any]) -> None:
        text = envelope(payload)

        def send() -> None:
            for listener in self.listeners.get(player_id, ()):
                listener.tell(text)

        self.when_saved(send)

    # -- alarm ----------------------------------------------------------------------------------

    def _plan(self, now: int) -> None:
        """Set the alarm for the next scheduled event."""
        self._alarm.set(self.lobby.next_due(now), lambda: now)

    @property
    def language(self) -> str:
        """Language of the people in the lobby."""
        return str(self.lobby.options.language)

    @property
    def idle(self) -> bool:
        """True if nobody is here, and there is nothing left to save or remember."""
        waiting = self.lobby.waiting.values()
        managed = any(person.hurried or person.note is not None for person in waiting)
        return not (self._unsaved or self.listeners or self.people or managed)

    @property
    def people(self) -> int:
        """Number of connected people who are waiting."""
        return self.lobby.here(clock.now_ms())

    def close(self) -> None:
        """Stop the lobby, so that nothing more happens here."""
        self.gone = True
        self._alarm.stop()
