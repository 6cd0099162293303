"""What a table keeps of its talk, and its JSON form."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["RECENT", "Composed", "Conversation", "Utterance"]

RECENT = 500
"""So many messages a page is shown, the last ones."""

REMEMBERED_IDS = 64
"""How many ids of messages are kept for each seat, to answer late duplicates as before."""


@dataclass
class Utterance:
    """Something that was written.

    number       of the message at its table, from 0
    occupant     who had the seat: a person, or a policy (`policy_id`)
    to           the seat it was for; None: all whom it could reach
    sentence     its place in the session's list; None: in words of one's own
    blocked      has it a word of the blocklist, so that it reached nobody?
    readers      the seats that can read it, its own among them; of one that was blocked, none
    reported_by  the seats whose people reported it
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
        """What the journal has of it, besides kind and time."""
        content = asdict(self)
        return {key: content[key] for key in content if key not in _NOT_IN_JOURNAL}


_NOT_IN_JOURNAL = ("at_ms", "readers", "reported_by")
"""Time stands beside the rest, readers follow from it, and a report is an entry of its own."""


@dataclass
class Composed:
    """What a policy is writing: it is sent when that is done (`at_ms`)."""

    at_ms: int
    text: str
    sentence: int | None
    to: int | None


@dataclass
class Conversation:
    """The talk of a group.

    messages   all that was written, in order
    open_ms    since when the group has a time for talk in which nobody decides; None: it has not
    since_ms   when the present time for talk began, also one in which people decide
    period     the last period that had a time for talk; -1: none yet
    done       seat -> when its person was ready to go on
    ready      seat -> when a policy is that has it, where nobody knows that it is one
    composed   seat -> what its policy is writing
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
        """Keep the id of a message; the oldest are forgotten."""
        own = self.ids.setdefault(seat, {})
        own[name] = number
        for old in list(own)[:-REMEMBERED_IDS]:
            del own[old]

    def to_json(self) -> dict[str, Any]:
        """All of it, plain JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Conversation:
        """The conversation that `to_json` described."""
        return cls(
            [Utterance(**message) for message in data["messages"]],
            data["open_ms"],
            data["since_ms"],
            data["period"],
            _by_seat(data["done"]),
            _by_seat(data["ready"]),
            {int(seat): Composed(**one) for seat, one in data["composed"].items()},
            {int(seat): own for seat, own in data["ids"].items()},
        )


def _by_seat(times: dict[str, int]) -> dict[int, int]:
    return {int(seat): time_ms for seat, time_ms in times.items()}
