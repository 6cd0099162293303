"""What the manager of a session can have done at a table, as it comes from the board or by REST.

    {"kind": "skip", "id": "u6", "seat": 2}          a policy decides for a person, this once
    {"kind": "stand_in", "id": "u7", "seat": 2}      a policy takes the seat of a person
    {"kind": "give_back", "id": "u8", "seat": 2}     the person has it again, at the next period
    {"kind": "pause", "id": "u9"}                    the table's clock stands still
    {"kind": "go_on", "id": "v1"}                    it goes on
    {"kind": "extend", "id": "v2", "seconds": 30}    more time for what is being decided
    {"kind": "end", "id": "v3"}                      the play ends; what was earned is paid
    {"kind": "release", "id": "v4", "seat": 2}       a person's part ends; what was earned is paid
    {"kind": "exclude", "id": "v6", "seat": 2}       the same without pay: the person is barred
    {"kind": "message", "id": "v5", "text": "..."}   a text for a person (`seat`), or for all

    {"kind": "shut", "id": "v7"}                     nobody new is let into the session
    {"kind": "open", "id": "v8"}                     people are let in again

A person without a seat is named by `participant`, the code, and only released, barred or written
to. The door is that of the session, and concerns no table.

A directive is taken once, whoever sends it again with the same id. `table.managing` says what
follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mixed_company.table.protocol import MAX_ID, Refusal, short

__all__ = ["DIRECTIVES", "MOST_SECONDS", "MOST_TEXT", "OF_DOOR", "Directive", "parse_directive"]

MOST_SECONDS = 3600
"""So much time can be added at once."""

MOST_TEXT = 500
"""So many characters a message has at most."""

_OF_SEATS = ("skip", "stand_in", "give_back", "release", "exclude")
OF_DOOR = ("shut", "open")
DIRECTIVES = (*_OF_SEATS, "pause", "go_on", "extend", "end", "message", *OF_DOOR)


@dataclass(frozen=True)
class Directive:
    """One of DIRECTIVES.

    seat    whom it concerns; None: all of the table
    ms      `extend`: how much time is added; `go_on`: how long the clock stood still
    text    of a `message`
    """

    kind: str
    id: str
    seat: int | None = None
    ms: int = 0
    text: str = ""

    def to_json(self) -> dict[str, Any]:
        """How a journal has it: `what` it is, and what belongs to that."""
        return {"what": self.kind, "id": self.id, **self._more()}

    def _more(self) -> dict[str, Any]:
        more = {"seat": self.seat, "ms": self.ms or None, "text": self.text or None}
        return {name: value for name, value in more.items() if value is not None}

    @classmethod
    def from_json(cls, entry: dict[str, Any]) -> Directive:
        """The directive that `to_json` described."""
        ms, text = entry.get("ms", 0), entry.get("text", "")
        return cls(entry["what"], entry["id"], entry.get("seat"), ms, text)


def parse_directive(data: Any) -> Directive | Refusal:
    """A directive from whatever JSON a client sent; a refusal names key, value and rule."""
    if not isinstance(data, dict):
        return Refusal("a directive is an object")
    kind, name = data.get("kind"), data.get("id")
    if not isinstance(name, str) or not 0 < len(name) <= MAX_ID:
        return Refusal(f"id = {short(name)}: should be a text of 1 to {MAX_ID} characters")
    if kind not in DIRECTIVES:
        return Refusal(f"kind = {short(kind)}: one of {', '.join(DIRECTIVES)}", name)
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
        return f"seat = {short(seat)}: should be the number of a seat, from 0"
    if kind == "message" and seat is not None and not whole:
        return f"seat = {short(seat)}: should be the number of a seat, or nothing for all"
    number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if kind == "extend" and not (number and 1 <= (seconds or 0) <= MOST_SECONDS):
        return f"seconds = {short(seconds)}: should be a number from 1 to {MOST_SECONDS}"
    right = isinstance(text, str) and 0 < len(text.strip()) <= MOST_TEXT
    if kind == "message" and not right:
        return f"text = {short(text)}: should be a text of 1 to {MOST_TEXT} characters"
    return None
