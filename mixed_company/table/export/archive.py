"""Archive of an export: a zip with its tables, and files that describe them.

<game>/<table>.csv        the tables, UTF-8; numbers as Python writes them, so they are restored
                          to the last digit; flags are 1 and 0, times also ISO 8601
                          (`table.export.column`); a missing value is empty
participants.csv          one table for all games
codebook.md               explanations of every column and every parameter of the games, for people
codebook.csv              the columns, for programs: CODEBOOK
datapackage.json          the same for programs that read Data Packages (`table.export.package`)
read.R, read.do           scripts that read all tables into R and Stata
seals.csv                 a digest of each group, and a chain over them (`table.export.sealing`)
manifest.json             versions and sources, and the rows and sha256 of every table

with Writer(path, about) as archive:
    archive.table("commons_game", "decisions", columns, rows)

The manifest is written last, so an incomplete zip has none.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import platform
import tempfile
import tomllib
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from mixed_company.table.export.anonymous import Anonymous
from mixed_company.table.export.column import SINCE, Column, iso, iso_name, spread, with_iso
from mixed_company.table.export.describing import file_of, texts
from mixed_company.table.export.sealing import SEALS, Seals, chained, sealed, written

FORMAT = 1
PROJECT = "mixed-company"
MANIFEST = "manifest.json"
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""Fixed time of all zip entries, so the same tables always produce the same bytes."""

_ROOT = Path(__file__).resolve().parents[3]
_PACKAGE = _ROOT / "mixed_company"
_DECIDING = (_PACKAGE / "engine", _PACKAGE / "policies", _ROOT / "bots")
_CODE = (".py", ".onnx", ".json")
"""File suffixes of rules and policies, trained policies, and their cards."""


def software(*libraries: str) -> dict[str, str]:
    """Return the versions of Python, these libraries and this project, for a manifest."""
    versions = {name: version(name) for name in libraries}
    return {"python": platform.python_version(), **versions, "mixed_company": own_version()}


@cache
def own_version() -> str:
    """Return the version of this source tree or, without one, of the installed package."""
    file = _ROOT / "pyproject.toml"
    if file.is_file():
        project = tomllib.loads(file.read_text(encoding="utf-8")).get("project", {})
        if project.get("name") == PROJECT:
            return str(project["version"])
    return version(PROJECT)


class Sheet:
    """Table that is being written: its rows are in a temporary file, not in memory.

    `seal` is called for every row that is written.
    """

    def __init__(
        self,
        columns: Sequence[Column],
        anonymous: Anonymous | None = None,
        seal: Callable[[Sequence[str], Sequence[Any]], None] = lambda header, row: None,
    ) -> None:
        self._seal = seal
        self.columns = spread(with_iso(columns))
        self.declared = columns if anonymous is None else anonymous.columns(columns)
        names = list(self.columns)
        self._flags = [
            position for position, name in enumerate(names) if self.columns[name].type == "flag"
        ]
        times = [name for name in names if self.columns[name].unit.startswith(SINCE)]
        self._times = {names.index(iso_name(name)): name for name in times}
        self._anonymous = anonymous
        self.rows = 0
        self.file = tempfile.TemporaryFile()  # noqa: SIM115  closed by the archive
        self._text = io.TextIOWrapper(self.file, encoding="utf-8", newline="", write_through=False)
        self._csv = csv.writer(self._text, lineterminator="\n")
        self._csv.writerow(self.columns)

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Add rows. Cells of missing columns are left empty."""
        names = list(self.columns)
        if self._anonymous is not None:
            rows = self._anonymous.rows(self.columns, rows)
        for row in rows:
            values = self._values(names, row)
            self._csv.writerow(values)
            self._seal(names, values)
            self.rows += 1

    def _values(self, names: Sequence[str], row: Mapping[str, Any]) -> list[Any]:
        values = [row.get(name, "") for name in names]
        for position in self._flags:
            values[position] = (
                values[position] if values[position] in ("", None) else int(values[position])
            )
        for position, name in self._times.items():
            values[position] = iso(row.get(name))
        return values

    def size(self) -> int:
        """Return the table's size in bytes."""
        self._text.flush()
        return self.file.seek(0, io.SEEK_END)

    def copy(self, target: IO[bytes]) -> str:
        """Copy the table's file into the target, and return its sha256."""
        digest = hashlib.sha256()
        self.file.seek(0)
        while part := self.file.read(1 << 16):
            digest.update(part)
            target.write(part)
        return digest.hexdigest()


class Writer:
    """Writer of an archive; `about` goes into its manifest: versions, time and sessions.

    With `anonymous`, all personal data is replaced or left out. `key` seals the archive.
    """

    def __init__(
        self,
        file: Path | IO[bytes],
        about: Mapping[str, Any],
        anonymous: Anonymous | None = None,
        key: bytes = b"",
    ) -> None:
        self._key, self._seals = key, Seals()
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
        self._about = about
        self._anonymous = anonymous
        self._games: dict[str, dict[str, Sheet]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._finish()
        for _, sheet in self._sheets():
            sheet.file.close()
        self._zip.close()

    def sheet(self, game: str, name: str, columns: Sequence[Column]) -> Sheet:
        """Start a table; for several games, pass the columns of all of them (`spread`)."""
        sheets = self._games.setdefault(game, {})
        if name in sheets:
            raise ValueError(f"{game}/{name}: already in the archive")

        def seal(header: Sequence[str], row: Sequence[Any]) -> None:
            self._seals.add(game, name, header, [row])

        sheets[name] = Sheet(columns, self._anonymous, seal)
        return sheets[name]

    def table(
        self,
        game: str,
        name: str,
        columns: Sequence[Column],
        rows: Iterable[Mapping[str, Any]],
    ) -> None:
        """Add a complete table."""
        self.sheet(game, name, columns).add(rows)

    def silences(self, journal: Iterable[Mapping[str, Any]]) -> bool:
        """Return whether this archive leaves out messages from people in this journal.

        A journal without them cannot be replayed.
        """
        return (
            self._anonymous is not None
            and not self._anonymous.texts
            and any(entry["kind"] == "message" and entry["sentence"] is None for entry in journal)
        )

    def text(self, name: str, text: str) -> None:
        """Add a text file."""
        self._zip.writestr(entry_of(name, len(text)), text.encode())

    def _finish(self) -> None:
        listed = {path: self._put(path, sheet) for path, sheet in self._sheets()}
        declared = {
            game: {name: sheet.declared for name, sheet in sheets.items()}
            for game, sheets in self._games.items()
        }
        about = {**self._about, **self._personal()}
        for name, text in texts(about, declared, listed).items():
            self.text(name, text)
        lines = self._seals.lines()
        links = chained(lines)
        self.text(SEALS, written(lines, links))
        named = {"format": FORMAT, "project": PROJECT, **about, "tables": listed}
        manifest = sealed(named, links, self._key)
        self.text(MANIFEST, json.dumps(manifest, indent=2) + "\n")

    def _personal(self) -> dict[str, Any]:
        """Return the manifest's entries about personal data, if anything is anonymous."""
        if self._anonymous is None:
            return {}
        columns: dict[str, dict[str, Column]] = {}
        for sheets in self._games.values():
            for name, sheet in sheets.items():
                columns.setdefault(name, {}).update(sheet.columns)
        return self._anonymous.described(columns)

    def _sheets(self) -> Iterator[tuple[str, Sheet]]:
        for game, sheets in self._games.items():
            for name, sheet in sheets.items():
                yield file_of(game, name), sheet

    def _put(self, path: str, sheet: Sheet) -> dict[str, Any]:
        with self._zip.open(entry_of(path, sheet.size()), "w") as file:
            return {"rows": sheet.rows, "sha256": sheet.copy(file)}


def entry_of(name: str, size: int) -> zipfile.ZipInfo:
    """Return the zip entry for a file in an export; `mixed check` compares every byte of it."""
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    entry.file_size = size  # a table of more than 2 GB needs a different kind of zip entry
    return entry


def code_hash(*folders: Path) -> str:
    """Return the sha256 of the code in these folders, computed from file names and contents.

    By default this is the code of rules and policies, which each process reads only once. Code is
    everything that determines a play: Python files, trained policies and their cards.
    """
    return _hashed(folders) if folders else _hash_of_deciding()


@cache
def _hash_of_deciding() -> str:
    return _hashed(_DECIDING)


def _hashed(folders: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(file for file in folder.rglob("*") if file.suffix in _CODE):
            digest.update(path.relative_to(folder.parent).as_posix().encode() + b"\0")
            digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()
