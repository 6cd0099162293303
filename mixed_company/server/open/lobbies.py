"""The lobbies that are open in this server, one per session: their memory is the only truth while
they are open.

    lobbies.enter(player)   a person has come as far as the lobby; the open lobby
    lobbies.admit(player)   the same, and all that follows from it is committed: for pages
    lobbies.part(player)    a person goes without a group; committed
    lobbies.watch(player)   what is due in the lobby of a person is done, who comes or not

They live in the same loop as the open tables, and are committed by the same writer.
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

__all__ = ["Lobbies", "lobbies"]


class Lobbies:
    """All open lobbies of this process. Whoever asks may use oTree's connection now."""

    def __init__(self, tables: OpenTables) -> None:
        self._tables = tables
        self._open: dict[tuple[str, int], OpenLobby] = {}

    def enter(self, player: Any) -> OpenLobby:
        """A person has come as far as the lobby, or is back: the open lobby."""
        opened, who = self.of(player), _who(player)
        self._tables.in_loop(lambda: opened.enter(*who))
        return opened

    def admit(self, player: Any) -> None:
        """A person has come; return when what follows is committed. Raises NotSaved."""
        opened, who = self.of(player), _who(player)
        self._tables.committed(opened, lambda: opened.enter(*who))

    def part(self, player: Any) -> None:
        """A person goes without a group: the status is `left`, unless he or she has got a seat at
        this very moment. Return when that is committed. Raises NotSaved."""
        opened, player_id, status = self.of(player), player.id, player.status
        self._tables.committed(opened, lambda: opened.part(player_id, status))

    def hurry(self, player: Any) -> None:
        """The manager lets a person wait no longer. Committed. Raises NotSaved."""
        opened, player_id = self.of(player), player.id
        self._tables.committed(opened, lambda: opened.hurry(player_id))

    def watch(self, player: Any) -> None:
        """Open the lobby of a person, and do by itself what is due there."""
        self._tables.in_loop(self.of(player).wake)

    def opened(self, app: str, subsession_id: int) -> OpenLobby | None:
        """The lobby of a session, where it is open."""
        return self._open.get((app, subsession_id))

    @property
    def people(self) -> int:
        """How many people wait in lobbies, and are there."""
        return sum(opened.people for opened in self._open.values())

    def of(self, player: Any) -> OpenLobby:
        """The open lobby of a person's session; read from the database when first asked for."""
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

    def _forget(self, one: tuple[str, int]) -> None:
        """Close one, and those in which nobody is, nor is waited for until the promise is over."""
        for key, opened in list(self._open.items()):
            if key == one or opened.gone or (opened.idle and not opened.lobby.waiting):
                opened.close()
                del self._open[key]


def _who(player: Any) -> tuple[Any, ...]:
    """What an open lobby is told of a person who enters."""
    return player.id, player.status, player.treatment, companies(player)


def _stored(player: Any, back_ms: int) -> StoredLobby:
    """The lobby of a player's session, from the database; pages come back until then."""
    subsession = player.subsession
    people = list(type(player).objects_filter(subsession=subsession, status="waiting"))
    waiting = [
        Waiting(
            one.id,
            int(one.arrived_ms),
            int(one.heard_ms),
            one.extended,
            open=False,
            held_ms=back_ms,
            treatment=one.treatment,
        )
        for one in people
    ]
    group = {
        "session_id": subsession.session_id,
        "round_number": subsession.round_number,
    }
    app, formed = player.get_folder_name(), subsession.groups_formed
    own = clock_of(subsession.session_id)
    setups = setups_of(subsession)
    known = together(map(companies, people)) if is_planned(player) else None
    return StoredLobby(app, subsession.id, setups, waiting, formed, group, own, known)


lobbies = Lobbies(tables)
