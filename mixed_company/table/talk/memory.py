"""Talk in a table's state, and its JSON form."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

RECENT = 500
"""Maximum number of recent messages that a page shows."""

REMEMBERED_IDS = 64
"""Number of message ids kept for each seat, so a late duplicate gets the same reply."""


@dataclass
class Utterance:
    """A message that was written.

    number       the message's number at its table, counted from 0
    occupant     occupant of the seat at that time: a person, or a policy (`policy_id`)
    to           seat it was sent to; None for everyone it could reach
    sentence     its place in the session's list; None if freely worded
    blocked      whether it contained a word from the blocklist, and therefore reached nobody
    readers      seats that can read it, including the author's; none for a blocked message
    reported_by  seats of the people who reported it
    """

    number: int
    at_ms: int
    period: int
    seat: int
    occupant: str
    policy_id: str | None
    to: int | None
    text: str
    sentence: int | None = None
    blocked: bool = False
    readers: list[int] = field(default_factory=list)
    reported_by: list[int] = field(default_factory=list)

    def entry(self) -> dict[str, Any]:
        """Return the fields of its journal entry, without kind and time."""
        content = asdict(self)
        return {key: content[key] for key in content if key not in _NOT_IN_JOURNAL}


_NOT_IN_JOURNAL = ("at_ms", "readers", "reported_by")
"""Fields left out of the entry.

The time is added separately, readers can be derived, and reports have their own entries.
"""


@dataclass
class Composed:
    """Message that a policy is writing; it will be sent at `at_ms`."""

    at_ms: int
    text: str
    sentence: int | None
    to: int | None


@dataclass
class Conversation:
    """A group's talk.

    messages   all messages, in order
    open_ms    start of the current talk phase in which nobody decides; None at other times
    since_ms   start of the current talk phase, including one in which people decide
    period     last period that had a talk phase; -1 if none has had one yet
    done       seat -> when its person was ready to go on
    ready      seat -> when its policy was ready, for unlabelled bots
    composed   seat -> message that its policy is writing
    ids        seat -> id -> number of the message that was sent with it
    """

    messages: list[Utterance] = field(default_factory=list)
    open_ms: int | None = None
    since_ms: int = 0
    period: int = -1
    done: dict[int, int] = field(default_factory=dict)
    ready: dict[int, int] = field(default_factory=dict)
    composed: dict[int, Composed] = field(default_factory=dict)
    ids: dict[int, dict[str, int]] = field(default_factory=dict)

    def remember(self, seat: int, name: str, number: int) -> None:
        """Keep the id of a message, and forget the oldest ids."""
        numbers = self.ids.setdefault(seat, {})
        numbers[name] = number
        for old in list(numbers)[:-REMEMBERED_IDS]:
            del numbers[old]

    def to_json(self) -> dict[str, Any]:
        """Return all fields as plain JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Conversation:
        """Return the conversation from the result of `to_json`."""
        return cls(
            [Utterance(**message) for message in data["messages"]],
            data["open_ms"],
            data["since_ms"],
            data["period"],
            _by_seat(data["done"]),
            _by_seat(data["ready"]),
            {int(seat): Composed(**fields) for seat, fields in data["composed"].items()},
            {int(seat): numbers for seat, numbers in data["ids"].items()},
        )


def _by_seat(times: dict[str, int]) -> dict[int, int]:
    return {int(seat): time_ms for seat, time_ms in times.items()}
