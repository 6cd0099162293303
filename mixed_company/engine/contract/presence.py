"""Active seats: a seat can end, or leave, while the others continue.

A seat that has ended takes its default action, no matter what is sent for it; a missing action,
None and NaN are also accepted. It earns 0, and sees only the contract's own fields. The
`seat_reason` state field records why it ended. Games in which no seat can end before the play do
not have this field.

The play is over when all seats have ended. The reason is `all_left` if all of them left. If a rule
ended some of them, it is `all_out`, with the result of that rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mixed_company.engine.contract.declaration import Declaration, Result
from mixed_company.engine.contract.errors import ActionError
from mixed_company.engine.contract.space import Array, Arrays, Field

LEFT = "left"
ALL_LEFT = "all_left"
ALL_OUT = "all_out"
NOBODY_LEAVES = "leaving: agents.may_leave is false, so no seat can leave this play"


class Presence:
    """The ways in which seats can end in one game."""

    def __init__(self, declared: Declaration, seats: int, may_leave: bool) -> None:
        left: dict[str, Result] = {LEFT: "neither"} if may_leave else {}
        self.may_leave = may_leave
        self.results: dict[str, Result] = {**left, **declared.seat_endings}
        self.reasons = tuple(self.results)
        self.seats = seats

    @property
    def endings(self) -> dict[str, Result]:
        """Endings of the play that are added if seats can end."""
        left: dict[str, Result] = {ALL_LEFT: "neither"} if self.may_leave else {}
        return {**left, **self._all_out}

    @property
    def _all_out(self) -> dict[str, Result]:
        """Ending `all_out`, with the result of the rules that end seats, or `neither` if their
        results differ.
        """
        results = {result for name, result in self.results.items() if name != LEFT}
        if not results:
            return {}
        return {ALL_OUT: results.pop() if len(results) == 1 else "neither"}

    @property
    def state(self) -> tuple[Field, ...]:
        """State fields that are added if seats can end."""
        if not self.reasons:
            return ()
        meaning = f"0, or 1 + index into {', '.join(self.reasons)}"
        field = Field("seat_reason", meaning, kind="whole", low=0, high=len(self.reasons))
        return (replace(field, shape=(self.seats,), visibility="hidden"),)

    def playing(self, state: Arrays) -> Array | None:
        """Return flags for the active seats, shape (n,); None if all seats are always active."""
        return state["seat_reason"] == 0 if self.reasons else None

    def without(self, state: Arrays, leaving: Any) -> Arrays:
        """Return the state after the seats flagged in `leaving` (n,) have left.

        Raises ActionError if these are not flags or seats may not leave.
        """
        if not self.may_leave:
            if np.any(leaving):
                raise ActionError(NOBODY_LEAVES)
            return state
        flags, now = np.asarray(leaving), state["seat_reason"]
        if flags.dtype != np.bool_ or flags.shape != now.shape:
            raise ActionError(f"leaving = {leaving!r:.60}: should be flags of shape {now.shape}")
        going = flags & (now == 0) & (state["reason"] == 0)[..., None]
        return {**state, "seat_reason": np.where(going, 1, now)}

    def judged(self, state: Arrays, endings: Mapping[str, Array]) -> Array:
        """Return the reason codes (n,) after a period; `endings` flags the seats that ended, by
        reason."""
        reason = state["seat_reason"]
        for name, where in endings.items():
            reason = np.where(where & (state["seat_reason"] == 0), self._code(name), reason)
        return np.asarray(reason, dtype=np.int64)

    def nobody(self, reason: Array) -> dict[str, Array]:
        """Return flags for the endings `all_left` and `all_out`: whether no seat is left, given the
        seats' reason codes (n,).
        """
        nobody = np.asarray((reason > 0).all(axis=-1))
        by_rule = nobody
        if self.may_leave:
            by_rule = nobody & np.asarray((reason != self._code(LEFT)).any(axis=-1))
        where: dict[str, Any] = {ALL_LEFT: nobody & ~by_rule, ALL_OUT: by_rule}
        return {name: where[name] for name in self.endings}

    def _code(self, name: str) -> int:
        return 1 + self.reasons.index(name)
