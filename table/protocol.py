"""What a page may send, and nothing else.

    {"kind": "sync"}                                          show me where we are
    {"kind": "act", "id": "u7", "period": 3, "action": {...}} my decision
    {"kind": "tick", "period": 3}                             my clock says that time is up
    {"kind": "alive"}                                         I am still here

Whatever else arrives is refused with a reason a person can act on. Nothing that a client can
send raises.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from gettext import gettext as _
from typing import Any

from engine.contract.errors import choices, nearest
from engine.contract.space import Field

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


def parse_action(layout: Sequence[Field], action: dict[str, Any]) -> dict[str, float] | str:
    """One seat's action as plain numbers, or the reason why it is none."""
    names = [each.name for each in layout]
    for name in action:
        if name not in names:
            return f"{_short(name)}: unknown{nearest(str(name)[:40], names)}"
    for each in layout:
        if each.name not in action:
            return _("{name}: is missing").format(name=each.name)
        value = action[each.name]
        said = {"name": each.name, "value": _short(value)}
        if isinstance(value, bool) or not isinstance(value, int | float):
            return _("{name} = {value}: should be a number").format(**said)
        if not (abs(value) <= MAX_NUMBER and math.isfinite(value)):
            return _("{name} = {value}: should be a finite number").format(**said)
        if each.kind == "choice" and (value != int(value) or not each.low <= value <= each.high):
            right = choices(each.low, each.high)
            return _("{name} = {value}: one of {right}").format(**said, right=right)
    return {name: float(action[name]) for name in names}


MAX_NUMBER = 1e300


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
