"""What people have answered at a table in the present period, and what answers have won so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from mixed_company.table.items import Value

__all__ = ["MOST_ANSWERS", "Replies"]

MOST_ANSWERS = 200
"""How often a person can answer anew within one period."""

_REMEMBERED = 32


@dataclass
class Replies:
    """By seat: the answers that count in this period, the ids of the messages with them, newest
    last, with their periods; and the points won in the periods that are over."""

    given: dict[int, dict[str, Value]] = field(default_factory=dict)
    ids: dict[int, dict[str, int]] = field(default_factory=dict)
    points: dict[int, float] = field(default_factory=dict)

    def of(self, seat: int) -> dict[str, Value]:
        """What the person on a seat has answered in this period."""
        return self.given.get(seat, {})

    def won(self, seat: int) -> float:
        """What the answers of the person on a seat have won, points."""
        return self.points.get(seat, 0.0)

    def known(self, seat: int) -> dict[str, int]:
        """Message id -> period, of the answers that were taken lately."""
        return self.ids.get(seat, {})

    def take(self, seat: int, message_id: str, period: int, name: str, value: Value | None) -> None:
        """An answer counts; None takes back what was answered before."""
        ids, given = self.ids.setdefault(seat, {}), self.given.setdefault(seat, {})
        ids[message_id] = period
        past = [name for name, when in ids.items() if when < period]
        for old in past[: max(len(past) - _REMEMBERED, 0)]:
            del ids[old]
        given.pop(name, None)
        if value is not None:
            given[name] = value

    def too_many(self, seat: int, period: int) -> bool:
        """Has the person on a seat answered too often in a period?"""
        return sum(when == period for when in self.known(seat).values()) >= MOST_ANSWERS

    def to_json(self) -> dict[str, Any]:
        """All of it; empty where nobody was asked anything."""
        return {name: by_seat for name, by_seat in vars(self).items() if by_seat}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Replies:
        """What `to_json` gave, also when it went through JSON."""
        return cls(
            **{
                name: {int(seat): own for seat, own in by_seat.items()}
                for name, by_seat in data.items()
            }
        )
