"""The rows of a table as plain values, and what was found wrong with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from mixed_company.analysis.data import Problem
from mixed_company.analysis.reading import place

__all__ = ["Difference", "Findings", "Rows", "named"]

Key = tuple[Any, ...]
_AT_ONCE = 2_000
"""Rows that are plain values at once, of a whole table."""


@dataclass(frozen=True)
class Difference(Problem):
    """A value that is not what it should be, or a row that is not as it should be.

    table, row, column   where, `row` from 0 (None: it is not there)
    key                  period, seat ... of the row, as far as it is about one
    actual, should       the values
    """

    table: str = ""
    row: int | None = None
    column: str = ""
    key: str = ""
    actual: Any = None
    should: Any = None


class _Frame(Mapping[str, list[Any]]):
    """The columns of a frame as plain values, made when one is looked up: all at once they would
    take many times the memory of the file."""

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


@dataclass(frozen=True)
class Rows:
    """Some rows of a table: column -> values, `""` where there is none; `numbers` are their places
    in the file."""

    table: str
    columns: Mapping[str, list[Any]]
    numbers: Sequence[int]

    @classmethod
    def of(cls, table: str, frame: pd.DataFrame) -> Rows:
        """All rows of a frame."""
        index = frame.index
        if len(frame) <= _AT_ONCE:
            return cls(table, dict(_Frame(frame)), index.tolist())
        if isinstance(index, pd.RangeIndex):  # its numbers as a list take more than a column
            return cls(table, _Frame(frame), range(index.start, index.stop, index.step))
        return cls(table, _Frame(frame), index.tolist())

    def __len__(self) -> int:
        return len(self.numbers)

    def take(self, places: Sequence[int]) -> Rows:
        """The rows at these places, in this order."""
        numbers = [self.numbers[at] for at in places]
        if isinstance(self.columns, _Frame):
            own = self.columns.frame.iloc[list(places)]
            return Rows(self.table, {str(name): _plain(own[name]) for name in own}, numbers)
        columns = {name: [own[at] for at in places] for name, own in self.columns.items()}
        return Rows(self.table, columns, numbers)

    def keys(self, names: Sequence[str]) -> list[Key]:
        """The key of every row."""
        return list(zip(*(self.columns[name] for name in names), strict=True))

    def records(self) -> Iterator[dict[str, Any]]:
        """Every row by column, with `row`, its place in the file."""
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
    """A key in words: `period 3, seat 1`."""
    return ", ".join(f"{name} {value}" for name, value in zip(names, key, strict=True))


@dataclass
class Findings:
    """What an audit has found of one game, and how many values it has compared.

    other_code  was the export made by other rules or policies than these?
    recomputed  how many decisions of policies were asked again
    otherwise   policy and its version here -> how many values it decides otherwise than the other
                code that made the export: no difference, since other code can
    unasked     why others could not be -> how many
    without_journal  groups of which only the decisions could be played again
    """

    game: str
    other_code: bool = False
    problems: list[Problem] = field(default_factory=list)
    numbers: int = 0
    recomputed: int = 0
    otherwise: Counter[str] = field(default_factory=Counter)
    unasked: Counter[str] = field(default_factory=Counter)
    without_journal: int = 0
    session: str = ""
    group: int | None = None

    def tell(self, table: str, row: int | None, what: str, **about: Any) -> None:
        """Something is wrong with a row, or with a table."""
        where = place(self.game, table, row, about.get("column", ""))
        if self.group is not None:
            what = f"{what} (session {self.session}, group {self.group})"
        self.problems.append(
            Difference(
                "differs", what, where, self.session, self.group, table=table, row=row, **about
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
        """Compare one value, exactly; False if it is another. `by` is the table that says what it
        should be, if one does: it can as well be that one which was changed."""
        self.numbers += 1
        if actual == should:
            return True
        what = f"{_shown(actual)} should be {_shown(should)}"
        what += f", as in {by}; one of these tables was changed" if by else ""
        about = {"column": column, "key": key, "actual": actual, "should": should}
        self.tell(table, row, f"{key}: {what}" if key else what, **about)
        return False

    def rule(
        self, right: bool, table: str, row: int, column: str, actual: Any, rule: str, key: str = ""
    ) -> None:
        """A value that must obey a rule, told if it does not."""
        self.numbers += 1
        if not right:
            what = f"{_shown(actual)} {rule}"
            about = {"column": column, "key": key, "actual": actual, "should": rule}
            self.tell(table, row, f"{key}: {what}" if key else what, **about)

    def rows(
        self,
        rows: Rows,
        names: Sequence[str],
        should: Mapping[Key, Mapping[str, Any]],
        compared: Callable[[str], bool],
    ) -> None:
        """Compare every value of the rows whose key is in `should`, in the columns `compared`."""
        keys = rows.keys(names)
        places = [at for at, key in enumerate(keys) if key in should]
        wanted = [should[keys[at]] for at in places]
        for column, own in rows.columns.items():
            if not compared(column):
                continue
            self.numbers += len(places)
            right = [row.get(column, "") for row in wanted]
            actual = [own[at] for at in places]
            if actual == right:
                continue
            for at, one, other in zip(places, actual, right, strict=True):
                other = "" if other is None else other
                if one != other:
                    self.numbers -= 1
                    key = named(names, keys[at])
                    self.value(rows.table, rows.numbers[at], column, one, other, key)


def _shown(value: Any) -> str:
    if value == "" and isinstance(value, str):
        return "nothing"
    text = value if isinstance(value, str) else repr(value)
    return f"{text[:80]} ..." if len(text) > 80 else text
