"""One seat at a time: decisions of a sequential period, and the endings of single seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.contract.declaration import Result
from engine.contract.space import Array, Arrays
from engine.game import Game

__all__ = ["known", "newly_ended", "of_seat", "seat_endings", "together"]

Decided = Mapping[int, Mapping[str, Any]]


def of_seat(game: Game[Any], state: Arrays, seat: int, action: Any) -> dict[str, float]:
    """One seat's action as it will be used. Raises ActionError like the action of all seats."""
    filled = action
    if isinstance(action, Mapping):
        defaults = game.defaults(state)
        filled = {name: _with(defaults.get(name, 0), game, seat, action[name]) for name in action}
    used = game.validate(state, filled)
    return {name: float(values[seat]) for name, values in used.items()}


def _with(default: Any, game: Game[Any], seat: int, value: Any) -> list[Any]:
    """The value of one seat among the defaults of all others."""
    every: list[Any] = np.broadcast_to(default, (game.seats,)).tolist()
    return [value if number == seat else each for number, each in enumerate(every)]


def known(game: Game[Any], state: Arrays, decided: Decided) -> dict[str, Array]:
    """Per action field (n,) what has been decided, as it will be used; NaN where nothing has."""
    values = {field.name: np.full(game.seats, np.nan) for field in game.declaration.actions}
    for seat, action in decided.items():
        for name, value in of_seat(game, state, seat, action).items():
            values[name][seat] = value
    return values


def together(game: Game[Any], decided: Decided) -> dict[str, list[Any]]:
    """The decisions as actions of all seats; None for seats that do not decide any more."""
    return {
        field.name: [decided.get(seat, {}).get(field.name) for seat in range(game.seats)]
        for field in game.declaration.actions
    }


def seat_endings(
    game: Game[Any], state: Arrays
) -> tuple[tuple[str | None, ...], tuple[Result | None, ...]]:
    """Why each seat has ended, and with what result; None for those that go on."""
    declared = game.declaration
    reason = game.reason_name(state["reason"])
    result = declared.endings[reason] if reason else None
    if not game.seat_reasons:
        return (reason,) * game.seats, (result,) * game.seats
    codes = state["seat_reason"].tolist()
    own = [game.seat_reasons[code - 1] if code else None for code in codes]
    return (
        tuple(each or reason for each in own),
        tuple(declared.seat_endings[each] if each else result for each in own),
    )


def newly_ended(game: Game[Any], before: Arrays, after: Arrays) -> dict[int, str]:
    """{seat: reason} of the seats that ended by themselves in a period."""
    if not game.seat_reasons:
        return {}
    new = np.flatnonzero((before["seat_reason"] == 0) & (after["seat_reason"] > 0)).tolist()
    return {seat: game.seat_reasons[int(after["seat_reason"][seat]) - 1] for seat in new}
