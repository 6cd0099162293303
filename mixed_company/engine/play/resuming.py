"""Parts of a play that resumes from JSON: its state, and the period in progress."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mixed_company.engine.contract import space
from mixed_company.engine.contract.errors import LogError, short
from mixed_company.engine.contract.space import Arrays
from mixed_company.engine.game import Game


@dataclass(frozen=True)
class Earlier:
    """Earlier stages of a period: actions as sent, the seats that left, and the state before it."""

    sent: Mapping[str, Any] = field(default_factory=dict)
    leaving: tuple[int, ...] = ()
    state: Arrays = field(default_factory=dict)

    @classmethod
    def from_json(cls, game: Game[Any], state: Arrays, data: Mapping[str, Any]) -> Earlier:
        """Return the period's earlier stages, given the JSON form of a play in this state."""
        if not game.stages.several or not state["stage"]:
            return cls()
        begun = {**state, **game.stages.initial((), game.seats)}
        leaving = tuple(data["left"])
        if leaving:
            seats = np.arange(game.seats)
            begun["seat_reason"] = np.where(np.isin(seats, leaving), 0, state["seat_reason"])
        return cls(data["sent"], leaving, begun)


def state_of(game: Game[Any], data: Mapping[str, Any]) -> Arrays:
    """Return a play's state from its JSON form. Raises LogError for a wrong shape, or for an
    impossible period or reason.
    """
    state = space.from_json(game.declaration.state, data)
    for declared in game.declaration.state:
        if state[declared.name].shape != declared.shape:
            raise LogError(f"state field {declared.name!r} should have shape {declared.shape}")
        state[declared.name].flags.writeable = False
    bounds = {"period": game.horizon, "reason": len(game.reasons)}
    for name, last in {**bounds, "seat_reason": len(game.seat_reasons)}.items():
        if name in state and not ((state[name] >= 0) & (state[name] <= last)).all():
            raise LogError(f"{name} = {short(state[name].tolist())}: should be from 0 to {last}")
    return state


def check_half_decided(
    order: Sequence[int], decided: Collection[int], leaving: Collection[int]
) -> None:
    """Raise LogError unless the seats that have decided come first in order, are not all seats, and
    include any seats that leave.
    """
    seats = sorted(decided, key=lambda seat: order.index(seat) if seat in order else -1)
    if seats and (seats != order[: len(seats)] or len(seats) == len(order)):
        raise LogError(f"decided = {seats}: should be the first seats of the order {order}")
    if not set(leaving) <= set(seats):
        raise LogError(f"leaving: {leaving} are not among the seats that decided")
