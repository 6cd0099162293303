"""Stages of a period: seats decide, see the result, and decide again.

Most games have only the `decide` stage, and then nothing in this module applies. In a game with
several stages, each action field belongs to one stage (`Field.stage`), and each step is one stage.
Before the last stage, a step only stores the actions (state fields `held_<action field>`) and shows
their result as if no seat did anything in the later stages. The last stage's step plays the period
from the state before it, with the actions of all stages. So a period is settled and paid only once,
and layers, endings and logs see it as a single record.

Seats can decide in turn in the first stage; in later stages, they always decide together. In each
stage, only that stage's fields count. Other fields may be left out of an action, and their defaults
are used. All stages of a period use the same random numbers. Seats can leave only in the first
stage.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mixed_company.engine.contract.errors import ActionError
from mixed_company.engine.contract.space import Array, Arrays, Field

DECIDE = "decide"
"""First stage of every game."""

LEAVES_LATER = (
    "leaving: a seat can leave at the first stage of a period; until then its default is used"
)


class Stages:
    """Stages of a game with these action fields.

    names    names of the stages, in order
    several  whether there is more than one
    """

    def __init__(self, names: tuple[str, ...], actions: tuple[Field, ...]) -> None:
        self.names = names
        self.several = len(names) > 1
        self.actions = actions
        self.last = len(names) - 1
        self._held = tuple(field for field in actions if field.stage < self.last)

    def state(self, seats: int) -> tuple[Field, ...]:
        """Return the state fields that are added if there are several stages."""
        if not self.several:
            return ()
        stage = Field("stage", "stage of the period", kind="choice", low=0, high=self.last)
        return (
            replace(stage, names=self.names, visibility="hidden"),
            *(
                replace(
                    field,
                    name=f"held_{field.name}",
                    meaning=f"decided in this period: {field.meaning}",
                    shape=(seats, *field.shape),
                    visibility="hidden",
                    low=-np.inf,
                    high=np.inf,
                    grain=0.0,
                    default=0.0,
                    stage=0,
                    reads=(),
                )
                for field in self._held
            ),
        )

    @property
    def observations(self) -> tuple[Field, ...]:
        """Observations that are added if there are several stages."""
        if not self.several:
            return ()
        meaning = "decision to be made now: " + ", ".join(
            f"{number} {name}" for number, name in enumerate(self.names)
        )
        field = Field("stage", meaning, kind="choice", low=0, high=self.last, open=True)
        return (replace(field, names=self.names),)

    def initial(self, batch: tuple[int, ...], seats: int) -> dict[str, Array]:
        """Return the state fields at the start of a period."""
        if not self.several:
            return {}
        held = {
            f"held_{field.name}": np.zeros((*batch, seats, *field.shape), dtype=field.dtype)
            for field in self._held
        }
        return {"stage": np.zeros(batch, dtype=np.int64), **held}

    def idle(self, state: Arrays, seats: int) -> tuple[frozenset[str], dict[str, Array]]:
        """Return the fields that do not belong to a current stage; for all other fields, flags (n,)
        for the seats that cannot use them.

        Plays in a batch can be at different stages. Plays that are over do not count.
        """
        if not self.several:
            return frozenset(), {}
        now, goes_on = np.asarray(state["stage"]), np.asarray(state["reason"]) == 0
        counted = {*np.where(goes_on, now, -1).flat} - {-1} or {*now.flat}
        unused = frozenset(field.name for field in self.actions if field.stage not in counted)
        if len(counted) == 1:
            return unused, {}
        barred = {
            field.name: np.broadcast_to((now != field.stage)[..., None], (*now.shape, seats))
            for field in self.actions
            if field.name not in unused
        }
        return unused, barred

    def is_earlier(self, state: Arrays) -> Array:
        """Return flags for the plays that are not over and are at a stage before the last."""
        return np.asarray((state["stage"] < self.last) & (state["reason"] == 0))

    def check_leaving(self, state: Arrays, leaving: Any) -> None:
        """Refuse seats that leave in a later stage. Raises ActionError."""
        if self.several and (np.asarray(leaving) & (state["stage"] > 0)[..., None]).any():
            raise ActionError(LEAVES_LATER)

    def whole(self, state: Arrays, used: Arrays) -> dict[str, Array]:
        """Return the actions from all stages so far: those stored in earlier stages, and those
        `used` now.
        """
        now = np.asarray(state["stage"])
        whole = dict(used)
        for field in self._held:
            held = state[f"held_{field.name}"]
            earlier = now > field.stage
            flags = np.reshape(earlier, earlier.shape + (1,) * (held.ndim - earlier.ndim))
            whole[field.name] = np.where(flags, held, used[field.name])
        return whole

    def kept(self, state: Arrays, whole: Mapping[str, Array]) -> dict[str, Array]:
        """Return the state fields for the next stage: its number and the actions so far."""
        held = {f"held_{field.name}": whole[field.name] for field in self._held}
        return {"stage": np.asarray(state["stage"]) + 1, **held}


def chosen(where: Array, first: Any, second: Any) -> Any:
    """Return `first` for the plays whose flag is set, and `second` for the others.

    Both are arrays with leading batch axes, None, or mappings or tuples of these.
    """
    if isinstance(first, Mapping):
        return {name: chosen(where, value, second[name]) for name, value in first.items()}
    if isinstance(first, tuple):
        parts = [chosen(where, *both) for both in zip(first, second, strict=True)]
        return type(first)(*parts) if hasattr(first, "_fields") else tuple(parts)
    if first is None:
        return None
    leading, other = np.asarray(first), np.asarray(second)
    axes = max(leading.ndim, other.ndim) - where.ndim
    return np.where(where.reshape(where.shape + (1,) * axes), leading, other)
