"""Convert a table's values to pandas, according to the types in the codebook.

text    str, empty if missing
real    float64, NaN if missing
whole   int64; Int64 with <NA> if some are missing
flag    bool; boolean with <NA> if some are missing. Written as 1 and 0; before 0.8.0 as True and
        False
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.extensions import ExtensionArray

from mixed_company.engine.contract.errors import EngineError
from mixed_company.engine.contract.space import Array

MOST_WRONG = 10_000
"""Maximum number of wrong values or rows that are listed one by one. If there are more, the whole
table counts as wrong."""

TYPES = ("real", "whole", "flag", "text")
FLAGS = {"True": True, "False": False, "1": True, "0": False, True: True, False: False}


class TableError(EngineError):
    """Error for a table that cannot be read; `row` is the position of the first wrong row, counted
    from 0."""

    def __init__(self, column: str, row: int, fault: str) -> None:
        super().__init__(f"{column}: {fault}")
        self.column = column
        self.row = row


def typed(frame: pd.DataFrame, types: Mapping[str, str]) -> pd.DataFrame:
    """Return the frame with the types in the codebook; `""` is a missing value.

    A value of another type raises TableError.
    """
    columns = {
        str(name): array_of(str(name), frame[name].tolist(), types.get(str(name), "text"))
        for name in frame.columns
    }
    return pd.DataFrame(columns, index=frame.index)


def column_of(
    name: str,
    values: Sequence[Any],  # not a pandas Series, which is much slower to read value by value
    kind: str,
    wrong: list[TableError] | None = None,
    shared: dict[str, str] | None = None,
) -> pd.Series[Any]:
    """Return one column, converted as in `typed`. Equal strings become one object, which is kept in
    `shared`.

    If there is a `wrong` list, a value of another type becomes missing, and its error is added to
    the list, up to MOST_WRONG errors.
    """
    return pd.Series(array_of(name, values, kind, wrong, shared))


def array_of(
    name: str,
    values: Sequence[Any],
    kind: str,
    wrong: list[TableError] | None = None,
    shared: dict[str, str] | None = None,
) -> Array | ExtensionArray:
    """Return the values of the column that `column_of` returns."""
    if kind == "text":
        interned = {} if shared is None else shared
        texts = ["" if _is_missing(value) else str(value) for value in values]
        return pd.array([interned.setdefault(text, text) for text in texts], dtype="str")
    converted = _at_once(values, kind)
    if converted is None:
        converted = _one_by_one(name, values, kind, wrong)
    if kind == "real":
        return np.array(converted, dtype=float)
    whole, gaps = _DTYPES[kind]
    return pd.array(converted, dtype=gaps) if None in converted else np.array(converted, whole)


def without_gaps(column: pd.Series[Any]) -> pd.Series[Any]:
    """Return the column; if no value is missing, convert it to a type without missing values."""
    whole = _WITHOUT_GAPS.get(str(column.dtype))
    return column if whole is None or column.isna().any() else column.astype(whole)


_AS_KIND: Mapping[str, Callable[[str], Any]] = {
    "flag": lambda text: FLAGS[text],
    "real": float,
    "whole": int,
}


def _at_once(values: Sequence[Any], kind: str) -> list[Any] | None:
    """Convert a column's values, or return None if they must be checked one by one."""
    if not all(type(value) is str and value.isascii() and "_" not in value for value in values):
        return None
    as_kind = _AS_KIND[kind]
    try:
        converted = [as_kind(value) if value else None for value in values]
    except (KeyError, ValueError):
        return None
    numbers = [value for value in converted if value is not None] if kind == "whole" else []
    if numbers and not -(2**63) <= min(numbers) <= max(numbers) < 2**63:
        return None
    return converted


def _one_by_one(
    column: str, values: Sequence[Any], kind: str, wrong: list[TableError] | None
) -> list[Any]:
    converted: list[Any] = []
    for row, value in enumerate(values):
        try:
            converted.append(None if _is_missing(value) else _value(column, row, value, kind))
        except TableError as error:
            if wrong is None or len(wrong) >= MOST_WRONG:
                raise
            wrong.append(error)
            converted.append(None)
    return converted


def _is_missing(value: Any) -> bool:
    """Return whether a value is missing. NaN is not equal to itself."""
    return value is None or value is pd.NA or value == "" or bool(value != value)


_DTYPES: Mapping[str, tuple[Any, Any]] = {"whole": ("int64", "Int64"), "flag": ("bool", "boolean")}
_WITHOUT_GAPS: Mapping[str, Any] = {gaps: whole for whole, gaps in _DTYPES.values()}


def _value(column: str, row: int, value: Any, kind: str) -> Any:
    try:
        # Python also accepts digits of other scripts, and 1_000
        if not str(value).isascii() or (kind != "flag" and "_" in str(value)):
            raise ValueError
        if kind == "flag":
            return FLAGS[value]
        return float(value) if kind == "real" else _whole(value)
    except (KeyError, TypeError, ValueError, OverflowError):
        raise TableError(column, row, f"{value!r:.60} is not {_NAMED[kind]}") from None


_NAMED = {"real": "a number", "whole": "a whole number", "flag": "1 or 0"}


def _whole(value: Any) -> int:
    """Return a whole number; also accept 3.0, because policies send it this way."""
    if isinstance(value, str) and "." in value:
        value = float(value)
    if isinstance(value, float) and not value.is_integer():
        raise ValueError
    if not -(2**63) <= int(value) < 2**63:
        raise ValueError
    return int(value)
