"""Tables and figures of a report, each with the name of the function that made it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

MINUS = "\N{MINUS SIGN}"
MOST_ROWS = 500
"""Maximum number of a table's rows on the page. Its CSV has all rows."""


@dataclass(frozen=True)
class Table:
    """A table of the report; `tables/<name>.csv` has its frame with full precision.

    title      a short description of the content
    function   dotted name of the function that returned it
    note       how to read the table
    """

    name: str
    title: str
    frame: pd.DataFrame
    function: str
    note: str = ""

    @cached_property
    def columns(self) -> dict[str, Any]:
        """Columns by name. They are cached because a frame creates a new object whenever a column
        is accessed."""
        return {str(name): self.frame[name].array for name in self.frame}


@dataclass(frozen=True)
class Shown:
    """A table as the page shows it, with some of its rows (by position) and columns; None: all.

    upright       whether to transpose the table, turning rows of the CSV into columns
    blocks        whether to show each row as a block of names and values, for few rows with many
                  columns
    title, note   replace the table's title and note; empty: keep them
    """

    content: Table
    rows: Sequence[int] | None = None
    columns: Sequence[str] | None = None
    upright: bool = False
    blocks: bool = False
    title: str = ""
    note: str = ""

    @property
    def names(self) -> list[str]:
        """Names of the shown columns."""
        chosen = self.content.frame.columns if self.columns is None else self.columns
        return [str(name) for name in chosen]

    @property
    def places(self) -> list[int]:
        """Positions of the shown rows."""
        return list(range(len(self.content.frame)) if self.rows is None else self.rows)

    @property
    def first(self) -> list[int]:
        """Positions of the rows that the page shows: at most MOST_ROWS."""
        return self.places[:MOST_ROWS]

    @property
    def rest(self) -> str:
        """Sentence about how many rows the page leaves out; empty if it shows all rows."""
        number = len(self.places)
        return "" if number <= MOST_ROWS else f"The first {MOST_ROWS} of {number} rows."

    @property
    def heading(self) -> str:
        """Title of the shown table."""
        return self.title or self.content.title

    @property
    def remark(self) -> str:
        """Note of the shown table."""
        return self.note or self.content.note

    def numeric(self, name: str) -> bool:
        """Return whether this column contains numbers."""
        return self.content.frame[name].dtype.kind in "iuf"

    def value(self, row: int, name: str) -> Any:
        """Return the value in this row and column of the CSV."""
        return self.content.columns[name][row]


@dataclass(frozen=True)
class Figure:
    """A figure of the report; `figures/<name>.svg` and `.pdf` are versions for a paper.

    title      a short description of the content
    words      a description for readers who cannot see the figure
    function   dotted name of the function that drew it
    tables     names of the tables with its numbers
    svg, pdf   the figure as an SVG, and a function that returns it as a PDF
    """

    name: str
    title: str
    words: str
    function: str
    tables: tuple[str, ...]
    svg: str = field(repr=False)
    pdf: Callable[[], bytes] = field(repr=False)


def function_name(function: Callable[..., Any]) -> str:
    """Return the dotted name of a function: module and qualified name."""
    return f"{function.__module__}.{function.__qualname__}"


def filled(frame: pd.DataFrame, names: Iterable[str] | None = None) -> list[str]:
    """Return the columns in `names` (None: all columns) that have at least one value."""
    return [
        str(name)
        for name in (frame.columns if names is None else names)
        if name in frame and _has_value(frame[name])
    ]


def _has_value(column: pd.Series[Any]) -> bool:
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iufb":
        return bool(column.notna().any())
    return bool((column.dropna().astype(object) != "").any())


_PERIODS = ("period", "since_period", "until_period")


def from_one(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table with periods counted from 1, as on participants' pages, instead of from 0."""
    return frame.assign(**{name: frame[name] + 1 for name in _PERIODS if name in frame})


def from_one_in(sentence: str) -> str:
    """Return a sentence about an export, with periods counted from 1.

    >>> from_one_in("missing: period 0, seat 0: harvest")
    'missing: period 1, seat 0: harvest'
    """
    return re.sub(r"\b(?<=period )\d+", lambda number: str(int(number[0]) + 1), sentence)


def worded(name: str) -> str:
    """Return the name of a measure as words.

    >>> worded("stock_share")
    'stock share'
    """
    return name.replace("_", " ")


def stated(meaning: str) -> str:
    """Return a hypothesis's meaning, prefixed with "Hypothesis:" so that it does not read like a
    result."""
    return f"Hypothesis: {meaning}"


def headed(name: str) -> str:
    """Return a column heading as words. The text after a space names a treatment and is kept.

    >>> headed("p_corrected"), headed("mean governance=per_step")
    ('p corrected', 'mean governance=per_step')
    """
    first, space, rest = name.partition(" ")
    return worded(first) + space + rest


def labelled(name: str, unit: str) -> str:
    """Return the label of an axis: a measure and its unit.

    >>> labelled("stock_share", "share"), labelled("gini", "")
    ('stock share (share)', 'gini')
    """
    return f"{worded(name)} ({unit})" if unit else worded(name)


def shown(value: Any) -> str:
    """Return a value as the report shows it: numbers to about four digits, "" if missing.

    >>> [shown(value) for value in (0.12345, 12.345, 123.45, 12345.6, 7, 7.0, 0.00001, True, None)]
    ['0.123', '12.35', '123.5', '12346', '7', '7', '<0.001', 'yes', '']
    """
    if value is None or pd.isna(value):
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    return _number(float(value)) if isinstance(value, float) else str(value).replace("-", MINUS)


def _number(number: float) -> str:
    size = abs(number)
    sign = MINUS if number < 0 else ""
    if size == float("inf"):
        return f"{sign}∞"
    if 0 < size < 0.0005:
        return "<0.001" if number > 0 else f">{MINUS}0.001"
    decimals = 0 if size.is_integer() else 3 if size < 10 else 2 if size < 100 else 1
    return f"{sign}{size:.{decimals if size < 1000 else 0}f}"
