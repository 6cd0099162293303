"""People's answers in the current period, and the points that answers have won so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from mixed_company.table.items import Value

MOST_ANSWERS = 200
"""Maximum number of answers that a person can send within one period."""

_REMEMBERED = 32


@dataclass
class Replies:
    """Answers by seat.

    given    question -> valid answer in this period
    ids      message id -> period, newest last
    points   points won in the periods that are over
    """

    given: dict[int, dict[str, Value]] = field(default_factory=dict)
    ids: dict[int, dict[str, int]] = field(default_factory=dict)
    points: dict[int, float] = field(default_factory=dict)

    def of(self, seat: int) -> dict[str, Value]:
        """Return this period's answers from the person in a seat."""
        return self.given.get(seat, {})

    def won(self, seat: int) -> float:
        """Return the points that the answers of the person in a seat have won."""
        return self.points.get(seat, 0.0)

    def known(self, seat: int) -> dict[str, int]:
        """Return a mapping from message id to period for the latest accepted answers."""
        return self.ids.get(seat, {})

    def take(self, seat: int, message_id: str, period: int, name: str, value: Value | None) -> None:
        """Accept an answer; None withdraws it."""
        ids, answers = self.ids.setdefault(seat, {}), self.given.setdefault(seat, {})
        ids[message_id] = period
        past = [name for name, when in ids.items() if when < period]
        for old in past[: max(len(past) - _REMEMBERED, 0)]:
            del ids[old]
        answers.pop(name, None)
        if value is not None:
            answers[name] = value

    def too_many(self, seat: int, period: int) -> bool:
        """Return whether the person in a seat has answered too often in a period."""
        return sum(when == period for when in self.known(seat).values()) >= MOST_ANSWERS

    def to_json(self) -> dict[str, Any]:
        """Return the fields that are not empty."""
        return {name: by_seat for name, by_seat in vars(self).items() if by_seat}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Replies:
        """Return the answers from the result of `to_json`. Seats can be strings."""
        return cls(
            **{
                name: {int(seat): value for seat, value in by_seat.items()}
                for name, by_seat in data.items()
            }
        )
