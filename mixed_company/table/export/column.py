"""Column of a table: name, type, unit and meaning, and whether it identifies a person.

In exports, a time in milliseconds since 1970 (`shown_ms`) has a second column: the same time as a
string (`shown_time`), which all programs recognise as a time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from itertools import product
from typing import Any

import numpy as np

ISO = "ISO 8601, UTC"
"""Unit of times that are written as strings."""

SINCE = "milliseconds since 1970"
"""Prefix of time units."""

UNIX = f"{SINCE}-01-01 UTC"
OF_PLAY = f"{UNIX}, on the play's clock"
"""Units of times on the machine's clock and on the play's clock, which can stop."""

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Prefixes of cells that spreadsheets mistake for formulas."""

_LATEST = 253_402_300_799_999
"""The last millisecond of the year 9999."""


class Personal(Enum):
    """Treatment of a column in an export without personal data (`table.export.anonymous`)."""

    CODE = "replaced by a code"
    PARAMETERS = "the value of each replaced by a code"
    TEXT = "left out"
    ANSWER = "left out where the type is text"
    WORDS = "words in it are left out"
    ENTRY = "texts that people wrote are left out of it"


@dataclass(frozen=True)
class Column:
    """Column of a table or, for an array, one column per place: `name_0_0`, `name_0_1`, ...

    type   `real`, `whole`, `flag` or `text`
    since  first release that wrote it; empty if exports from all releases have it
    personal   how it could identify a person, or contain what the person wrote; None if it cannot
    first  number of an array's first place
    low, high  range, limits included
    levels allowed strings; empty if any string is allowed
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
        """Return the names of the actual columns, with one column per place."""
        return [name for name, _ in places(self.name, self.shape, self.first)]

    def span(self) -> str:
        """Return the column's name in the codebook: `name_0..6_0..1` for an array of 7 by 2."""
        ends = (f"{self.first}..{self.first + length - 1}" for length in self.shape)
        return "_".join([self.name, *ends])


def places(
    name: str, shape: tuple[int, ...], first: int = 0
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield a pair (column, place) for every place of an array."""
    for place in product(*map(range, shape)):
        yield "_".join([name, *(str(first + index) for index in place)]), place


def spread(columns: Iterable[Column]) -> dict[str, Column]:
    """Return the actual columns of a table by name, in order.

    A repeated column keeps its first definition, with its range extended to cover the others. So
    the columns of several games can be combined into a table that fits all of them.
    """
    table: dict[str, Column] = {}
    for column in columns:
        for name in column.names():
            first = table.setdefault(name, column)
            if (column.low, column.high) != (first.low, first.high):
                ends = min(first.low, column.low), max(first.high, column.high)
                table[name] = replace(first, low=ends[0], high=ends[1])
    return table


def with_iso(columns: Iterable[Column]) -> Iterator[Column]:
    """Yield the columns and, after each time in milliseconds, the same time in ISO 8601."""
    for column in columns:
        yield column
        if column.unit.startswith(SINCE):
            name = iso_name(column.name)
            yield replace(column, name=name, type="text", unit=ISO, low=-math.inf, high=math.inf)


def iso_name(name: str) -> str:
    """Return the name of the ISO column: `shown_ms` -> `shown_time`, `began_ms_1` ->
    `began_time_1`.
    """
    return re.sub(r"_ms(?=$|_\d+$)", "_time", name)


def iso(milliseconds: int | str | None) -> str:
    """Return a time as ISO 8601; empty if it is missing or outside the calendar."""
    if milliseconds is None or milliseconds == "" or abs(int(milliseconds)) > _LATEST:
        return ""
    return f"{np.datetime64(int(milliseconds), 'ms')}Z"


def as_text(value: Any) -> Any:
    """Return a cell's value, quoted if a spreadsheet would mistake the string for a formula.

    >>> as_text("=1+1"), as_text("P-17"), as_text("-3.5"), as_text(-3.5)
    ("'=1+1", 'P-17', '-3.5', -3.5)
    """
    if not isinstance(value, str) or not value.startswith(FORMULA) or _is_number(value):
        return value
    return f"'{value}"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def one_line(text: str) -> str:
    """Return a string as one line, with control characters replaced by spaces."""
    return "".join(sign if sign >= " " else " " for sign in text)
