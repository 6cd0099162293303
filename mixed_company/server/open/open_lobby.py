"""A lobby that is open in this server: people who are connected are its ears, and are told when
something changes.

    enter    a person has come as far as the lobby
    take     a message of a person
    wake     something is due by itself: a promise is over, somebody is silent for too long
    part     a person's time in the lobby is over without a group
    hurry, release, write   the manager has something done

While it is open nothing else changes how its people stand: seats are given and groups are formed
here alone. Whatever changes is told once it is committed. It lives in the thread of the loop.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mixed_company.server import clock
from mixed_company.server.blocks.apps import block_of
from mixed_company.server.keeping.unsaved import Unsaved, nothing
from mixed_company.server.keeping.writer import LobbyBatch, NewGroup, Standing, Writer
from mixed_company.server.open.alarm import Alarm, At
from mixed_company.server.open.group import new_group
from mixed_company.server.open.open_table import Listener, envelope
from mixed_company.server.play_clock import PlayClock
from mixed_company.server.treatments import NONE
from mixed_company.table.lobby import Change, Lobby, Waiting, refusal
from mixed_company.table.meeting import Companies, Meeting
from mixed_company.table.protocol import LobbyView, Message
from mixed_company.table.setup import Setup

__all__ = ["OpenLobby", "StoredLobby"]


LOOK_AGAIN_MS = 10_000
"""So often it is asked anew who is still to come to a later block."""


@dataclass(frozen=True)
class StoredLobby:
    """A session's lobby as it was committed.

    setups    by treatment; `NONE`: of who has none
    waiting   who waits; where their pages are, nobody knows yet
    formed    how many groups were formed
    group     the columns that all groups of the session have in common
    clock     what the time of their tables will go by
    meeting   who plays with whom, in a block after the first; None: in the order of arrival
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
    """See the module's docstring.

    listeners   player id -> the pages of the person
    gone   the session was deleted, or stands otherwise than this lobby knows: it is read anew
    at     called with a number of milliseconds and a function to be called after them
    """

    def __init__(self, stored: StoredLobby, writer: Writer, at: At) -> None:
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
        self._alarm = Alarm(at, self.wake)
        self._here = 0
        self._seats: dict[int, int] = {}
        self._known_ms: dict[int, int] = {}
        self._expect(stored.meeting)

    # -- who comes, and who goes --------------------------------------------------------------

    def enter(
        self,
        player_id: int,
        status: str,
        treatment: str = NONE,
        meeting: Companies | None = None,
    ) -> None:
        """A person has come, or is back; `status` is how he or she stands in the database, and
        `meeting` who plays with whom, as far as it is known there."""
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
        """May somebody with whom a person here is to play have left in the block before, since it
        was read who is expected? Then `enter` once more."""
        since = clock.now_ms() - self._known_ms.get(player_id, 0)
        waits = isinstance(self.lobby, Meeting) and player_id in self.lobby.waiting
        return waits and since >= LOOK_AGAIN_MS

    def _expect(self, meeting: Companies | None) -> None:
        """Who has parted here is expected no more, whatever the database knows yet."""
        if meeting is not None and isinstance(self.lobby, Meeting):
            listed = [key for company in meeting.companies for key in company]
            self._known_ms |= dict.fromkeys(listed, clock.now_ms())
            self._seats |= meeting.seats
            self.lobby.expect(
                tuple(key for key in company if key not in self._parted)
                for company in meeting.companies
            )

    def part(self, player_id: int, status: str) -> None:
        """A person waits no more, or never did, and goes by the button."""
        waited = self.lobby.part(player_id)
        if waited or (player_id not in self._parted and status == "arriving"):
            self._parted[player_id] = "left"
            now = clock.now_ms()
            left = Standing(player_id, ("arriving", "waiting"), {"status": "left"}, now)
            self._settle(now, [left])

    def hurry(self, player_id: int) -> None:
        """The promise to a person is over, because the manager said so."""
        self.lobby.hurry(player_id)
        self._settle(clock.now_ms())

    def release(self, player_id: int, managed: str, status: str = "released") -> bool:
        """The manager ends the part of a person without a seat. False: it has a seat, or is over.

        `status` is `released`, with pay, or `excluded`, without;
        `managed` is what the manager had done for the person so far, JSON.
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
        """The manager writes to a person. False: he or she does not wait here."""
        if player_id not in self.lobby.waiting:
            return False
        now = clock.now_ms()
        self.lobby.write(player_id, note)
        self._settle(now, [Standing(player_id, ("waiting",), {"managed": managed})])
        self._show([player_id], now)
        return True

    def sit(self, player_id: int, listener: Listener) -> None:
        """A page of this person is there."""
        self.listeners[player_id].add(listener)

    def leave(self, player_id: int, listener: Listener) -> None:
        """It is gone."""
        self.listeners[player_id].discard(listener)
        if not self.listeners[player_id]:
            del self.listeners[player_id]
            self.lobby.leave(player_id)
            self._settle(clock.now_ms())

    def take(self, player_id: int, message: Message) -> None:
        """A message of a person: whoever is to know hears of what follows, once it is saved."""
        now = clock.now_ms()
        self.lobby.hear(player_id, now)
        shown = self._settle(now)
        refused = refusal(message)
        if refused is not None:
            self._tell(player_id, refused.to_json())
        elif message.kind in ("sync", "tick") and player_id not in shown:
            self._show([player_id], now)

    def wake(self) -> None:
        """Do what is due."""
        self._alarm.stop()
        self._settle(clock.now_ms())

    # -- what follows -------------------------------------------------------------------------

    def _settle(self, now: int, standings: Iterable[Standing] = ()) -> set[int]:
        """Form groups, extend and release as the rules say; who is shown what follows."""
        if self.gone:
            return set()
        try:
            shown = self._changed(now, list(standings))
        except BaseException:
            self.close()  # it is read anew, as it was committed
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
        """The groups that are formed, each within a treatment; how others stand is added to
        `standings`."""
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
        own, dated_by = self._stored.group, self._stored.clock if groups else None
        self._writer.put(LobbyBatch(*self.key, own, standings, groups, self._was_saved, dated_by))

    def _was_saved(self, there: bool) -> None:
        if not there:
            self.close()
        self._unsaved.save(not self.gone)

    def when_saved(
        self, function: Callable[[], None], otherwise: Callable[[], None] = nothing
    ) -> None:
        """Call it once all is committed that has been written so far; `otherwise` if it is not."""
        self._unsaved.then(function, otherwise)

    # -- what goes out to pages ---------------------------------------------------------------

    def _show(self, people: Iterable[int], now: int) -> None:
        """Show people how they stand now, once that is saved."""
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

    # -- its alarm ----------------------------------------------------------------------------

    def _plan(self, now: int) -> None:
        """Ask to be woken when something is due by itself."""
        self._alarm.set(self.lobby.next_due(now), lambda: now)

    @property
    def language(self) -> str:
        """In which language its people are spoken to."""
        return str(self.lobby.options.language)

    @property
    def idle(self) -> bool:
        """Is nobody here, and is there nothing to be saved, nor to be remembered?"""
        waiting = self.lobby.waiting.values()
        managed = any(person.hurried or person.note is not None for person in waiting)
        return not (self._unsaved or self.listeners or self.people or managed)

    @property
    def people(self) -> int:
        """How many people wait, and are there."""
        return self.lobby.here(clock.now_ms())

    def close(self) -> None:
        """Nothing happens here any more."""
        self.gone = True
        self._alarm.stop()
