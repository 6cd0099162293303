"""Table `participants` of an export of one game that was made without a server."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mixed_company.table.export import Column, Row
from mixed_company.table.export.archive import Sheet
from mixed_company.table.export.columns import OF_QUESTIONS
from mixed_company.table.export.describing import file_of
from mixed_company.table.export.participants import (
    PARTICIPANTS,
    Stage,
    participant_columns,
    participant_row,
)
from tests.analysis.audit.faults import Rows, contents_of, described_again
from tests.analysis.audit.planting import Tables, packed, records, tables_of

__all__ = ["as_texts", "remake_people", "with_people"]

_BEFORE_MS = 60_000
"""Time between a person's arrival, or first opening of the link, and the play."""


def with_people(path: Path, key: bytes) -> Path:
    """Add the table to an export, leave out the columns of questions, which a server writes only if
    there are questions, and seal the export with this key."""
    files = contents_of(path)
    manifest = json.loads(files["manifest.json"])
    tables = tables_of(files, manifest)
    inside = file_of("", PARTICIPANTS)
    manifest["tables"][inside], files[inside] = {}, b""
    _leave_out_questions(tables)
    remake_people(tables)
    described = described_again(packed(path, files, tables, manifest))
    return packed(path, contents_of(described), tables, manifest, key)


def _leave_out_questions(tables: Tables) -> None:
    head = tables["outcomes"][0]
    kept = [place for place, name in enumerate(head) if name not in OF_QUESTIONS]
    tables["outcomes"] = [[row[place] for place in kept] for row in tables["outcomes"]]


def remake_people(tables: Tables) -> None:
    """Write the table again so that it follows from the game's other tables."""
    tables[PARTICIPANTS] = as_texts(
        participant_columns(1), map(_Times(tables).row, records(tables["outcomes"]))
    )


def as_texts(columns: Iterable[Column], rows: Iterable[Row]) -> Rows:
    """Return these rows, header first, as the strings of an export's table."""
    sheet = Sheet(list(columns))
    sheet.add(rows)
    sheet.size()
    sheet.file.seek(0)
    return list(csv.reader(io.StringIO(sheet.file.read().decode(), newline="")))


class _Times:
    """Times at which people's plays began and ended, on the machine's clock."""

    def __init__(self, tables: Tables) -> None:
        [self.game] = {row["game"] for row in records(tables["config"])}
        self._tables = tables

    def row(self, outcome: dict[str, str]) -> dict[str, Any]:
        """Return a person's row in `participants`, given the row in `outcomes`."""
        seats = [row for row in self._of(outcome, "seats") if row["seat"] == outcome["seat"]]
        periods = self._of(outcome, "periods")
        ended = [row for row in self._of(outcome, "events") if row["event"] == "ended"]
        last = seats[-1:] if seats[-1]["occupant"] != "person" else [*ended, *periods[-1:], *seats]
        began = int(seats[0]["wall_ms"])
        end = "" if outcome["status"] == "seated" else last[0]["wall_ms"]
        stage = Stage(self.game, outcome, began - _BEFORE_MS, began, end and int(end))
        return participant_row({1: stage}, began - _BEFORE_MS, "")

    def _of(self, outcome: dict[str, str], table: str) -> list[dict[str, str]]:
        group = outcome["session"], outcome["group"]
        return [
            row for row in records(self._tables[table]) if (row["session"], row["group"]) == group
        ]
