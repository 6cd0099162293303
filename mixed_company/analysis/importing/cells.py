"""A table as text, and its cell values as the map translates them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from mixed_company import files
from mixed_company.analysis.importing.mapping import Column
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest, short
from mixed_company.table.export.column import as_text

_SEPARATORS = ",;\t"
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?")
_LONGEST = 40
_LARGEST = 1e12
_SHOWN = 3
"""Maximum number of faulty rows that an error lists."""


@dataclass(frozen=True)
class Table:
    """The text of a table.

    header   names of the columns
    rows     cells as text
    lines    line of each row in the file; the first row is on line 2
    comma    whether numbers can have a decimal comma
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    lines: Sequence[int]
    comma: bool

    def __len__(self) -> int:
        return len(self.rows)

    def cells(self, name: str) -> list[str]:
        """Return the cells of a column, without surrounding spaces."""
        place = self.header.index(name)
        return [row[place].strip() for row in self.rows]

    def names(self, key: str, column: Column) -> list[str]:
        """Return the names in a column. Raises ConfigError, UnknownName."""
        cells = self.cells(column.column)
        self._check(key, column, cells, [bool(cell) for cell in cells], "should not be empty")
        names = [str(self._value(key, column, cell)) for cell in cells] if column.values else cells
        right = [
            len(name) <= _LONGEST and name.isprintable() and as_text(name) == name for name in names
        ]
        rule = f"should be a name of at most {_LONGEST} characters that is not a formula"
        self._check(key, column, cells, right, rule)
        return names

    def numbers(self, key: str, column: Column) -> list[float]:
        """Return the numbers in a column. Raises ConfigError, UnknownName."""
        cells = self.cells(column.column)
        texts = self._texts(key, column)
        right = [_NUMBER.fullmatch(text) is not None for text in texts]
        self._check(key, column, cells, right, "should be a number")
        numbers = [float(text) * column.scale + column.offset for text in texts]
        right = [abs(number) <= _LARGEST for number in numbers]
        self._check(key, column, cells, right, f"should be between -{_LARGEST:g} and {_LARGEST:g}")
        return numbers

    def rounding(self, column: Column) -> float:
        """Return the rounding error of a column's numbers: half a unit of their last digit."""
        exponents = (Decimal(text).as_tuple().exponent for text in self._texts("", column))
        digits = max(-int(exponent) for exponent in exponents)
        return 0.5 * 10.0 ** -max(digits, 0) * abs(column.scale)

    def wholes(self, key: str, column: Column) -> list[int]:
        """Return the whole numbers in a column. Raises ConfigError, UnknownName."""
        numbers = self.numbers(key, column)
        right = [number.is_integer() for number in numbers]
        rule = "should be a whole number"
        self._check(key, column, self.cells(column.column), right, rule)
        return [int(number) for number in numbers]

    def _texts(self, key: str, column: Column) -> list[str]:
        """Return the numbers in a column as strings with a decimal point, as the map translates
        them. Raises UnknownName."""
        cells = self.cells(column.column)
        if column.values:
            return [str(self._value(key, column, cell)) for cell in cells]
        return [cell.replace(",", ".") if self.comma else cell for cell in cells]

    def _value(self, key: str, column: Column, cell: str) -> float | str:
        if cell not in column.values:
            rule = f"in column {column.column!r}, but not in the map"
            near = nearest(cell, column.values)
            raise UnknownName(f"{key}.values.{short(cell)}: {rule}{near}")
        return column.values[cell]

    def _check(
        self, key: str, column: Column, cells: Sequence[str], right: Sequence[bool], rule: str
    ) -> None:
        """Raise a ConfigError that names the first faulty rows, unless all cells are valid."""
        wrong = [place for place, fine in enumerate(right) if not fine]
        if not wrong:
            return
        first = [f"line {self.lines[place]}: {cells[place]!r:.60}" for place in wrong[:_SHOWN]]
        raise ConfigError(f"{key} = {column.column!r}: {rule}; {listed(first, len(wrong))}")


def listed(first: Sequence[str], number: int) -> str:
    """Return the first faults as text, and how many more there are."""
    more = f", and {number - len(first)} more" if number > len(first) else ""
    return f"{', '.join(first)}{more}"


def read(path: Path) -> Table:
    """Return the table in a CSV file; columns are separated by commas, semicolons or tabs. Raises
    ConfigError, OSError."""
    try:
        text = files.read(str(path)).removeprefix("\ufeff")
    except ValueError as error:
        raise ConfigError(f"{path}: {error}; save the table as CSV in UTF-8") from None
    first = text.partition("\n")[0]
    separator = max(_SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    rows: list[list[str]] = []
    lines: list[int] = []
    try:
        header = [name.strip() for name in next(reader, [])]
        for row in reader:
            if any(map(str.strip, row)):
                rows.append(row)
                lines.append(reader.line_num)
    except csv.Error as error:
        raise ConfigError(f"{path}: line {reader.line_num}: {error}") from None
    _check_form(path, header, rows, lines)
    return Table(header, rows, lines, separator != ",")


def _check_form(
    path: Path, header: Sequence[str], rows: Sequence[Sequence[str]], lines: Sequence[int]
) -> None:
    """Raise ConfigError if the table is empty, a column is repeated, or a row is longer or shorter
    than the header.
    """
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        raise ConfigError(f"{path}: column {twice[0]!r}: appears twice")
    if not rows:
        raise ConfigError(f"{path}: no rows below the header")
    for row, line in zip(rows, lines, strict=True):
        if len(row) != len(header):
            raise ConfigError(
                f"{path}: line {line}: {len(row)} cells, but the header has {len(header)}"
            )
