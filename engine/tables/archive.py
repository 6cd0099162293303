"""The tables of one export in one file: a zip that says what is in it.

manifest.json             what made it, and of every table its rows and sha256
codebook.md               every column, explained, to be read
codebook.csv              the same, to be computed with: game, table, column, type, unit, meaning
<game>/<table>.csv        the tables, UTF-8; numbers as Python writes them, so that they come
                          back to the last digit; what has no value is empty

with Writer(path, versions) as archive:
    archive.table("commons_game", "decisions", columns, rows)
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from engine.tables.columns import Column

__all__ = ["FORMAT", "MANIFEST", "Writer", "code_hash"]

FORMAT = 1
MANIFEST = "manifest.json"
CODEBOOK = ("game", "table", "column", "type", "unit", "meaning")
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The same tables give the same bytes: a zip would note when it was written."""


class Writer:
    """Writes an archive, a table at a time; what it lists last is the manifest.

    `made` goes into the manifest as it is: versions, when, from which sessions.
    """

    def __init__(self, file: Path | BinaryIO, made: Mapping[str, Any]) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
        self._made = made
        self._tables: dict[str, dict[str, Any]] = {}
        self._columns: list[tuple[str, ...]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._finish()
        self._zip.close()

    def table(
        self,
        game: str,
        name: str,
        columns: Sequence[Column],
        rows: Iterable[Mapping[str, Any]],
    ) -> None:
        """Add a table. A row that lacks a column has it empty."""
        header = [each for column in columns for each in column.names()]
        digest, count = hashlib.sha256(), 0
        with self._zip.open(self._entry(f"{game}/{name}.csv"), "w") as file:
            for count, line in enumerate(_lines(header, rows)):  # noqa: B007
                digest.update(line)
                file.write(line)
        self._tables[f"{game}/{name}.csv"] = {"rows": count, "sha256": digest.hexdigest()}
        self._columns += [
            (game, name, each, column.type, column.unit, column.meaning)
            for column in columns
            for each in column.names()
        ]

    def text(self, name: str, text: str) -> None:
        """Add a text, such as the codebook to be read."""
        self._zip.writestr(self._entry(name), text.encode())

    def _finish(self) -> None:
        rows = [dict(zip(CODEBOOK, row, strict=True)) for row in self._columns]
        self.text("codebook.csv", b"".join(_lines(CODEBOOK, rows)).decode())
        manifest = {"format": FORMAT, **self._made, "tables": self._tables}
        self.text(MANIFEST, json.dumps(manifest, indent=2) + "\n")

    def _entry(self, name: str) -> zipfile.ZipInfo:
        entry = zipfile.ZipInfo(name, _EPOCH)
        entry.compress_type = zipfile.ZIP_DEFLATED
        return entry


def _lines(header: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Iterable[bytes]:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    yield _taken(buffer)
    for each in rows:
        writer.writerow([each.get(name, "") for name in header])
        yield _taken(buffer)


def _taken(buffer: io.StringIO) -> bytes:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text.encode()


def code_hash(*folders: Path) -> str:
    """sha256 over all Python files of these folders, by name and content."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.relative_to(folder.parent).as_posix().encode() + b"\0")
            digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()
