"""Directives of a session's manager to a table, sent from the board or over REST.

    {"kind": "skip", "id": "u6", "seat": 2}          a policy makes one decision for a person
    {"kind": "stand_in", "id": "u7", "seat": 2}      a policy takes a person's seat
    {"kind": "give_back", "id": "u8", "seat": 2}     the person gets it back in the next period
    {"kind": "pause", "id": "u9"}                    the table's clock is stopped
    {"kind": "go_on", "id": "v1"}                    the clock runs again
    {"kind": "extend", "id": "v2", "seconds": 30}    more time for the current decision
    {"kind": "end", "id": "v3"}                      the play ends, and earnings are paid
    {"kind": "release", "id": "v4", "seat": 2}       a person's part ends, and earnings are paid
    {"kind": "exclude", "id": "v6", "seat": 2}       the same without pay: the person is barred
    {"kind": "message", "id": "v5", "text": "..."}   a message to a person (`seat`), or to everyone

    {"kind": "shut", "id": "v7"}                     stop admitting people to the session
    {"kind": "open", "id": "v8"}                     admit people again

For a person without a seat, `participant` is the code, and only `release`, `exclude` and `message`
apply. `shut` and `open` apply to the session, not to a table.

A directive with an id that was used before has no effect, no matter who sends it. `table.managing`
implements the effects.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mixed_company.table.protocol import MAX_ID, Refusal, short

MOST_SECONDS = 3600
"""Maximum time that one directive can add."""

MOST_TEXT = 500
"""Maximum length of a message, in characters."""

_OF_SEATS = ("skip", "stand_in", "give_back", "release", "exclude")
OF_PERSONS = ("release", "exclude", "message")
"""Kinds of directives for a person without a seat."""
OF_DOOR = ("shut", "open")
DIRECTIVES = (*_OF_SEATS, "pause", "go_on", "extend", "end", "message", *OF_DOOR)


@dataclass(frozen=True)
class Directive:
    """Directive; its kind is one of DIRECTIVES.

    seat    seat that it applies to; None for the whole table
    ms      `extend`: time added; `go_on`: how long the clock was stopped
    text    of a `message`
    """

    kind: str
    id: str
    seat: int | None = None
    ms: int = 0
    text: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the fields of a journal entry: `what` (the kind), the id, and all other fields
        that are set."""
        return {"what": self.kind, "id": self.id, **self._more()}

    def _more(self) -> dict[str, Any]:
        more = {"seat": self.seat, "ms": self.ms or None, "text": self.text or None}
        return {name: value for name, value in more.items() if value is not None}

    @classmethod
    def from_json(cls, entry: dict[str, Any]) -> Directive:
        """Return the directive from the result of `to_json`."""
        ms, text = entry.get("ms", 0), entry.get("text", "")
        return cls(entry["what"], entry["id"], entry.get("seat"), ms, text)


def parse_directive(data: Any) -> Directive | Refusal:
    """Parse a directive from any JSON. A refusal names the key, its value and the rule."""
    if not isinstance(data, dict):
        return Refusal("a directive should be an object")
    kind, name = data.get("kind"), data.get("id")
    if not isinstance(name, str) or not 0 < len(name) <= MAX_ID:
        return Refusal(f"id = {short(name)}: should be a string of 1 to {MAX_ID} characters")
    if kind not in DIRECTIVES:
        return Refusal(f"kind = {short(kind)}: should be one of {', '.join(DIRECTIVES)}", name)
    problem = _problem(kind, data)
    if problem is not None:
        return Refusal(problem, name)
    seat = data.get("seat") if kind in (*_OF_SEATS, "message") else None
    ms = round(1000 * data["seconds"]) if kind == "extend" else 0
    return Directive(kind, name, seat, ms, data["text"].strip() if kind == "message" else "")


def _problem(kind: str, data: dict[str, Any]) -> str | None:
    seat, seconds, text = data.get("seat"), data.get("seconds"), data.get("text")
    whole = isinstance(seat, int) and not isinstance(seat, bool) and seat >= 0
    if kind in _OF_SEATS and not whole and "participant" not in data:
        return f"seat = {short(seat)}: should be a seat number, counted from 0"
    if kind == "message" and seat is not None and not whole:
        return f"seat = {short(seat)}: should be a seat number, or left out to address all seats"
    number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if kind == "extend" and not (number and 1 <= (seconds or 0) <= MOST_SECONDS):
        return f"seconds = {short(seconds)}: should be a number from 1 to {MOST_SECONDS}"
    right = isinstance(text, str) and 0 < len(text.strip()) <= MOST_TEXT
    if kind == "message" and not right:
        return f"text = {short(text)}: should be a string of 1 to {MOST_TEXT} characters"
    return None
