"""Files in an archive that describe its tables; the audit regenerates and compares them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from mixed_company.table.export.codebook import document
from mixed_company.table.export.column import Column, spread, with_iso
from mixed_company.table.export.package import KEYS, PACKAGE, described, range_of
from mixed_company.table.export.scripts import READ_DO, READ_R, read_do, read_r

CODEBOOK = (
    *("game", "table", "column", "type", "unit", "meaning"),
    *("levels", "least", "most", "missing", "key"),
)
"""Columns of codebook.csv: `levels` are separated by spaces, `missing` describes a missing value
("empty"), `key` is 1 if the column is part of the primary key.
"""

Declared = Mapping[str, Mapping[str, Sequence[Column]]]
"""Game -> table -> columns as declared."""


def file_of(game: str, table: str) -> str:
    """Return the path of a table in the archive; an empty game name means a table for all games."""
    return f"{game}/{table}.csv" if game else f"{table}.csv"


def texts(
    about: Mapping[str, Any], declared: Declared, listed: Mapping[str, Mapping[str, Any]]
) -> dict[str, str]:
    """Return the files by name; `about` is the manifest, and `listed` has its table entries."""
    columns = {
        game: {name: spread(with_iso(sheet)) for name, sheet in sheets.items()}
        for game, sheets in declared.items()
    }
    filled = {
        game: {name: sheets[name] for name in sheets if listed[file_of(game, name)]["rows"]}
        for game, sheets in columns.items()
    }
    codebooks = (document(game or "all games", sheets) for game, sheets in declared.items())
    return {
        "codebook.md": "\n".join(codebooks),
        "codebook.csv": _codebook(columns),
        PACKAGE: json.dumps(described(about, columns, listed), indent=2) + "\n",
        READ_R: read_r(),
        READ_DO: read_do(filled),
    }


def _codebook(columns: Mapping[str, Mapping[str, Mapping[str, Column]]]) -> str:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(CODEBOOK)
    for game, sheets in columns.items():
        for table, sheet in sheets.items():
            for name, column in sheet.items():
                about = [column.type, column.unit, column.meaning, " ".join(column.levels)]
                key = int(name in KEYS.get(table, ()))
                rows.writerow([game, table, name, *about, *range_of(column), "empty", key])
    return text.getvalue()
