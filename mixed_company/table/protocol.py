"""Live protocol between pages and tables.

A page may send these messages, and no others:

    {"kind": "sync"}                                          request for a view; "drawn": false
                                         from a page that has not drawn anything yet
    {"kind": "act", "id": "u7", "period": 3, "action": {...}} decision
    {"kind": "tick", "period": 3}                             time is up on the page's clock
    {"kind": "alive"}                                         the page is still open
    {"kind": "ready", "id": "u6"}                             the person is ready to begin
    {"kind": "choose", "id": "u9", "rule": "pool"}            vote on the rule; "": abstention
    {"kind": "back", "id": "u8"}                              the person wants the seat back
    {"kind": "shown", "sent_ms": 1750000000000}               the view with this `sent_ms` arrived
    {"kind": "answer", "id": "u9", "period": 3, "question": "mood", "value": 70}
                                         answer to a question; null withdraws it

and the messages of `table.talk.parsing` where people talk.

Anything else is refused, with a reason that a person can act on. No client input raises an
exception. A page receives:

    {"kind": "ack", "id": "u7", "period": 3}                  the decision is saved
    {"kind": "refused", "id": "u7", "reason": "..."}          it is not saved, and why
    {"kind": "view", "phase": "decide", ...}                  everything the page shows now
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, NamedTuple

from mixed_company.engine.contract import errors
from mixed_company.engine.contract.errors import ActionError
from mixed_company.language import gettext as _
from mixed_company.table.talk import parsing

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
    drawn: bool = True


@dataclass(frozen=True)
class Ack:
    """Confirmation that a decision for `period` is in the database."""

    id: str
    period: int

    def to_json(self) -> dict[str, Any]:
        return {"kind": "ack", "id": self.id, "period": self.period}


@dataclass(frozen=True)
class Refusal:
    """Reason why a message was not accepted; `id` is the message's id, if it had one.

    period   current period of the table, if a table refused it
    """

    reason: str
    id: str | None = None
    period: int | None = None

    def to_json(self) -> dict[str, Any]:
        refused = {"kind": "refused", "id": self.id, "reason": self.reason}
        return refused if self.period is None else {**refused, "period": self.period}


def in_words(error: ActionError) -> str:
    """Return why an action is refused, for the person who sent it."""
    return f"{error.subject}: {_(error.rule).format(**error.gaps)}" if error.rule else str(error)


class OwnPeriod(NamedTuple):
    """Result of a period for one seat: the reward, its components, the actions as used, and what
    kind of occupant decided.
    """

    reward: float
    components: dict[str, float]
    used: dict[str, Any]
    by: str


class SeatView(NamedTuple):
    """State of a seat (`you`: it is the viewer's); None for values that are not shown."""

    seat: int
    you: bool
    decided: bool | None = None
    occupant: str | None = None

    def to_json(self) -> dict[str, Any]:
        shown: dict[str, Any] = {"seat": self.seat, "you": self.you}
        if self.decided is not None:
            shown["decided"] = self.decided
        if self.occupant is not None:
            shown["occupant"] = self.occupant
        return shown


class View(NamedTuple):
    """Content of one seat's page.

    phase          decide, waiting or over; choose while people vote on the rule of the play; talk
                   while the group talks before a period
    remaining_ms   time left for the decision; None if there is no limit
    observation    the seat's observation, plain JSON
    limits         action field -> [least, most] now; None if unbounded. If the seat's role closes
                   choices, the open ones come third: [least, most, [choice, ...]]
    decision       the person's decision in this period: action field -> number; None if none yet
    last           the period before this one; None if there is none
    standin        whether a policy decides for the person
    turn           in a sequential play: the seat whose turn it is
    ended          why the play is over for this seat, and the result
    history        the seat's observations in all periods, if the page asks for them
    shown          values that a game derives from the seat's observations
    paused         whether the table's clock is stopped
    ready          whether everyone has arrived, so the play begins after `remaining_ms`
    to_confirm     whether the person has yet to send `ready`
    called         whether the seat was handed to a stand-in, and the person has yet to send `back`
    note           last message from the manager: its id and text
    awaited        whether the play is waiting for another person, who has lost the connection
    talk           if people talk: whether the seat can write now (`open`), whether its person is
                   ready to go on (`done`), and the messages that reached it, oldest first
    questions      questions for the person in this period: name -> the answer so far
    vote           the vote on the rule: the person's `choice`; once it is over, the `rule` and,
                   until the first decision, the `counts` of votes by rule
    sent_ms        time of sending, echoed by the page (`shown`) to measure its connection
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
"""Fields that a view omits if they are None or false."""


@dataclass(frozen=True)
class LobbyView:
    """Content of a lobby page; only the phase is set unless the person is waiting.

    here, needed   people present, and people needed; None if not shown
    extended       whether the promised wait was renewed; `remaining_ms`: the rest of it
    note           last message from the manager: its id and text
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
    """Parse a message from any JSON that a client sends."""
    if not isinstance(data, dict):
        return Refusal(f"a message should be an object, but this is {_name(data)}")
    kind, message_id = data.get("kind"), data.get("id")
    checked_id = (
        message_id if isinstance(message_id, str) and 0 < len(message_id) <= MAX_ID else None
    )
    if not isinstance(kind, str) or kind not in KINDS:
        return Refusal(f"kind = {short(kind)}: should be one of {', '.join(KINDS)}", checked_id)
    period = data.get("period", 0)
    if isinstance(period, bool) or not isinstance(period, int):
        return Refusal(f"period = {short(period)}: should be a whole number", checked_id)
    if abs(period) > MAX_PERIOD:
        return Refusal(f"period = {short(period)}: there is no such period", checked_id)
    if kind == "shown":
        return _shown(data.get("sent_ms"))
    if kind == "sync":
        return _request(period, data.get("drawn", True))
    if kind not in ("act", "ready", "back", "choose", "answer", *parsing.KINDS):
        return Message(kind, period=period)
    if checked_id is None:
        return Refusal(f"id = {short(message_id)}: should be a string of 1 to {MAX_ID} characters")
    if kind in ("ready", "back"):
        return Message(kind, checked_id)
    if kind in parsing.KINDS:
        content = parsing.content_of(kind, data)
        if isinstance(content, str):
            return Refusal(content, checked_id)
        return Message(kind, checked_id, period, talk=content)
    if kind == "choose":
        return _choice(checked_id, data.get("rule"))
    if "period" not in data:
        return Refusal("period: is missing", checked_id)
    if kind == "answer":
        return _answer(data, checked_id, period)
    action = data.get("action")
    if not isinstance(action, dict):
        return Refusal(f"action = {short(action)}: should be an object", checked_id)
    return Message("act", checked_id, period, action)


def _request(period: int, drawn: Any) -> Message | Refusal:
    if not isinstance(drawn, bool):
        return Refusal(f"drawn = {short(drawn)}: should be true or false")
    return Message("sync", period=period, drawn=drawn)


def _answer(data: dict[str, Any], checked_id: str, period: int) -> Message | Refusal:
    """Parse an answer to a question; `table.items` checks whether the value is allowed."""
    question, value = data.get("question"), data.get("value")
    if not isinstance(question, str):
        return Refusal(f"question = {short(question)}: should be a string", checked_id)
    if isinstance(value, bool | dict | list):
        return Refusal(f"value = {short(value)}: should be a number or a string", checked_id)
    return Message("answer", checked_id, period, question=question, value=value)


def _choice(checked_id: str, rule: Any) -> Message | Refusal:
    if not isinstance(rule, str) or len(rule) > MAX_ID:
        return Refusal(f"rule = {short(rule)}: should be the name of a rule", checked_id)
    return Message("choose", checked_id, rule=rule)


def _shown(sent_ms: Any) -> Message | Refusal:
    if isinstance(sent_ms, bool) or not isinstance(sent_ms, int):
        return Refusal(f"sent_ms = {short(sent_ms)}: should be a whole number")
    return Message("shown", sent_ms=sent_ms)


def _name(value: Any) -> str:
    return {list: "a list", str: "a string", type(None): "nothing"}.get(type(value), "a number")


def short(value: Any) -> str:
    """Shorten a value for quoting in a message to a person."""
    if isinstance(value, dict | list):
        return f"{_name(value) if isinstance(value, list) else 'an object'} of {len(value)}"
    return errors.short(value)
