"""A column of a table: name, type, unit and meaning, and whether it tells who somebody is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from itertools import product

__all__ = ["Column", "Personal", "places", "spread"]


class Personal(Enum):
    """What becomes of a column in an export without personal data (`table.export.anonymous`)."""

    CODE = "replaced by a code"
    PARAMETERS = "the value of each replaced by a code"
    TEXT = "left out"
    ANSWER = "left out where the type is text"
    WORDS = "words in it left out"


@dataclass(frozen=True)
class Column:
    """One column of a table, or one for each place of an array: `name_0_0`, `name_0_1`, ...

    type   `real`, `whole`, `flag` or `text`
    since  the release that wrote it first; empty: exports of all releases have it
    personal   can it tell who a person is, or have what he or she wrote? None: it cannot
    first  the number of the first place of an array
    low, high  the range, ends included
    levels the texts that it can be; empty: any
    """

    name: str
    type: str
    meaning: str
    unit: str = ""
    shape: tuple[int, ...] = ()
    since: str = ""
    personal: Personal | None = None
    first: int = 0
    low: float = -math.inf
    high: float = math.inf
    levels: tuple[str, ...] = ()

    def names(self) -> list[str]:
        """The names of the columns it stands for."""
        return [name for name, _ in places(self.name, self.shape, self.first)]

    def span(self) -> str:
        """Its name in the codebook: `name_0..6_0..1` for an array of 7 by 2."""
        ends = (f"{self.first}..{self.first + length - 1}" for length in self.shape)
        return "_".join([self.name, *ends])


def places(
    name: str, shape: tuple[int, ...], first: int = 0
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """(column, place) of every place of an array."""
    for place in product(*map(range, shape)):
        yield "_".join([name, *(str(first + at) for at in place)]), place


def spread(columns: Iterable[Column]) -> dict[str, Column]:
    """Every column a table really has, by name, in order; one that comes again is that of before.

    Its range is that of both. So the columns of several games, one after the other, give a table in
    which each has its own.
    """
    table: dict[str, Column] = {}
    for column in columns:
        for name in column.names():
            first = table.setdefault(name, column)
            if (column.low, column.high) != (first.low, first.high):
                ends = min(first.low, column.low), max(first.high, column.high)
                table[name] = replace(first, low=ends[0], high=ends[1])
    return table
