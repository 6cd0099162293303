"""What a page may send, and nothing else.

    {"kind": "sync"}                                          show me where we are
    {"kind": "act", "id": "u7", "period": 3, "action": {...}} my decision
    {"kind": "tick", "period": 3}                             my clock says that time is up
    {"kind": "alive"}                                         I am still here

Whatever else arrives is refused with a reason a person can act on. Nothing that a client can
send raises.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.contract.allowed import Allowed
from engine.contract.errors import ActionError

__all__ = ["Message", "Refusal", "parse", "parse_action"]

KINDS = ("sync", "act", "tick", "alive")
MAX_ID = 64
MAX_PERIOD = 10**9


@dataclass(frozen=True)
class Message:
    """A well-formed message."""

    kind: str
    id: str = ""
    period: int = 0
    action: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Refusal:
    """Why something was not taken; `id` is the id it came with, if it was one."""

    reason: str
    id: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {"kind": "refused", "id": self.id, "reason": self.reason}


def parse(data: Any) -> Message | Refusal:
    """A message from whatever JSON a client sent."""
    if not isinstance(data, dict):
        return Refusal(f"a message is an object, this is {_name(data)}")
    kind, given = data.get("kind"), data.get("id")
    known_id = given if isinstance(given, str) and 0 < len(given) <= MAX_ID else None
    if not isinstance(kind, str) or kind not in KINDS:
        return Refusal(f"kind = {_short(kind)}: one of {', '.join(KINDS)}", known_id)
    period = data.get("period", 0)
    if isinstance(period, bool) or not isinstance(period, int):
        return Refusal(f"period = {_short(period)}: should be a whole number", known_id)
    if abs(period) > MAX_PERIOD:
        return Refusal(f"period = {_short(period)}: there is no such period", known_id)
    if kind != "act":
        return Message(kind, period=period)
    if known_id is None:
        return Refusal(f"id = {_short(given)}: should be a text of 1 to {MAX_ID} characters")
    if "period" not in data:
        return Refusal("period: is missing", known_id)
    action = data.get("action")
    if not isinstance(action, dict):
        return Refusal(f"action = {_short(action)}: should be an object", known_id)
    return Message("act", known_id, period, action)


def parse_action(allowed: Allowed, action: dict[str, Any]) -> dict[str, Any] | str:
    """One seat's action as plain numbers, or the reason why it is none."""
    try:
        return allowed.plain(action)
    except ActionError as error:
        return str(error)


def _name(value: Any) -> str:
    return {list: "a list", str: "a text", type(None): "nothing"}.get(type(value), "a number")


def _short(value: Any) -> str:
    """A value for a message to a person: never long, whatever was sent."""
    if isinstance(value, dict | list):
        return f"{_name(value) if isinstance(value, list) else 'an object'} of {len(value)}"
    if isinstance(value, int) and abs(value) > 10**20:
        return "a huge number"
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
