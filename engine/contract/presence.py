"""Which seats take part: seats that end, or leave, while the others go on.

A seat that has ended does its default action whatever is sent for it (nothing, None and NaN will
do), earns 0, and sees `ended` and no maskable field. State field `seat_reason` remembers why it
ended; a game in which no seat can end by itself does not have it, and pays nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from engine.contract.declaration import Declaration, Result
from engine.contract.errors import ActionError
from engine.contract.space import Array, Arrays, Field

__all__ = ["ALL_LEFT", "LEFT", "Presence"]

LEFT = "left"
ALL_LEFT = "all_left"


class Presence:
    """The endings of seats in one game."""

    def __init__(self, declared: Declaration, seats: int, may_leave: bool) -> None:
        left: dict[str, Result] = {LEFT: "neither"} if may_leave else {}
        self.may_leave = may_leave
        self.results: dict[str, Result] = {**left, **declared.seat_endings}
        self.reasons = tuple(self.results)
        self.seats = seats

    @property
    def endings(self) -> dict[str, Result]:
        """What this adds to the endings of the play."""
        return {ALL_LEFT: "neither"} if self.reasons else {}

    @property
    def state(self) -> tuple[Field, ...]:
        """What this adds to the state."""
        if not self.reasons:
            return ()
        meaning = f"0, or 1 + index into {', '.join(self.reasons)}"
        field = Field("seat_reason", meaning, kind="whole", low=0, high=len(self.reasons))
        return (replace(field, shape=(self.seats,), visibility="hidden"),)

    def playing(self, state: Arrays) -> Array | None:
        """(n,) the seats that take part; None if that is always all of them."""
        return state["seat_reason"] == 0 if self.reasons else None

    def without(self, state: Arrays, leaving: Any) -> Arrays:
        """The state in which the seats `leaving` (n, flags) have left. Raises ActionError."""
        flags, now = np.asarray(leaving), state["seat_reason"]
        if flags.dtype != np.bool_ or flags.shape != now.shape:
            raise ActionError(f"leaving = {leaving!r:.60}: should be flags of shape {now.shape}")
        going = flags & (now == 0) & (state["reason"] == 0)[..., None]
        return {**state, "seat_reason": np.where(going, 1, now)}

    def judged(self, state: Arrays, endings: Mapping[str, Array]) -> Array:
        """(n,) the reasons of the seats after a period, in which those in `endings` ended."""
        reason = state["seat_reason"]
        for name, where in endings.items():
            reason = np.where(where & (state["seat_reason"] == 0), self._code(name), reason)
        return np.asarray(reason, dtype=np.int64)

    def _code(self, name: str) -> int:
        return 1 + self.reasons.index(name)
