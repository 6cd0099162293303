"""Build a table from the rows of a file, all at once or, if the file has faults, part by part.

If every value in a file has the right type, pandas reads it (`at_once`). Any other file is read as
strings and checked value by value to find its faults (`gathered`). A table of strings takes up many
times the memory of its file, so only part of it is held as strings at a time.
"""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

from mixed_company.analysis.types import FLAGS, MOST_WRONG, TableError, column_of, without_gaps
from mixed_company.table.export.column import iso, iso_name

PART = 2_000
"""Maximum number of rows that are held as strings at a time."""

Row = tuple[int, Sequence[str]]
"""Position of a row in the file, counted from 0, and its values."""
Columns = dict[str, "pd.Series[Any]"]


@dataclass
class Gathered:
    """A table and its faults, by row position in the file.

    frame     the table; its index holds the positions. It has no times in ISO 8601, because these
              repeat the times in milliseconds
    wrong     values that do not have the type of their column; they are read as missing
    too_many  whether there are more than MOST_WRONG such values, in which case the frame is empty
    keyless   rows without a key; they are left out
    times     ISO 8601 times that differ from the times in milliseconds: position, column, fault
    """

    frame: pd.DataFrame = field(default_factory=pd.DataFrame)
    wrong: list[TableError] = field(default_factory=list)
    too_many: bool = False
    keyless: list[int] = field(default_factory=list)
    times: list[tuple[int, str, str]] = field(default_factory=list)


def at_once(
    header: Sequence[str], content: bytes, types: Mapping[str, str], keys: Sequence[str]
) -> Gathered | None:
    """Read a table from a file in which every row has as many values as the header.

    Numbers are exact to the last digit, as pandas 3.1 and later read them.

    Return None if the file must be read value by value, because a value does not have the type of
    its column or more than MOST_WRONG rows have no key.
    """
    if b"\0" in content:  # pandas ends a string at a NUL
        return None
    kinds = {name: types.get(name, "text") for name in header}
    try:
        frame = pd.read_csv(
            io.BytesIO(content),
            dtype={name: _DTYPES[kind] for name, kind in kinds.items()},
            keep_default_na=False,
            na_values={name: [""] for name, kind in kinds.items() if kind in ("real", "whole")},
            index_col=False,
            encoding="utf-8-sig",
            skip_blank_lines=False,
            low_memory=False,
        )
        columns = {
            str(name): _flags(column) if kinds[str(name)] == "flag" else column
            for name, column in frame.items()
        }
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    table = Gathered()
    table.frame = _whole([_without_iso(_with_keys(columns, keys, table), table)])
    if len(table.keyless) > MOST_WRONG:
        return None
    _in_order(table, header)
    return table


_DTYPES: Mapping[str, Any] = {"text": "str", "real": "float64", "whole": "Int64", "flag": "str"}


def _flags(column: pd.Series[Any]) -> pd.Series[Any]:
    """Convert flags that were read as strings. Raises KeyError if a string is not a flag."""
    values = {text: None if text == "" else FLAGS[text] for text in column.unique()}
    return column.map(values).astype("boolean")


def gathered(
    header: Sequence[str], rows: Iterable[Row], types: Mapping[str, str], keys: Sequence[str]
) -> Gathered:
    """Return a typed table of these rows, each of which has as many values as the header.

    All rows are read even if too many values are wrong, because other faults in the file are
    reported first.
    """
    table, rest = Gathered(), _parted(rows)
    parts: list[Columns] = []
    shared: dict[str, str] = {}
    for part in rest:
        try:
            columns = _typed(header, part, types, table.wrong, shared)
        except TableError:
            deque(rest, maxlen=0)
            return replace(table, too_many=True)
        parts.append(_without_iso(_with_keys(columns, keys, table), table))
    table.frame = _whole(parts)
    _in_order(table, header)
    return table


def _in_order(table: Gathered, header: Sequence[str]) -> None:
    """Sort the faults into the file's column order."""
    order = {name: place for place, name in enumerate(header)}
    table.wrong.sort(key=lambda error: order[error.column])
    table.times.sort(key=lambda time: order[time[1]])


def _parted(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Yield the rows in parts. If there are no rows, yield one empty part."""
    rest = iter(rows)
    part = list(islice(rest, PART))
    yield part
    while part := list(islice(rest, PART)):
        yield part


def _typed(
    header: Sequence[str],
    part: Sequence[Row],
    types: Mapping[str, str],
    wrong: list[TableError],
    shared: dict[str, str],
) -> Columns:
    """Return a part's columns. Raises TableError if too many values are wrong."""
    places = pd.Index([place for place, _ in part], dtype="int64")
    values = list(zip(*(row for _, row in part), strict=True)) or [()] * len(header)
    before = len(wrong)
    columns = {
        name: column_of(name, texts, types.get(name, "text"), wrong, shared).set_axis(places)
        for name, texts in zip(header, values, strict=True)
    }
    for error in wrong[before:]:
        error.row = int(places[error.row])
    return columns


def _with_keys(columns: Columns, keys: Sequence[str], table: Gathered) -> Columns:
    """Return the columns without the rows that lack a key."""
    key_columns = [columns[key] for key in keys if key in columns]
    keyless = np.zeros(len(next(iter(columns.values()))), dtype=bool)
    for column in key_columns:
        keyless |= (column == "" if column.dtype == "str" else column.isna()).to_numpy(dtype=bool)
    if not keyless.any():
        return columns
    table.keyless += key_columns[0].index[keyless].tolist()
    return {name: column[~keyless] for name, column in columns.items()}


def _without_iso(columns: Columns, table: Gathered) -> Columns:
    """Compare the times in ISO 8601 with the times in milliseconds; return the columns without the
    former."""
    texts = {iso_name(source): source for source in columns if iso_name(source) != source}
    twice = {
        column: source
        for column, source in texts.items()
        if column in columns and pd.api.types.is_integer_dtype(columns[source].dtype)
    }
    for column, source in twice.items():
        times = columns[source].astype(object).where(columns[source].notna(), "")
        texts_and_times = zip(columns[column].tolist(), times.tolist(), strict=True)
        for index, (actual, time) in enumerate(texts_and_times):
            if actual != (should := iso(time)):
                place = int(times.index[index])
                message = f"{actual or 'nothing'} should be {should or 'nothing'}, as in {source}"
                table.times.append((place, column, message))
    return {name: column for name, column in columns.items() if name not in twice}


def _whole(parts: Sequence[Columns]) -> pd.DataFrame:
    """Join the parts into one table. Once a column is built, its parts are freed."""
    index = pd.Index(np.concatenate([next(iter(part.values())).index for part in parts]))
    columns = {
        name: without_gaps(_joined([part.pop(name) for part in parts])) for name in list(parts[0])
    }
    if not len(index) or index[-1] == len(index) - 1:  # no rows were left out
        return pd.DataFrame(columns)
    return pd.DataFrame(columns).set_axis(index)


def _joined(columns: Sequence[pd.Series[Any]]) -> pd.Series[Any]:
    """Join the parts of a column, with an index from 0."""
    if len(columns) == 1:
        column = columns[0]
        return column if isinstance(column.index, pd.RangeIndex) else column.reset_index(drop=True)
    return pd.concat(columns, ignore_index=True)
