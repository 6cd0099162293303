"""Seats that decide one after the other, and what those who come later see of it.

In a sequential play later seats see what earlier ones decided in the same period, in the
observation fields `earlier_<action field>` (n), NaN for those that have not decided or come later,
and for those whose numbers the game does not show (`Rules.in_view`). They are declared before the
layers see what is declared, so that whatever hides, blurs or limits an observation holds for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mixed_company.engine.contract.config import Agents, check_order
from mixed_company.engine.contract.space import Array, Arrays, Field

__all__ = ["Turn"]


class Turn:
    """Who decides after whom. `order` is None, and there are no `fields`, where all do together."""

    def __init__(
        self, actions: tuple[Field, ...], agents: Agents, seats: int, in_view: Array | None
    ) -> None:
        order = check_order(agents, seats)
        self.order = order if agents.timing == "sequential" else None
        self.fields = tuple(_earlier(field, seats) for field in actions) if self.order else ()
        rank = np.argsort(np.array(order))
        before = rank[None, :] < rank[:, None]
        self._seen = before if in_view is None else before & in_view

    def shown(self, decided: Mapping[str, Any] | None, batch: tuple[int, ...]) -> Arrays:
        """The fields for all seats, while these numbers (n) of each action field are `decided`.

        NaN stands for seats that have not decided; None: nobody has.
        """
        return {field.name: self._of(field, decided, batch) for field in self.fields}

    def _of(self, field: Field, decided: Mapping[str, Any] | None, batch: tuple[int, ...]) -> Array:
        seats = len(self._seen)
        if decided is None:
            return np.full((*batch, seats, *field.shape), np.nan)
        values = np.asarray(decided[field.name.removeprefix("earlier_")], dtype=np.float64)
        seen = self._seen.reshape(self._seen.shape + (1,) * (len(field.shape) - 1))
        return np.where(seen, np.expand_dims(values, len(batch)), np.nan)


def _earlier(field: Field, seats: int) -> Field:
    return Field(
        f"earlier_{field.name}",
        f"decided by the seats before, this period: {field.meaning}",
        field.unit,
        low=field.low,
        high=field.high,
        shape=(seats, *field.shape),
        visibility="private",
        maskable=True,
    )
