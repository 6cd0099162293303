"""Seats that are to decide, of one play or of many: what policies are asked with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.policies.draws import Draws

__all__ = ["Gathered", "Seats", "mean_where"]


@dataclass(frozen=True)
class Seats:
    """K seats that are to decide now; one play is a batch of one.

    seen     observation field -> (K, ...): what each sees, NaN is "not shown"
    memory   name -> (K, ...): what the policy remembers of each, in the form of `Policy.start`
    draws    their seeded chance
    """

    seen: Mapping[str, Array]
    memory: Mapping[str, Array]
    draws: Draws

    @classmethod
    def one(cls, seen: Arrays, memory: Mapping[str, Any], draws: Draws) -> Seats:
        """One seat, by what it sees and remembers."""
        return cls(
            {name: np.asarray(value)[None] for name, value in seen.items()},
            {name: np.asarray(value)[None] for name, value in memory.items()},
            draws,
        )

    @property
    def count(self) -> int:
        """K."""
        return self.draws.count

    @property
    def seat(self) -> Array:
        """(K,) the number of each seat in its play."""
        return self.seen["seat"].astype(np.int64)

    @property
    def period(self) -> Array:
        """(K,) the period of each play."""
        return self.seen["period"].astype(np.int64)

    @property
    def rows(self) -> Array:
        """(K,) the numbers of the seats in these arrays, to pick one number of each row."""
        return np.arange(self.count)


def mean_where(shown: Array, values: Array) -> Array:
    """(K,) the mean of those of (K, m) numbers that are flagged; NaN where none is.

    To the last bit what numpy gives for those of one row by themselves.
    """
    if len(values) == 1:
        own = values[0][shown[0]]
        return np.array([own.mean() if own.size else np.nan])
    counts, mean = shown.sum(axis=1), np.full(len(values), np.nan)
    first = np.take_along_axis(values, np.argsort(~shown, axis=1, kind="stable"), axis=1)
    for count in np.unique(counts[counts > 0]).tolist():
        rows = counts == count
        mean[rows] = np.ascontiguousarray(first[rows, :count]).mean(axis=1)
    return mean


class Gathered(Mapping[str, Array]):
    """What seats of plays see, field by field, gathered when a field is first looked at.

    seen           what all seats of all plays see
    plays, seats   (K,) of which play, and which seat of it
    """

    def __init__(self, layout: tuple[Field, ...], seen: Arrays, plays: Array, seats: Array) -> None:
        self._fields = {field.name: field for field in layout}
        self._seen, self._plays, self._seats = seen, plays, seats
        self._gathered: dict[str, Array] = {}

    def __getitem__(self, name: str) -> Array:
        if name not in self._gathered:
            own = self._fields[name].visibility == "private"
            place = (self._plays, self._seats) if own else self._plays
            values: Array = self._seen[name][place]
            values.setflags(write=False)
            self._gathered[name] = values
        return self._gathered[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)
