"""Rows of a table as plain values, and the problems that an audit finds in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from mixed_company.analysis.data import Problem
from mixed_company.analysis.reading import place
from mixed_company.engine.contract.space import Array

Key = tuple[Any, ...]
_AT_ONCE = 2_000
"""Maximum number of rows that are held as plain values at a time."""


@dataclass(frozen=True)
class Difference(Problem):
    """A value or row that is not as expected.

    table, row, column   its position; `row` counts from 0 (None if the row is missing)
    key                  period, seat and so on of the row, if it has a key
    actual, should       the value in the export and the expected value
    """

    table: str = ""
    row: int | None = None
    column: str = ""
    key: str = ""
    actual: Any = None
    should: Any = None


class _Frame(Mapping[str, list[Any]]):
    """Columns of a frame as plain values. A column is converted when it is first used, because all
    columns together would take up many times the memory of the file."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self.frame = frame

    def __getitem__(self, name: str) -> list[Any]:
        return _plain(self.frame[name])

    def __iter__(self) -> Iterator[str]:
        return map(str, self.frame)

    def __len__(self) -> int:
        return len(self.frame.columns)


def _plain(column: pd.Series[Any]) -> list[Any]:
    return ["" if value is pd.NA or value != value else value for value in column.tolist()]


def treatment_of(row: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the session, treatment and block of a row."""
    return row["session"], row.get("treatment", ""), row.get("block", "")


def person_of(row: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the session, participant and block of a row."""
    return row["session"], row["participant"], row.get("block", "")


@dataclass(frozen=True)
class Rows:
    """Some rows of a table: column -> values, `""` if empty. `numbers` holds the rows' positions in
    the file."""

    table: str
    columns: Mapping[str, list[Any]]
    numbers: Sequence[int]

    @classmethod
    def of(cls, table: str, frame: pd.DataFrame) -> Rows:
        """Return all rows of a frame."""
        index = frame.index
        if len(frame) <= _AT_ONCE:
            return cls(table, dict(_Frame(frame)), index.tolist())
        if isinstance(index, pd.RangeIndex):  # a list would take more memory than a column
            return cls(table, _Frame(frame), range(index.start, index.stop, index.step))
        return cls(table, _Frame(frame), index.tolist())

    def __len__(self) -> int:
        return len(self.numbers)

    def take(self, places: Sequence[int] | Array) -> Rows:
        """Return the rows at these positions, in this order."""
        places = places.tolist() if isinstance(places, np.ndarray) else places
        numbers = [self.numbers[place] for place in places]
        if isinstance(self.columns, _Frame):
            frame = self.columns.frame.iloc[list(places)]
            return Rows(self.table, {str(name): _plain(frame[name]) for name in frame}, numbers)
        columns = {name: [frame[place] for place in places] for name, frame in self.columns.items()}
        return Rows(self.table, columns, numbers)

    def keys(self, names: Sequence[str]) -> list[Key]:
        """Return the key of every row."""
        return list(zip(*(self.columns[name] for name in names), strict=True))

    def places(self, names: Sequence[str]) -> dict[Key, Any]:
        """Return the positions of the rows with each key, in the order in which the keys first
        appear. Rows without a complete key are left out."""
        if isinstance(self.columns, _Frame):  # a list of all keys would take more memory
            parts = self.columns.frame.groupby(list(names), sort=False)
            return {key: parts.indices[key] for key in parts.size().index.tolist()}
        by_key: dict[Key, list[int]] = {}
        for row, key in enumerate(self.keys(names)):
            if "" not in key:
                by_key.setdefault(key, []).append(row)
        return by_key

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield every row as a mapping from column to value, with its position in the file under
        `row`."""
        names = [*self.columns, "row"]
        for part in self._parts():
            for values in zip(*part.columns.values(), part.numbers, strict=True):
                yield dict(zip(names, values, strict=True))

    def _parts(self) -> Iterator[Rows]:
        if not isinstance(self.columns, _Frame):
            yield self
            return
        for start in range(0, len(self), _AT_ONCE):
            yield self.take(range(start, min(start + _AT_ONCE, len(self))))


def named(names: Sequence[str], key: Sequence[Any]) -> str:
    """Return a key in words: `period 3, seat 1`."""
    return ", ".join(f"{name} {value}" for name, value in zip(names, key, strict=True))


@dataclass
class Findings:
    """The problems that an audit found in one game, and how many values it compared.

    other_code  whether other code for rules or policies made the export
    same_release  whether this release made the export, even if the policies differ
    recomputed  number of decisions that policies were asked to make again
    otherwise   policy and its installed version -> number of values for which this version differs
                from the code that made the export; not counted as differences
    unasked     reason why policies could not be asked again -> number of decisions
    journals    number of groups that were rebuilt from their journals
    without_journal  number of groups without a journal, for which only decisions were replayed
    imported    number of groups that were imported from a table
    """

    game: str
    other_code: bool = False
    same_release: bool = True
    problems: list[Problem] = field(default_factory=list)
    numbers: int = 0
    recomputed: int = 0
    otherwise: Counter[str] = field(default_factory=Counter)
    unasked: Counter[str] = field(default_factory=Counter)
    journals: int = 0
    without_journal: int = 0
    imported: int = 0
    session: str = ""
    group: int | None = None

    def tell(self, table: str, row: int | None, message: str, **about: Any) -> None:
        """Report a problem with a row, or with the entire table if `row` is None."""
        where = place(self.game, table, row, about.get("column", ""))
        if self.group is not None:
            message = f"{message} (session {self.session}, group {self.group})"
        self.problems.append(
            Difference(
                "differs", message, where, self.session, self.group, table=table, row=row, **about
            )
        )

    def value(
        self,
        table: str,
        row: int,
        column: str,
        actual: Any,
        should: Any,
        key: str = "",
        by: str = "",
    ) -> bool:
        """Compare one value exactly, and return whether it is correct. If the expected value comes
        from another table, `by` names it, because that table may be the one that was changed."""
        self.numbers += 1
        if actual == should:
            return True
        message = f"{_shown(actual)} should be {_shown(should)}"
        message += f", as in {by}; somebody changed one of these tables" if by else ""
        about = {"column": column, "key": key, "actual": actual, "should": should}
        self.tell(table, row, f"{key}: {message}" if key else message, **about)
        return False

    def coded(self, right: bool, table: str, row: int, column: str, actual: Any) -> None:
        """Report a value, unless it is `right`, as personal data in an export that its manifest
        describes as anonymous.

        The value is not counted as compared, so an export and its anonymous version have the same
        count.
        """
        if not right:
            self.rule(right, table, row, column, actual, CODED_ONLY)
            self.numbers -= 1

    def rule(
        self, right: bool, table: str, row: int, column: str, actual: Any, rule: str, key: str = ""
    ) -> None:
        """Count a value as compared. Unless it is `right`, report that it breaks a rule."""
        self.numbers += 1
        if not right:
            message = f"{_shown(actual)} {rule}"
            about = {"column": column, "key": key, "actual": actual, "should": rule}
            self.tell(table, row, f"{key}: {message}" if key else message, **about)

    def rows(
        self,
        rows: Rows,
        names: Sequence[str],
        should: Mapping[Key, Mapping[str, Any]],
        compared: Callable[[str], bool],
    ) -> None:
        """Compare every value in the `compared` columns, for the rows with keys in `should`."""
        keys = rows.keys(names)
        places = [index for index, key in enumerate(keys) if key in should]
        wanted = [should[keys[index]] for index in places]
        for column, values in rows.columns.items():
            if not compared(column):
                continue
            self.numbers += len(places)
            right = [row.get(column, "") for row in wanted]
            actual = [values[index] for index in places]
            if actual == right:
                continue
            for index, value, expected in zip(places, actual, right, strict=True):
                expected = "" if expected is None else expected
                if value != expected:
                    self.numbers -= 1
                    key = named(names, keys[index])
                    self.value(rows.table, rows.numbers[index], column, value, expected, key)


CODED_ONLY = (
    "should be a code or left out, because the manifest says that the export has no personal data"
)


def _shown(value: Any) -> str:
    if value == "" and isinstance(value, str):
        return "nothing"
    text = value if isinstance(value, str) else repr(value)
    return f"{text[:80]} ..." if len(text) > 80 else text
