"""What pages and tables say to each other, in both directions.

A page may send this, and nothing else:

    {"kind": "sync"}                                          show me where we are
    {"kind": "act", "id": "u7", "period": 3, "action": {...}} my decision
    {"kind": "tick", "period": 3}                             my clock says that time is up
    {"kind": "alive"}                                         I am still here
    {"kind": "ready", "id": "u6"}                             I am ready: the play may begin
    {"kind": "choose", "id": "u9", "rule": "pool"}            my vote on the rule; "": I abstain
    {"kind": "back", "id": "u8"}                              I am here: let me have my seat again
    {"kind": "shown", "sent_ms": 1750000000000}               the view with this `sent_ms` has come
    {"kind": "answer", "id": "u9", "period": 3, "question": "mood", "value": 70}
                                         my answer to a question; null: I take it back

and where people talk what `table.talk.parsing` says.

Whatever else arrives is refused with a reason a person can act on. Nothing that a client can
send raises. A page gets:

    {"kind": "ack", "id": "u7", "period": 3}                  the decision is saved
    {"kind": "refused", "id": "u7", "reason": "..."}          it is not, and why
    {"kind": "view", "phase": "decide", ...}                  what there is to be seen now
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, NamedTuple

from mixed_company.engine.contract import errors
from mixed_company.engine.contract.errors import ActionError
from mixed_company.language import gettext as _
from mixed_company.table.talk import parsing

__all__ = [
    "MAX_ID",
    "Ack",
    "LobbyView",
    "Message",
    "OwnPeriod",
    "Refusal",
    "SeatView",
    "View",
    "in_words",
    "parse",
    "short",
]

KINDS = (
    *("sync", "act", "tick", "alive", "ready", "back", "choose", "shown", "answer"),
    *parsing.KINDS,
)
MAX_ID = 64
MAX_PERIOD = 10**9


@dataclass(frozen=True)
class Message:
    """A well-formed message."""

    kind: str
    id: str = ""
    period: int = 0
    action: dict[str, Any] = dataclass_field(default_factory=dict)
    sent_ms: int = 0
    talk: parsing.Content | None = None
    question: str = ""
    value: Any = None
    rule: str = ""


@dataclass(frozen=True)
class Ack:
    """A decision is in the database; `period` is the one it was for."""

    id: str
    period: int

    def to_json(self) -> dict[str, Any]:
        return {"kind": "ack", "id": self.id, "period": self.period}


@dataclass(frozen=True)
class Refusal:
    """Why something was not taken; `id` is the id it came with, if it was one.

    period   the period that the table is in, if a table refused it
    """

    reason: str
    id: str | None = None
    period: int | None = None

    def to_json(self) -> dict[str, Any]:
        refused = {"kind": "refused", "id": self.id, "reason": self.reason}
        return refused if self.period is None else {**refused, "period": self.period}


def in_words(error: ActionError) -> str:
    """Why an action is refused, for the person who sent it."""
    return f"{error.subject}: {_(error.rule).format(**error.gaps)}" if error.rule else str(error)


class OwnPeriod(NamedTuple):
    """What a period gave one seat: its reward, the parts of it, its actions as used, and by whom
    they were."""

    reward: float
    components: dict[str, float]
    used: dict[str, Any]
    by: str


class SeatView(NamedTuple):
    """Another seat, or one's own (`you`); None: that is not shown."""

    seat: int
    you: bool
    decided: bool | None = None
    occupant: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {name: value for name, value in self._asdict().items() if value is not None}


class View(NamedTuple):
    """What the page of one seat shows.

    phase          decide, waiting or over; choose while people vote on the rule of the play; talk,
                   where the group talks before a period
    remaining_ms   until the time for the decision is up; None: no limit
    observation    what the seat sees, plain JSON
    limits         action field -> [least, most] now; None: no end. Where the seat's role closes
                   choices, those that are open come third: [least, most, [choice, ...]]
    decision       what counts of the person in this period: action field -> number; None: nothing
    last           the period before this one; None: there is none
    standin        does a policy decide for the person
    turn           in a sequential play: the seat that is to decide
    ended          why the play is over for this seat, and with which result
    history        what the seat saw in all periods, where the page wants everything
    shown          what follows for the seat from what it saw, where a game says so
    paused         does the table's clock stand still
    ready          is everybody there, so that the play begins when `remaining_ms` are over
    to_confirm     is the person to say `ready` still
    called         was the seat handed to a stand-in, and is the person to say `back`
    note           what the manager wrote to the person last: its id and text
    awaited        is somebody else waited for who has lost the connection
    talk           where people talk: can the seat write now (`open`), has its person said to be
                   ready to go on (`done`), and messages that reached it, oldest first
    questions      what the person is asked in this period: name -> the answer so far
    vote           on the rule of the play: the own `choice`; when it is over the `rule`, and until
                   the first decision the `counts` of votes by rule
    sent_ms        when it was sent: a page says so at once (`shown`), and so its line is measured
    """

    period: int
    phase: str
    remaining_ms: int | None
    observation: dict[str, Any]
    limits: dict[str, list[Any]]
    decision: dict[str, Any] | None
    last: OwnPeriod | None
    seats: tuple[SeatView, ...]
    points: float
    standin: bool
    started: bool
    turn: int | None
    ended: dict[str, str | None]
    history: list[dict[str, Any]] | None = None
    shown: dict[str, Any] | None = None
    paused: bool = False
    ready: bool = False
    to_confirm: bool = False
    called: bool = False
    note: dict[str, str] | None = None
    awaited: bool = False
    talk: dict[str, Any] | None = None
    vote: dict[str, Any] | None = None
    sent_ms: int | None = None
    questions: dict[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        message = {
            "kind": "view",
            **self._asdict(),
            "last": None if self.last is None else self.last._asdict(),
            "seats": [seat.to_json() for seat in self.seats],
        }
        for optional in _OPTIONAL:
            if message[optional] in (None, False):
                del message[optional]
        return message


_OPTIONAL = (
    *("history", "shown", "paused", "ready", "to_confirm", "called", "note", "awaited"),
    *("talk", "vote", "sent_ms", "questions"),
)
"""What a view is sent without where there is nothing to say."""


@dataclass(frozen=True)
class LobbyView:
    """What the lobby shows a person; but for the phase, only while he or she waits.

    here, needed   how many people are in the room, of how many; None: that is not shown
    extended       was the promised wait renewed; `remaining_ms`: what is left of it
    note           what the manager wrote to the person last: its id and text
    """

    phase: str
    here: int | None = None
    needed: int | None = None
    extended: bool | None = None
    remaining_ms: int | None = None
    note: dict[str, str] | None = None

    def to_json(self) -> dict[str, Any]:
        shown = {name: value for name, value in vars(self).items() if value is not None}
        return {"kind": "view", **shown}


def parse(data: Any) -> Message | Refusal:
    """A message from whatever JSON a client sent."""
    if not isinstance(data, dict):
        return Refusal(f"a message is an object, this is {_name(data)}")
    kind, given = data.get("kind"), data.get("id")
    known_id = given if isinstance(given, str) and 0 < len(given) <= MAX_ID else None
    if not isinstance(kind, str) or kind not in KINDS:
        return Refusal(f"kind = {short(kind)}: one of {', '.join(KINDS)}", known_id)
    period = data.get("period", 0)
    if isinstance(period, bool) or not isinstance(period, int):
        return Refusal(f"period = {short(period)}: should be a whole number", known_id)
    if abs(period) > MAX_PERIOD:
        return Refusal(f"period = {short(period)}: there is no such period", known_id)
    if kind == "shown":
        return _shown(data.get("sent_ms"))
    if kind not in ("act", "ready", "back", "choose", "answer", *parsing.KINDS):
        return Message(kind, period=period)
    if known_id is None:
        return Refusal(f"id = {short(given)}: should be a text of 1 to {MAX_ID} characters")
    if kind in ("ready", "back"):
        return Message(kind, known_id)
    if kind in parsing.KINDS:
        content = parsing.content_of(kind, data)
        if isinstance(content, str):
            return Refusal(content, known_id)
        return Message(kind, known_id, period, talk=content)
    if kind == "choose":
        return _choice(known_id, data.get("rule"))
    if "period" not in data:
        return Refusal("period: is missing", known_id)
    if kind == "answer":
        return _answer(data, known_id, period)
    action = data.get("action")
    if not isinstance(action, dict):
        return Refusal(f"action = {short(action)}: should be an object", known_id)
    return Message("act", known_id, period, action)


def _answer(data: dict[str, Any], known_id: str, period: int) -> Message | Refusal:
    """What it may be says the question (`table.items`)."""
    question, value = data.get("question"), data.get("value")
    if not isinstance(question, str):
        return Refusal(f"question = {short(question)}: should be a text", known_id)
    if isinstance(value, bool | dict | list):
        return Refusal(f"value = {short(value)}: should be a number or a text", known_id)
    return Message("answer", known_id, period, question=question, value=value)


def _choice(known_id: str, rule: Any) -> Message | Refusal:
    if not isinstance(rule, str) or len(rule) > MAX_ID:
        return Refusal(f"rule = {short(rule)}: should be the name of a rule", known_id)
    return Message("choose", known_id, rule=rule)


def _shown(sent_ms: Any) -> Message | Refusal:
    if isinstance(sent_ms, bool) or not isinstance(sent_ms, int):
        return Refusal(f"sent_ms = {short(sent_ms)}: should be a whole number")
    return Message("shown", sent_ms=sent_ms)


def _name(value: Any) -> str:
    return {list: "a list", str: "a text", type(None): "nothing"}.get(type(value), "a number")


def short(value: Any) -> str:
    """A value for a message to a person: never long, whatever was sent."""
    if isinstance(value, dict | list):
        return f"{_name(value) if isinstance(value, list) else 'an object'} of {len(value)}"
    return errors.short(value)
