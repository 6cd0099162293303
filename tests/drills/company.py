"""Plays of people and bots without a server, with all messages to one person's page.

    for glimpse in glimpses("sanctions", "tiring", plays=20, seed=1, median=10.0): ...

Two people play in the game's own session. All seats use the same policy, so the only difference is
the kind of player. People choose values that a page's controls can show, and take as long as people
of their kind do (`tests.drills.kinds`). If there is a clock, they take any time within the turn.
Simulated time jumps from event to event, and a page gets a message when the server would have sent
it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from mixed_company import policies
from mixed_company.engine.contract.chance import generator
from mixed_company.policies.policy import ask
from mixed_company.server.open.outgoing import envelope
from mixed_company.table.exchange import Exchange, exchange, looked_at
from mixed_company.table.protocol import Message
from mixed_company.table.setup import Setup, resolve
from mixed_company.table.table import Table
from tests.crowd.places import config_of, lasting
from tests.drills.kinds import PACES, Pace

__all__ = ["BEHAVIOUR", "Frame", "Glimpse", "glimpses"]

BEHAVIOUR = {
    "commons_game": "noisy_person",
    "gem_mining": "epsilon_greedy",
    "punishment_vote": "noisy_person",
    "sanctions": "noisy_person",
}
"""Policy in all seats, by game."""

PERIODS = 15


@dataclass(frozen=True)
class Frame:
    """Message to a page, with its time and its size in bytes."""

    at_ms: int
    size: int
    message: dict[str, Any]


@dataclass
class Glimpse:
    """One person's view of the others in a play.

    seat      the person's seat; `people`: other seats that belong to people
    frames    all received messages; `acts`: times of the person's own decisions
    """

    seat: int
    people: frozenset[int]
    frames: list[Frame] = field(default_factory=list)
    acts: list[int] = field(default_factory=list)


def glimpses(
    game_id: str, kind: str, plays: int, seed: int, median: float, **changes: Any
) -> Iterator[list[Glimpse]]:
    """Yield the glimpses of each play's people, who are all of one kind.

    `median` is people's median time in the first period, in seconds. `changes` are keys of the
    session.
    """
    setup = _setup(game_id, changes)
    for number in range(plays):
        draw = random.Random(f"{seed} {game_id} {kind} {number}")
        yield _Play(setup, kind, math.log(median), draw).glimpses()


def _setup(game_id: str, changes: dict[str, Any]) -> Setup:
    config = config_of(game_id)
    options = {**config, **lasting(game_id, PERIODS), "people_per_group": 2, "quiz": False}
    options |= {"bots": BEHAVIOUR[game_id], "seed": "1", "grace_seconds": 3600.0, **changes}
    return resolve(game_id, options, config)[0]


class _Person:
    """Simulated person on a page: decides by a policy and takes as long as a person."""

    def __init__(self, table: Table, seat: int, pace: Pace, draw: random.Random) -> None:
        self.table, self.seat, self.pace, self.draw = table, seat, pace, draw
        self.policy = policies.make(BEHAVIOUR[table.game.id], table.game)
        self.memory = self.policy.start()
        self.period, self.at_ms = -1, math.inf

    def plan(self, now: int) -> None:
        """Schedule the next decision, if there is one."""
        table = self.table
        if table.out(self.seat) or table.started_ms is None or table.episode.period == self.period:
            return
        if table.episode.turn in (None, self.seat):
            self.period = table.episode.period
            self.at_ms = now + round(1000 * self._seconds())

    def _seconds(self) -> float:
        limit = self.table.limit_ms
        if self.table.options.by_clock and limit is not None:
            return self.draw.uniform(0.1, 0.9) * limit / 1000
        return self.pace(self.period)

    def message(self) -> Message:
        """Return the decision."""
        self.at_ms = math.inf
        table, seat = self.table, self.seat
        allowed, seen = table.episode.allowed(seat), table.episode.observation(seat)
        rng = generator(table.episode.seed, f"person {seat}", self.period)
        answer = ask(self.policy, allowed, seen, self.memory, rng, budget=math.inf)
        self.memory = answer.memory
        name, action = f"{self.draw.getrandbits(48):012x}", allowed.nearest(answer.action)
        return Message("act", name, self.period, action)


class _Play:
    """One table, its people, and the simulated clock."""

    def __init__(self, setup: Setup, kind: str, centre: float, draw: random.Random) -> None:
        seats = draw.sample(range(setup.game.seats), 2)
        self.table = Table.open(setup, seats, draw.getrandbits(53), 0)
        paces = [PACES[kind](centre, draw) for _ in seats]
        self.people = {
            seat: _Person(self.table, seat, pace, draw)
            for seat, pace in zip(seats, paces, strict=True)
        }
        self.seen = {seat: Glimpse(seat, frozenset(seats) - {seat}) for seat in seats}

    def glimpses(self) -> list[Glimpse]:
        """Play to the end."""
        now = 0
        for seat in self.people:
            self._tell(exchange(self.table, seat, Message("sync"), now), seat, now)
            if self.table.to_confirm(seat):
                ready = Message("ready", f"ready {seat}")
                self._tell(exchange(self.table, seat, ready, now), seat, now)
        while not self.table.episode.done:
            for person in self.people.values():
                person.plan(now)
            first = min(self.people.values(), key=lambda person: person.at_ms)
            due = self.table.due
            alarm = math.inf if due is None else due.at_ms
            now = int(max(now, min(alarm, first.at_ms)))
            if alarm <= first.at_ms:
                self._tell(looked_at(self.table, now, 1), None, now)
            else:
                message = first.message()
                self.seen[first.seat].acts.append(now)
                self._tell(exchange(self.table, first.seat, message, now), first.seat, now)
        return list(self.seen.values())

    def _tell(self, outcome: Exchange, sender: int | None, now: int) -> None:
        if outcome.answer is not None and sender is not None:
            self._send(sender, outcome.answer.to_json(), now)
        for seat, view in outcome.views.items():
            self._send(seat, view.to_json(), now)

    def _send(self, seat: int, message: dict[str, Any], now: int) -> None:
        if seat in self.seen:
            self.seen[seat].frames.append(Frame(now, len(envelope(message)), message))
