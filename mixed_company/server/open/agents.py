"""The agents from outside that are connected to this server, and the seats they have.

    join(agent)               an agent has come; it is given seats that wait for its name
    leave(agent)              its line is cut; its seats go to another one of the name, or wait
    look(opened)              a table has changed: who has its seats now?

Several may come with one name: a seat goes to the one that has the fewest, and stays there. What a
seat is shown waits for nobody: who comes later is shown the whole play so far.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import orjson

from mixed_company.server.open.open_table import OpenTable
from mixed_company.table.protocol import Message

__all__ = ["Agent", "Agents", "Line"]

Introduce = Callable[[OpenTable, int], dict[str, Any]]
"""What an agent is told of the game that it has a seat in."""


class Line(Protocol):
    """Where an agent is reached."""

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message, now or when it reads again."""


@dataclass(eq=False)
class Agent:
    """A connection. `most`: so many seats it takes; None: as many as there are."""

    name: str
    line: Line
    most: int | None = None
    seats: dict[str, _Seat] = field(default_factory=dict)

    @property
    def playing(self) -> int:
        """Its seats in plays that are not over."""
        return sum(not seat.opened.table.over for seat in self.seats.values())

    @property
    def free(self) -> bool:
        """Does it take another seat?"""
        return self.most is None or self.playing < self.most


@dataclass(eq=False)
class _Seat:
    """A seat that an agent has: an ear of its table."""

    opened: OpenTable
    seat: int
    agent: Agent
    place: str

    def tell(self, text: str) -> None:
        """What a page would get, without what oTree puts around it."""
        payload = orjson.loads(text)["live_method_payload"]
        self.agent.line.tell({**payload, "place": self.place})


class Agents:
    """All that are connected. It lives in the thread of the loop, as tables do."""

    def __init__(self, introduce: Introduce) -> None:
        self._introduce = introduce
        self._agents: list[Agent] = []
        self._tables: dict[tuple[str, int], OpenTable] = {}
        self._seats: dict[tuple[str, int], dict[int, _Seat]] = {}

    @property
    def connected(self) -> Mapping[str, int]:
        """How many connections each name has."""
        counts: dict[str, int] = {}
        for agent in self._agents:
            counts[agent.name] = counts.get(agent.name, 0) + 1
        return counts

    def join(self, agent: Agent) -> None:
        """An agent has come."""
        self._agents.append(agent)
        for opened in list(self._tables.values()):
            self.look(opened)

    def leave(self, agent: Agent) -> None:
        """Its line is cut."""
        if agent in self._agents:
            self._agents.remove(agent)
        for seat in list(agent.seats.values()):
            self._stand_up(seat)
        for opened in list(self._tables.values()):
            self.look(opened)

    def look(self, opened: OpenTable) -> None:
        """Give seats of a table to agents that are there; take those back that they have lost."""
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
                self._stand_up(seat, "another has the seat now")
        if not table.over:
            for number, name in wanted.items():
                if number not in sitting:
                    self._sit(opened, number, name)

    def forget(self, opened: OpenTable) -> None:
        """A table is not open any more."""
        for seat in list(self._seats.pop(opened.key, {}).values()):
            self._stand_up(seat)
        self._tables.pop(opened.key, None)

    def _sit(self, opened: OpenTable, number: int, name: str) -> None:
        free = [agent for agent in self._agents if agent.name == name and agent.free]
        if not free:
            return
        agent = min(free, key=lambda one: one.playing)
        app, group = opened.key
        seat = _Seat(opened, number, agent, f"{app}/{group}/{number}")
        self._seats[opened.key][number] = seat
        agent.seats[seat.place] = seat
        opened.sit(number, seat)
        agent.line.tell({"kind": "game", "place": seat.place, **self._introduce(opened, number)})
        opened.take(number, Message("sync"))

    def _stand_up(self, seat: _Seat, why: str | None = None) -> None:
        seat.opened.leave(seat.seat, seat)
        seat.agent.seats.pop(seat.place, None)
        self._seats.get(seat.opened.key, {}).pop(seat.seat, None)
        if why is not None:
            seat.agent.line.tell({"kind": "left", "place": seat.place, "reason": why})
