"""A seat and who sits on it: a person, a policy or nobody, since which period, and why.

The history of a seat is a timeline of occupancies. The present one is on the seat; each change is
also logged, so that the export can show who decided what.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["MOST_CHOICES", "Occupancy", "Seat"]

Occupant = Literal["person", "policy", "nobody"]

REMEMBERED_IDS = 32
"""How many message ids of past periods a seat keeps, to acknowledge late duplicates again."""

MOST_CHOICES = 200
"""How often a seat can choose anew within one period."""


@dataclass(frozen=True)
class Occupancy:
    """One entry of a seat's timeline."""

    seat: int
    occupant: Occupant
    policy_id: str | None
    since_period: int
    reason: str


@dataclass
class Seat:
    """One seat of a table.

    occupant, policy_id   who decides now; `policy_id` is a policy spec
    owner                 does this seat belong to a person (who may be away)
    memory                the notes of the policy on it
    last_seen_ms          when the person was last heard of; None if never
    returning             the person is back and takes over at the next period
    gaps                  how often the person was silent for longer than a page ever is
    ids                   id -> period of the person's accepted actions, newest last
    points, periods       what the person earned, and in how many periods he or she had the seat
    seat_points           what was earned on this seat by whoever sat on it
    """

    seat: int
    occupant: Occupant
    policy_id: str | None = None
    owner: bool = False
    memory: dict[str, Any] = field(default_factory=dict)
    last_seen_ms: int | None = None
    returning: bool = False
    gaps: int = 0
    ids: dict[str, int] = field(default_factory=dict)
    points: float = 0.0
    periods: int = 0
    seat_points: float = 0.0

    def take(self, occupant: Occupant, policy_id: str | None, period: int, why: str) -> Occupancy:
        """Change the occupant; the entry for the timeline."""
        self.occupant, self.policy_id = occupant, policy_id
        self.returning = False
        return Occupancy(self.seat, occupant, policy_id, period, why)

    def remember(self, message_id: str, period: int) -> None:
        """Keep the id of an accepted action; the oldest of past periods are forgotten."""
        self.ids[message_id] = period
        past = [name for name, when in self.ids.items() if when < period]
        for name in past[: max(len(past) - REMEMBERED_IDS, 0)]:
            del self.ids[name]

    def choices(self, period: int) -> int:
        """How many actions of a period were accepted."""
        return sum(when == period for when in self.ids.values())

    def to_json(self) -> dict[str, Any]:
        """All fields, as the constructor takes them."""
        return dict(vars(self))
