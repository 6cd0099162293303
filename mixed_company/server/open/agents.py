"""Outside agents connected to this server, and their seats.

    join(agent)               an agent has connected, and gets the seats waiting for an agent with
                              its name
    leave(agent)              an agent has disconnected; another agent with its name gets its seats
    look(opened)              a table has changed, possibly including its seats for agents

Several agents can share a name. A seat goes to the agent with the fewest seats and stays with it.
Play does not wait for agents: an agent that joins late is shown the whole play so far.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import orjson

from mixed_company.server.open.open_table import OpenTable
from mixed_company.table.protocol import Message

Introduce = Callable[[OpenTable, int], dict[str, Any]]
"""Function that describes the game to an agent in a seat."""


class Line(Protocol):
    """The connection to an agent."""

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message, either now or once the agent reads again."""


@dataclass(eq=False)
class Agent:
    """Connected agent. It accepts up to `max_seats` seats at the same time; None means no limit."""

    name: str
    line: Line
    max_seats: int | None = None
    seats: dict[str, _Seat] = field(default_factory=dict)

    @property
    def playing(self) -> int:
        """Number of the agent's seats in plays that are not over."""
        return sum(not seat.opened.table.over for seat in self.seats.values())

    @property
    def free(self) -> bool:
        """True if the agent would accept another seat."""
        return self.max_seats is None or self.playing < self.max_seats


@dataclass(eq=False)
class _Seat:
    """An agent's seat, which receives the messages from its table."""

    opened: OpenTable
    seat: int
    agent: Agent
    place: str

    def tell(self, text: str) -> None:
        """Send the payload of a page's message without oTree's envelope."""
        payload = orjson.loads(text)["live_method_payload"]
        self.agent.line.tell({**payload, "place": self.place})


class Agents:
    """Connected agents. Like tables, they are used only in the event loop's thread."""

    def __init__(self, introduce: Introduce) -> None:
        self._introduce = introduce
        self._agents: list[Agent] = []
        self._tables: dict[tuple[str, int], OpenTable] = {}
        self._seats: dict[tuple[str, int], dict[int, _Seat]] = {}

    @property
    def connected(self) -> Mapping[str, int]:
        """Number of connections for each agent's name."""
        counts: dict[str, int] = {}
        for agent in self._agents:
            counts[agent.name] = counts.get(agent.name, 0) + 1
        return counts

    def join(self, agent: Agent) -> None:
        """Add an agent, and assign seats to it."""
        self._agents.append(agent)
        for opened in list(self._tables.values()):
            self.look(opened)

    def leave(self, agent: Agent) -> None:
        """Remove a disconnected agent, and assign its seats to others."""
        if agent in self._agents:
            self._agents.remove(agent)
        for seat in list(agent.seats.values()):
            self._release(seat)
        for opened in list(self._tables.values()):
            self.look(opened)

    def look(self, opened: OpenTable) -> None:
        """Assign a table's free seats to connected agents, and release seats that agents have
        lost.
        """
        table, key = opened.table, opened.key
        if opened.gone or (table.over and key not in self._tables):
            self.forget(opened)
            return
        wanted = table.agents
        if not wanted and key not in self._tables:
            return
        if self._tables.get(key) is not opened:
            self.forget(opened)
        self._tables[key] = opened
        sitting = self._seats.setdefault(key, {})
        for number, seat in list(sitting.items()):
            if wanted.get(number) != seat.agent.name:
                self._release(seat, "another player has the seat now")
        if not table.over:
            for number, name in wanted.items():
                if number not in sitting:
                    self._assign(opened, number, name)

    def forget(self, opened: OpenTable) -> None:
        """Drop a table that is no longer open."""
        for seat in list(self._seats.pop(opened.key, {}).values()):
            self._release(seat)
        self._tables.pop(opened.key, None)

    def _assign(self, opened: OpenTable, number: int, name: str) -> None:
        free = [agent for agent in self._agents if agent.name == name and agent.free]
        if not free:
            return
        agent = min(free, key=lambda candidate: candidate.playing)
        app, group = opened.key
        seat = _Seat(opened, number, agent, f"{app}/{group}/{number}")
        self._seats[opened.key][number] = seat
        agent.seats[seat.place] = seat
        opened.sit(number, seat)
        agent.line.tell({"kind": "game", "place": seat.place, **self._introduce(opened, number)})
        opened.take(number, Message("sync"))

    def _release(self, seat: _Seat, why: str | None = None) -> None:
        seat.opened.leave(seat.seat, seat)
        seat.agent.seats.pop(seat.place, None)
        self._seats.get(seat.opened.key, {}).pop(seat.seat, None)
        if why is not None:
            seat.agent.line.tell({"kind": "left", "place": seat.place, "reason": why})
