"""What a table holds, and what can be read off it: who is to decide, who is out, until when.

Nothing here changes it: `table.settling` does, when something is due, and `table.table`, when a
page sends something.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Self

from engine.play.decision import Decision
from engine.play.episode import Episode
from table import timing
from table.seating import Seat
from table.setup import Setup

__all__ = ["LastPeriod", "State"]


@dataclass(frozen=True)
class LastPeriod:
    """What the last period gave, by seat: rewards and their components, actions as used, by whom
    they were."""

    rewards: list[float]
    components: dict[str, list[float]]
    used: dict[str, list[Any]]
    by: list[str]


class State:
    """One group's play, as it is.

    options      how people and bots meet
    grace_ms     how long a person may not be heard of
    limit_ms     the time for a decision; None: no limit
    opened_ms    when the table was opened
    started_ms   when the play began; None: not all people are there yet
    period_ms    when the present period began; `turn_ms`: when its present turn did
    decided      seat -> what counts in this period
    answers      seat -> what a policy will have decided when it has thought
    last         the period that was settled last
    rows         what must be appended to the log, in order; who stores the table empties it
    """

    def __init__(self, setup: Setup, episode: Episode, seats: list[Seat], opened_ms: int) -> None:
        self.setup = setup
        self.options = setup.options
        self.episode = episode
        self.game = episode.game
        self.grace_ms = timing.grace_ms(setup.options.grace_seconds)
        self.limit_ms = timing.limit_ms(setup.options.decision_seconds)
        self.seats = seats
        self.opened_ms = opened_ms
        self.started_ms: int | None = None
        self.period_ms = opened_ms
        self.turn_ms = opened_ms
        self.decided: dict[int, Decision] = {}
        self.answers: dict[int, Decision] = {}
        self.last: LastPeriod | None = None
        self.rows: list[dict[str, Any]] = []

    # -- what can be read off it ----------------------------------------------------------

    def out(self, seat: int) -> bool:
        """Is the play over for this seat?"""
        play = self.episode
        return play.done or seat in play.absent or self.seats[seat].occupant == "nobody"

    def waiting(self) -> list[int]:
        """The seats that have not decided yet in this period."""
        return [chair.seat for chair in self.seats if chair.seat not in self.decided]

    @property
    def people(self) -> list[int]:
        """The seats that belong to a person, who may be away."""
        return [chair.seat for chair in self.seats if chair.owner]

    @property
    def deadline_ms(self) -> int | None:
        """When the time for what is being decided is up; None without a limit."""
        return None if self.limit_ms is None else self.turn_ms + self.limit_ms

    # -- its JSON form --------------------------------------------------------------------

    def to_json(self) -> str:
        """Everything but the setup and the rows."""
        data = {
            "episode": self.episode.state_json(),
            "seats": [chair.to_json() for chair in self.seats],
            "opened_ms": self.opened_ms,
            "started_ms": self.started_ms,
            "period_ms": self.period_ms,
            "turn_ms": self.turn_ms,
            "decided": {seat: decision.to_json() for seat, decision in self.decided.items()},
            "answers": {seat: decision.to_json() for seat, decision in self.answers.items()},
            "last": None if self.last is None else vars(self.last),
        }
        return json.dumps(data, separators=(",", ":"))

    @classmethod
    def from_json(cls, setup: Setup, text: str) -> Self:
        """The table that `to_json` described."""
        data = json.loads(text)
        episode = Episode.from_json(setup.game, data["episode"])
        table = cls(setup, episode, [Seat(**seat) for seat in data["seats"]], data["opened_ms"])
        table.started_ms = data["started_ms"]
        table.period_ms, table.turn_ms = data["period_ms"], data["turn_ms"]
        table.decided = _decisions(data["decided"])
        table.answers = _decisions(data["answers"])
        table.last = None if data["last"] is None else LastPeriod(**data["last"])
        return table


def _decisions(data: dict[str, Any]) -> dict[int, Decision]:
    return {int(seat): Decision.from_json(decision) for seat, decision in data.items()}
