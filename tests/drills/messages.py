"""Messages from a hostile page: corrupted valid messages, and bytes that were never messages."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tests.crowd.page import View, choice

__all__ = ["hostile"]

Draw = random.Random

_NAMES = ("kind", "id", "period", "action", "seat", "__class__", "", "\0", "\N{PILE OF POO}" * 9)
_TEXTS = ("", "act", "sync", "0", "NaN", "\0", "' OR 1=1 --", "<script>", "\ud7ff", "x" * 3000)
_NUMBERS = (0, -1, 1, 2**31, 2**63, -(2**63), 0.5, -0.0, 1e-320, 1e308, 10**9 + 1)
_RAW = (
    b"",
    b"{",
    b'{"kind": "act"',
    b"NaN",
    b'{"kind": "act", "id": "n", "period": 0, "action": {"harvest": NaN}}',
    b'{"kind": "act", "id": "h", "period": 1' + b"0" * 5000 + b', "action": {}}',
    b"[" * 9000,
    b"\xff\xfe\x00",
    b'"' + b"y" * 40_000 + b'"',
)


def hostile(view: View, draw: Draw) -> dict[str, Any] | list[Any] | bytes:
    """Return a message to the table of this view: JSON as a value, or bytes that are not JSON.

    Some are valid decisions, which count.
    """
    if draw.random() < 0.1:
        return draw.choice(_RAW)
    if draw.random() < 0.1:
        return _value(draw, 3) if draw.random() < 0.5 else [_value(draw, 2)]
    message = _right(view, draw)
    for _ in range(draw.choice((0, 1, 1, 1, 2))):
        draw.choice(_BENDS)(message, draw)
    return message


def _right(view: View, draw: Draw) -> dict[str, Any]:
    kind = draw.choice(("act",) * 12 + ("tick", "alive"))
    if kind != "act":
        return {"kind": kind, "period": view["period"]}
    name = f"h{draw.getrandbits(40):x}"
    action: dict[str, Any] = dict(choice(view, draw))
    return {"kind": "act", "id": name, "period": view["period"], "action": action}


def _value(draw: Draw, depth: int) -> Any:
    """Return any JSON value."""
    kind = draw.randrange(7 if depth else 5)
    if kind == 0:
        return draw.choice(_TEXTS)
    if kind in (1, 2):
        return draw.choice(_NUMBERS)
    if kind in (3, 4):
        return draw.choice((None, True, False))
    if kind == 5:
        return [_value(draw, depth - 1) for _ in range(draw.randrange(4))]
    return {draw.choice(_NAMES): _value(draw, depth - 1) for _ in range(draw.randrange(4))}


def _bend_part(message: dict[str, Any], draw: Draw) -> None:
    message[draw.choice(_NAMES)] = _value(draw, 3)


def _drop_part(message: dict[str, Any], draw: Draw) -> None:
    message.pop(draw.choice(list(message)), None)


def _bend_action(message: dict[str, Any], draw: Draw) -> None:
    action = message.get("action")
    if isinstance(action, dict):
        action[draw.choice([*action, *_NAMES])] = _value(draw, 2)


def _other_period(message: dict[str, Any], draw: Draw) -> None:
    if isinstance(message.get("period"), int):
        message["period"] += draw.choice((-1, 1, 1000, -(10**12)))


def _long_id(message: dict[str, Any], _draw: Draw) -> None:
    message["id"] = "x" * 65


_BENDS: tuple[Callable[[dict[str, Any], Draw], None], ...] = (
    _bend_part,
    _drop_part,
    _bend_action,
    _other_period,
    _long_id,
)
