"""Lobbies that are open on this server, one per session; their state in memory is authoritative.

    lobbies.enter(player)   a person has reached the lobby; returns the open lobby
    lobbies.admit(player)   the same for pages; returns once everything is committed
    lobbies.part(player)    a person leaves without a group; returns once this is committed
    lobbies.watch(player)   opens a person's lobby and settles due events, even if nobody returns

Lobbies run in the same loop as the open tables, and use the same writer.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from mixed_company.server import clock
from mixed_company.server.blocks.company import companies, together
from mixed_company.server.blocks.way import is_planned
from mixed_company.server.fleet import owners
from mixed_company.server.open.open_lobby import OpenLobby, StoredLobby
from mixed_company.server.open.tables import OpenTables, tables
from mixed_company.server.play_clock import RETURN_MS, clock_of
from mixed_company.server.treatments import setups_of
from mixed_company.table.lobby import Waiting


class Lobbies:
    """All open lobbies of this process. Callers must hold oTree's connection."""

    def __init__(self, tables: OpenTables) -> None:
        self._tables = tables
        self._open: dict[tuple[str, int], OpenLobby] = {}

    def enter(self, player: Any) -> OpenLobby:
        """Add a person who arrives or returns, and return the open lobby."""
        opened, entrant = self.of(player), _entrant(player)
        self._tables.in_loop(lambda: opened.enter(*entrant))
        return opened

    def admit(self, player: Any) -> None:
        """Add a person; return once the consequences are committed. Raises NotSaved."""
        opened, entrant = self.of(player), _entrant(player)
        self._tables.committed(opened, lambda: opened.enter(*entrant))

    def part(self, player: Any) -> None:
        """Set the status of a person without a seat to `left`; return once this is committed.

        A person who has just been given a seat keeps it. Raises NotSaved.
        """
        opened, player_id, status = self.of(player), player.id, player.status
        self._tables.committed(opened, lambda: opened.part(player_id, status))

    def hurry(self, player: Any) -> None:
        """End a person's waiting time because the manager ordered it, and commit. Raises
        NotSaved.
        """
        opened, player_id = self.of(player), player.id
        self._tables.committed(opened, lambda: opened.hurry(player_id))

    def watch(self, player: Any) -> None:
        """Open a person's lobby, and settle the events that are due."""
        self._tables.in_loop(self.of(player).wake)

    def opened(self, app: str, subsession_id: int) -> OpenLobby | None:
        """Return the lobby of a session if it is open."""
        return self._open.get((app, subsession_id))

    @property
    def people(self) -> int:
        """Number of connected people who are waiting in lobbies."""
        return sum(opened.people for opened in self._open.values())

    def of(self, player: Any) -> OpenLobby:
        """Return the open lobby of a person's session; read it from the database on first use."""
        key = player.get_folder_name(), player.subsession_id
        opened = self._open.get(key)
        if opened is None or opened.gone or opened.idle:
            person = player.participant
            owners.check(person._session_code, person.code)
            back_ms = 0 if key in self._open else clock.now_ms() + RETURN_MS
            stored = _stored(player, back_ms)
            self._tables.in_loop(partial(self._forget, key))
            opened = OpenLobby(stored, self._tables.writer, self._tables.after)
            self._open[key] = opened
        return opened

    def _forget(self, closing: tuple[str, int]) -> None:
        """Close this lobby, and all lobbies that are outdated or have nobody left to wait for."""
        for key, opened in list(self._open.items()):
            if key == closing or opened.gone or (opened.idle and not opened.lobby.waiting):
                opened.close()
                del self._open[key]


def _entrant(player: Any) -> tuple[Any, ...]:
    """Return the arguments for calling `OpenLobby.enter` for a person."""
    return player.id, player.status, player.treatment, companies(player)


def _stored(player: Any, back_ms: int) -> StoredLobby:
    """Read a player's lobby from the database; pages have until `back_ms` to reconnect."""
    subsession = player.subsession
    people = list(type(player).objects_filter(subsession=subsession, status="waiting"))
    waiting = [
        Waiting(
            member.id,
            int(member.arrived_ms),
            int(member.heard_ms),
            member.extended,
            open=False,
            held_ms=back_ms,
            treatment=member.treatment,
        )
        for member in people
    ]
    group = {
        "session_id": subsession.session_id,
        "round_number": subsession.round_number,
    }
    app, formed = player.get_folder_name(), subsession.groups_formed
    play_clock = clock_of(subsession.session_id)
    setups = setups_of(subsession)
    meeting = together(map(companies, people)) if is_planned(player) else None
    return StoredLobby(app, subsession.id, setups, waiting, formed, group, play_clock, meeting)


lobbies = Lobbies(tables)
