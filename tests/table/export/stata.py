"""Interpreter for the few Stata commands that `read.do` uses, for machines without Stata.

It runs a script on the tables of an unpacked export and writes the .dta files with pandas. It
raises an error for a command that Stata would reject: if a name is invalid, reserved or taken, a
value is not a number, or a label is too long. The interpreter does not prove that Stata reads the
commands in the same way.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,31}")
RESERVED = {
    *("_all", "_b", "byte", "_coef", "_cons", "double", "float", "if", "in", "int", "long", "_n"),
    *("_N", "_pi", "_pred", "_rc", "_skip", "str", "strL", "using", "with"),
}
NUMBER = re.compile(r"-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
LONGEST_LABEL = 80
LONGEST_STRING = 2045
"""Maximum number of bytes in a string that is not a strL."""
SINCE_1960_MS = 315_619_200_000
"""Milliseconds from 1960, where Stata's count starts, to 1970: 3653 days."""


@dataclass
class Stata:
    """The table in memory, and the files that the script has read and saved."""

    folder: Path
    table: pd.DataFrame = field(default_factory=pd.DataFrame)
    labels: dict[str, str] = field(default_factory=dict)
    saved: list[Path] = field(default_factory=list)

    def run(self, script: str) -> None:
        for line in script.splitlines():
            if line and not line.startswith("*") and line != "version 16":
                self._command(line)

    def _command(self, line: str) -> None:
        for pattern, do in _COMMANDS.items():
            if match := re.fullmatch(pattern, line):
                do(self, *match.groups())
                return
        raise ValueError(f"unknown command: {line}")

    def read(self, path: str) -> None:
        """Read all values as strings into v1, v2, ..."""
        assert not any(sign in path for sign in '$`"'), path
        rows = pd.read_csv(
            self.folder / path, header=None, skiprows=1, dtype=str, keep_default_na=False
        )
        self.table = rows.set_axis([f"v{number}" for number in range(1, rows.shape[1] + 1)], axis=1)
        self.labels = {}

    def rename(self, old: str, new: str) -> None:
        self._check_new(new)
        self.table = self.table.rename(columns={self._column(old): new})

    def destring(self, name: str) -> None:
        values = self.table[self._column(name)]
        wrong = [value for value in values if value and not NUMBER.fullmatch(value)]
        assert not wrong, f"{name} stays a string: {wrong[0]}"
        self.table[name] = pd.to_numeric(values.where(values != ""), errors="raise").astype(float)

    def label(self, name: str, text: str) -> None:
        assert len(text) <= LONGEST_LABEL
        assert not set(text) & set('$`"')
        self.labels[self._column(name)] = text

    def drop(self, name: str) -> None:
        self.table = self.table.drop(columns=self._column(name))

    def generate(self, name: str, source: str) -> None:
        self._check_new(name)
        self.table = self.table.assign(**{name: self.table[self._column(source)] + SINCE_1960_MS})

    def format(self, name: str) -> None:
        milliseconds = self.table[self._column(name)]
        self.table[name] = pd.Timestamp(1960, 1, 1) + pd.to_timedelta(milliseconds, unit="ms")

    def save(self, path: str) -> None:
        texts = self.table.select_dtypes(["object", "string"])
        long = [
            name
            for name in texts
            if max(len(str(text).encode()) for text in texts[name]) > LONGEST_STRING
        ]
        times: Any = dict.fromkeys(self.table.select_dtypes("datetime"), "tc")
        target = self.folder / path
        self.table.to_stata(
            target,
            version=118,
            write_index=False,
            variable_labels=self.labels,
            convert_dates=times,
            convert_strl=long,
        )
        self.saved.append(target)

    def _column(self, name: str) -> str:
        assert name in self.table, f"variable {name} not found"
        return name

    def _check_new(self, name: str) -> None:
        assert NAME.fullmatch(name), f"{name} is an invalid name"
        assert name not in RESERVED, f"{name} is reserved"
        assert not re.fullmatch(r"str\d+|v\d+", name), f"{name} is reserved"
        assert name not in self.table, f"variable {name} is already defined"


_IMPORT = (
    r'import delimited using "(.+)", clear varnames\(nonames\) rowrange\(2\) '
    r'stringcols\(_all\) encoding\("utf-8"\) bindquote\(strict\) maxquotedrows\(unlimited\)'
)
_COMMANDS: dict[str, Any] = {
    _IMPORT: Stata.read,
    r"rename (\S+) (\S+)": Stata.rename,
    r"destring (\S+), replace": Stata.destring,
    r'label variable (\S+) "(.*)"': Stata.label,
    r"drop (\S+)": Stata.drop,
    r'generate double (\S+) = (\S+) \+ clock\("1970-01-01 00:00:00", "YMDhms"\)': Stata.generate,
    r"format (\S+) %tc": Stata.format,
    r'save "(.+)", replace': Stata.save,
}
