"""Faults planted in an export: table rows are changed as strings, and the manifest is kept or
rebuilt.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mixed_company.analysis.audit.described import written as written_texts
from mixed_company.analysis.files import ExportError, opened
from mixed_company.analysis.reading import load, participants
from mixed_company.table.export import sealing
from mixed_company.table.export.archive import entry_of
from mixed_company.table.export.describing import file_of
from mixed_company.table.export.package import PACKAGE

Rows = list[list[str]]
Change = Callable[[Rows], None]


def planted(
    good: Path, bad: Path, table: str, change: Change, *, remade: bool, game: str | None = None
) -> Path:
    """Write the export with one table changed. `change` receives the table's rows, header first.

    If `remade` is true, the manifest and the seals are recomputed for the changed table.
    """
    files = contents_of(good)
    manifest = json.loads(files["manifest.json"])
    path = file_of(next(iter(manifest["games"])) if game is None else game, table)
    rows = list(csv.reader(io.StringIO(files[path].decode(), newline="")))
    change(rows)
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    files[path] = text.getvalue().encode()
    if remade:
        sha256 = hashlib.sha256(files[path]).hexdigest()
        manifest["tables"][path] = {"rows": len(rows) - 1, "sha256": sha256}
        files["manifest.json"] = json.dumps(manifest).encode()
        reseal(files)
    return written(bad, files)


def reseal(files: dict[str, bytes]) -> None:
    """Recompute the hashes, the digests and the chain, as anyone could. The seal itself stays
    unchanged."""
    manifest = json.loads(files["manifest.json"])
    if PACKAGE in files:
        files[PACKAGE] = _with_hashes(files[PACKAGE], manifest["tables"])
    if "sealed" not in manifest:
        return
    seals = sealing.Seals()
    for path in manifest["tables"]:
        header, *rows = csv.reader(io.StringIO(files[path].decode(), newline=""))
        game, _, table = path.removesuffix(".csv").rpartition("/")
        seals.add(game, table, header, [row for row in rows if len(row) == len(header)])
    lines = seals.lines()
    links = sealing.chained(lines)
    files[sealing.SEALS] = sealing.written(lines, links).encode()
    manifest["sealed"] |= {"groups": len(links), "head": links[-1] if links else ""}
    files["manifest.json"] = json.dumps(manifest).encode()


def _with_hashes(package: bytes, listed: dict[str, Any]) -> bytes:
    """Return the data package with hashes of these tables."""
    content = json.loads(package)
    for resource in content["resources"]:
        if resource["path"] in listed:
            resource["hash"] = f"sha256:{listed[resource['path']]['sha256']}"
    return f"{json.dumps(content, indent=2)}\n".encode()


def described_again(path: Path) -> Path:
    """Write the files that describe the tables of an export, as this release would.

    If the export cannot be loaded because a table is missing, it keeps its files.
    """
    files, export = contents_of(path), opened(path)
    try:
        games = [load(path, game) for game in export.games]
    except ExportError:
        return path
    for name, text in next(written_texts(export, games, participants(path)[0])).items():
        files[name] = text.encode()
    return written(path, files)


def contents_of(path: Path) -> dict[str, bytes]:
    """Read all files of an export."""
    with zipfile.ZipFile(path) as zipped:
        return {name: zipped.read(name) for name in zipped.namelist()}


def dropped(table: bytes, column: str) -> bytes:
    """Return the CSV text of a table without one column."""
    rows = list(csv.reader(io.StringIO(table.decode(), newline="")))
    index = rows[0].index(column)
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(
        [*row[:index], *row[index + 1 :]] for row in rows
    )
    return text.getvalue().encode()


def written(path: Path, files: dict[str, bytes]) -> Path:
    """Write these files to a zip with the layout of an export, and return its path."""
    with zipfile.ZipFile(path, "w") as zipped:
        for name, content in files.items():
            zipped.writestr(entry_of(name, len(content)), content)
    return path


def deleted(row: int) -> Change:
    """Return a change that deletes a row. Row 1 is the first after the header."""
    return lambda rows: rows.__delitem__(row)


def doubled(row: int) -> Change:
    """Return a change that repeats a row."""
    return lambda rows: rows.insert(row, list(rows[row]))


def swapped(row: int, other: int) -> Change:
    """Return a change that swaps two rows."""

    def change(rows: Rows) -> None:
        rows[row], rows[other] = rows[other], rows[row]

    return change


def edited(row: int, column: str, value: str | None = None) -> Change:
    """Return a change of one value, to `value` or to the nearest other value."""

    def change(rows: Rows) -> None:
        index = rows[0].index(column)
        rows[row][index] = other(rows[row][index]) if value is None else value

    return change


def other(text: str) -> str:
    """Return the nearest other value: the next number, the other flag, or one more letter."""
    if text in ("True", "False"):
        return str(text != "True")
    try:
        return str(int(text) + 1)
    except ValueError:
        pass
    try:
        return repr(math.nextafter(float(text), math.inf))
    except ValueError:
        return text + "x" if text else "1"
