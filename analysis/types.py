"""Values of a table as pandas has them, by the types of the codebook.

text    str, empty where there is none
real    float64, NaN where there is none
whole   int64; Int64 with <NA> where some are missing
flag    bool; boolean with <NA> where some are missing
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from engine.errors import EngineError

__all__ = ["TableError", "typed"]

_FLAGS = {"True": True, "False": False, True: True, False: False}


class TableError(EngineError):
    """A table that cannot be read; `row` is the number of the first row that is wrong, from 0."""

    def __init__(self, column: str, row: int, what: str) -> None:
        super().__init__(f"{column}: {what}")
        self.column = column
        self.row = row


def typed(frame: pd.DataFrame, types: Mapping[str, str]) -> pd.DataFrame:
    """The frame with the types of the codebook; `""` is no value. Raises TableError."""
    made = {str(name): _column(frame[name], types.get(str(name), "text")) for name in frame.columns}
    return pd.DataFrame(made, index=frame.index)


def _column(values: pd.Series[Any], kind: str) -> pd.Series[Any]:
    if kind == "text":
        return values.astype(object).where(values.notna(), "").map(str).astype("str")
    missing = values.isna() | (values == "")
    converted = [
        None if empty else _value(values.name, at, value, kind)
        for at, (value, empty) in enumerate(zip(values.tolist(), missing.tolist(), strict=True))
    ]
    if kind == "real":
        return pd.Series(converted, index=values.index, dtype="float64")
    dtype = _DTYPES[kind][bool(missing.any())]
    return pd.Series(converted, index=values.index, dtype=dtype)


_DTYPES = {"whole": ("int64", "Int64"), "flag": ("bool", "boolean")}


def _value(column: Any, at: int, value: Any, kind: str) -> Any:
    try:
        if kind == "flag":
            return _FLAGS[value]
        return float(value) if kind == "real" else _whole(value)
    except (KeyError, TypeError, ValueError):
        raise TableError(str(column), at, f"{value!r} is no {_NAMED[kind]}") from None


_NAMED = {"real": "number", "whole": "whole number", "flag": "True or False"}


def _whole(value: Any) -> int:
    if isinstance(value, float) and not value.is_integer():
        raise ValueError
    return int(value)
