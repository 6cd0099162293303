"""Values of a table as pandas has them, by the types of the codebook.

text    str, empty where there is none
real    float64, NaN where there is none
whole   int64; Int64 with <NA> where some are missing
flag    bool; boolean with <NA> where some are missing. 1 and 0; before 0.8.0 True and False
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from mixed_company.engine.contract.errors import EngineError

__all__ = ["FLAGS", "MOST_WRONG", "TYPES", "TableError", "column_of", "typed", "without_gaps"]

MOST_WRONG = 10_000
"""Values or rows of a table that are named one by one as wrong; with more it is as a whole."""

TYPES = ("real", "whole", "flag", "text")
FLAGS = {"True": True, "False": False, "1": True, "0": False, True: True, False: False}


class TableError(EngineError):
    """A table that cannot be read; `row` is the number of the first row that is wrong, from 0."""

    def __init__(self, column: str, row: int, what: str) -> None:
        super().__init__(f"{column}: {what}")
        self.column = column
        self.row = row


def typed(
    frame: pd.DataFrame, types: Mapping[str, str], wrong: list[TableError] | None = None
) -> pd.DataFrame:
    """The frame with the types of the codebook; `""` is no value.

    A value of another type raises TableError; or it is no value, and the error is added to `wrong`,
    which is full with MOST_WRONG of them.
    """
    columns = {
        str(name): column_of(
            str(name), frame[name].tolist(), types.get(str(name), "text"), wrong
        ).set_axis(frame.index)
        for name in frame.columns
    }
    return pd.DataFrame(columns, index=frame.index)


def column_of(
    name: str,
    given: Sequence[Any],  # pandas takes much longer to look at values one by one
    kind: str,
    wrong: list[TableError] | None = None,
    shared: dict[str, str] | None = None,
) -> pd.Series[Any]:
    """One column, typed as `typed` does; texts that are alike are one text, of `shared`."""
    if kind == "text":
        known = {} if shared is None else shared
        texts = ["" if _none(value) else str(value) for value in given]
        return pd.Series([known.setdefault(text, text) for text in texts], dtype="str")
    converted = _at_once(given, kind)
    if converted is None:
        converted = _one_by_one(name, given, kind, wrong)
    if kind == "real":
        return pd.Series(converted, dtype="float64")
    column: pd.Series[Any] = pd.Series(converted, dtype=_DTYPES[kind][None in converted])
    return column


def without_gaps(column: pd.Series[Any]) -> pd.Series[Any]:
    """The column as if typed at once: with a type that knows no gaps where it has none."""
    whole = _WITHOUT_GAPS.get(str(column.dtype))
    return column if whole is None or column.isna().any() else column.astype(whole)


_AS_KIND: Mapping[str, Callable[[str], Any]] = {
    "flag": lambda text: FLAGS[text],
    "real": float,
    "whole": int,
}


def _at_once(given: Sequence[Any], kind: str) -> list[Any] | None:
    """The values of a table as it was read, all of them texts that are right; None: look closer."""
    if not all(type(value) is str for value in given):
        return None
    as_kind = _AS_KIND[kind]
    try:
        converted = [as_kind(value) if value else None for value in given]
    except (KeyError, ValueError):
        return None
    numbers = [value for value in converted if value is not None] if kind == "whole" else []
    if numbers and not -(2**63) <= min(numbers) <= max(numbers) < 2**63:
        return None
    return converted


def _one_by_one(
    column: str, given: Sequence[Any], kind: str, wrong: list[TableError] | None
) -> list[Any]:
    converted: list[Any] = []
    for at, value in enumerate(given):
        try:
            converted.append(None if _none(value) else _value(column, at, value, kind))
        except TableError as error:
            if wrong is None or len(wrong) >= MOST_WRONG:
                raise
            wrong.append(error)
            converted.append(None)
    return converted


def _none(value: Any) -> bool:
    """Is there no value? NaN is not equal to itself."""
    return value is None or value is pd.NA or value == "" or bool(value != value)


_DTYPES: Mapping[str, tuple[Any, Any]] = {"whole": ("int64", "Int64"), "flag": ("bool", "boolean")}
_WITHOUT_GAPS: Mapping[str, Any] = {gaps: whole for whole, gaps in _DTYPES.values()}


def _value(column: str, at: int, value: Any, kind: str) -> Any:
    try:
        if kind == "flag":
            return FLAGS[value]
        return float(value) if kind == "real" else _whole(value)
    except (KeyError, TypeError, ValueError, OverflowError):
        raise TableError(column, at, f"{value!r:.60} is no {_NAMED[kind]}") from None


_NAMED = {"real": "number", "whole": "whole number", "flag": "1 or 0"}


def _whole(value: Any) -> int:
    """A whole number; what a policy sent is one as well, and written as 3.0."""
    if isinstance(value, str) and "." in value:
        value = float(value)
    if isinstance(value, float) and not value.is_integer():
        raise ValueError
    if not -(2**63) <= int(value) < 2**63:
        raise ValueError
    return int(value)
