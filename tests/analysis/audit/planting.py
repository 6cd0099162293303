"""Planting of faults. The tables and the manifest are changed, and then everything except the seal
is recomputed, as anyone could do."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mixed_company import analysis
from mixed_company.analysis.data import Data
from mixed_company.table.export import sealing
from mixed_company.table.export.column import iso, iso_name
from tests.analysis.audit.faults import Rows, contents_of, described_again, other, reseal, written

__all__ = [
    "KEY",
    "Fault",
    "Manifest",
    "Plant",
    "Tables",
    "about_of",
    "change_value",
    "packed",
    "records",
    "remake_iso",
    "tables_of",
]

KEY = b"the key of a server"
Tables = dict[str, Rows]
Manifest = dict[str, Any]
Plant = Callable[[Tables, Manifest], None]


@dataclass(frozen=True)
class Fault:
    """Change to an export. `about` is its name in UNKNOWN, if it has one."""

    kind: str
    name: str
    about: str
    plant: Plant


def tables_of(files: dict[str, bytes], manifest: Manifest) -> Tables:
    """Return the rows of the tables by table name, for an export of one game."""
    return {
        Path(path).stem: list(csv.reader(io.StringIO(files[path].decode(), newline="")))
        for path in manifest["tables"]
    }


def of_sessions(
    path: Path, parts: Sequence[Data], groups: int
) -> tuple[dict[str, bytes], Manifest]:
    """Save an export of sessions with this many groups each; return its files, and its manifest
    with the entries that a server adds."""
    data = analysis.joined(*parts)
    data.manifest["made"] = "2026-11-24T12:00:00+00:00"
    analysis.save(data, path)
    files = contents_of(path)
    manifest = json.loads(files["manifest.json"])
    for about in manifest["sessions"].values():
        about["groups"] = {data.game_id: groups}
    created = list(dict.fromkeys(data.config["session"]))
    return files, manifest | {"session_configs": ["lab"], "created": created}


def packed(
    path: Path, files: dict[str, bytes], tables: Tables, manifest: Manifest, key: bytes = b""
) -> Path:
    """Write an export of these tables, recompute all digests, and seal it if there is a key."""
    files, before = dict(files), len(manifest["tables"])
    for inside in list(manifest["tables"]):
        rows = tables.get(Path(inside).stem)
        if rows is None:  # left out
            del manifest["tables"][inside], files[inside]
            continue
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows(rows)
        files[inside] = text.getvalue().encode()
        sha256 = hashlib.sha256(files[inside]).hexdigest()
        manifest["tables"][inside] = {"rows": len(rows) - 1, "sha256": sha256}
    files["manifest.json"] = json.dumps(manifest).encode()
    reseal(files)
    if any(len(rows) < 2 for rows in tables.values()) or len(tables) < before:
        files = contents_of(described_again(written(path, files)))
    if key:
        manifest = json.loads(files["manifest.json"])
        manifest.pop("sealed")
        lines = list(csv.reader(io.StringIO(files[sealing.SEALS].decode())))[1:]
        whole = sealing.sealed(manifest, [line[5] for line in lines], key)
        files["manifest.json"] = json.dumps(whole).encode()
    return written(path, files)


def records(rows: Rows) -> Iterator[dict[str, str]]:
    """Yield the rows after the header as dictionaries by column."""
    return (dict(zip(rows[0], row, strict=True)) for row in rows[1:])


def about_of(table: str, column: str) -> str:
    """Return the name of a column in UNKNOWN. `sent_...` columns and those of blocks share one
    name.
    """
    column = "sent_" if column.startswith("sent_") else column
    return f"{table}.{re.sub('_[0-9]+$', '_', column)}"


def change_value(table: str, column: str, row: int, value: str | None = None) -> Plant:
    """Return a fault that changes one value, by default to the nearest other one."""

    def plant(tables: Tables, _manifest: Manifest) -> None:
        index = tables[table][0].index(column)
        before = tables[table][row][index]
        tables[table][row][index] = other(before) if value is None else value
        remake_iso(tables[table][0], tables[table][row], column)

    return plant


def remake_iso(header: list[str], row: list[str], column: str) -> None:
    """Update the ISO column that belongs to the changed time column."""
    if iso_name(column) != column and iso_name(column) in header:
        row[header.index(iso_name(column))] = iso(row[header.index(column)])
