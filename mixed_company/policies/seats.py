"""The seats that a policy is deciding for, with their observations and notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.policies.draws import Draws

_ARRAYS = frozenset([np.ndarray, np.float64, np.int64, np.bool_])
"""Types of an observation value of one seat; `value[None]` adds an axis to each of them."""


@dataclass(frozen=True)
class Seats:
    """K seats that are deciding, in one or many plays.

    seen     observation field -> (K, ...) observed values; NaN is "not shown"
    memory   name -> (K, ...) the policy's notes, in the form of `Policy.start`
    draws    the seats' random draws
    """

    seen: Mapping[str, Array]
    memory: Mapping[str, Array]
    draws: Draws

    @classmethod
    def one(cls, seen: Arrays, memory: Mapping[str, Any], draws: Draws) -> Seats:
        """Return one seat (K = 1), given its observation, notes and draws."""
        return cls(
            {
                name: value[None] if type(value) in _ARRAYS else np.asarray(value)[None]
                for name, value in seen.items()
            },
            {name: np.asarray(memory[name])[None] for name in memory},
            draws,
        )

    @property
    def count(self) -> int:
        """Number of seats, K."""
        return self.draws.count

    @property
    def seat(self) -> Array:
        """Each seat's number in its play, shape (K,)."""
        return self.seen["seat"].astype(np.int64)

    @property
    def period(self) -> Array:
        """Period (K,) of each play."""
        return self.seen["period"].astype(np.int64)

    @property
    def rows(self) -> Array:
        """Row numbers 0 .. K - 1, used to pick one number per row."""
        return np.arange(self.draws.count)


def mean_where(shown: Array, values: Array) -> Array:
    """Return the mean of each row's flagged numbers (K, m); NaN if none of them is flagged.

    The result equals numpy's mean of each row bit for bit.
    """
    if len(values) == 1:
        flagged = values[0][shown[0]]
        if not flagged.size:
            return np.array([np.nan])
        return np.array([np.add.reduce(flagged, dtype=np.float64) / flagged.size])
    counts, mean = shown.sum(axis=1), np.full(len(values), np.nan)
    first = np.take_along_axis(values, np.argsort(~shown, axis=1, kind="stable"), axis=1)
    for count in np.unique(counts[counts > 0]).tolist():
        rows = counts == count
        mean[rows] = np.ascontiguousarray(first[rows, :count]).mean(axis=1)
    return mean


class Gathered(Mapping[str, Array]):
    """Observations of some seats in a batch of plays; each field is collected on first use.

    seen           observations of all seats of all plays
    plays, seats   (K,) the play and the seat of each row
    """

    def __init__(self, layout: tuple[Field, ...], seen: Arrays, plays: Array, seats: Array) -> None:
        self._fields = {field.name: field for field in layout}
        self._seen, self._plays, self._seats = seen, plays, seats
        self._gathered: dict[str, Array] = {}

    def __getitem__(self, name: str) -> Array:
        if name not in self._gathered:
            private = self._fields[name].visibility == "private"
            index = (self._plays, self._seats) if private else self._plays
            values: Array = self._seen[name][index]
            values.setflags(write=False)
            self._gathered[name] = values
        return self._gathered[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)
