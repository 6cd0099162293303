"""An import in which people meet others in every period, so that all of them are one independent
unit. Faults in `matching_group` split them into several. Other faults say that a person dropped
out, was replaced or ran out of time, although everybody in an import finishes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from mixed_company import analysis
from tests.analysis.audit.faults import contents_of
from tests.analysis.audit.planting import (
    KEY,
    Fault,
    Manifest,
    Plant,
    Tables,
    packed,
    records,
    remake_iso,
    tables_of,
)
from tests.analysis.importing.tables import STRANGERS, STRANGERS_MAP, done

__all__ = ["export", "faults"]

_KIND = "people in an import"
_VALUES: tuple[tuple[str, dict[str, str]], ...] = (
    ("outcomes", {"status": "left"}),
    ("outcomes", {"status": "excluded"}),
    ("outcomes", {"status": "seated"}),
    ("outcomes", {"disconnections": "50"}),
    ("outcomes", {"reaction_ms": "5"}),
    ("decisions", {"decided_by": "default"}),
    ("decisions", {"decided_by": "policy"}),
    ("decisions", {"policy_id": "free_rider"}),
    ("decisions", {"delay_ms": "77"}),
    ("decisions", {"shown_ms": "2000", "received_ms": "1000"}),
    ("seats", {"reason": "dropout"}),
    ("seats", {"since_period": "3"}),
    ("seats", {"until_period": "5"}),
    ("seats", {"participant": "zzz"}),
    ("seats", {"policy_id": "free_rider"}),
    ("events", {"event": "ended", "detail": '{"detail": "somebody left"}'}),
    ("config", {"software": '{"otree": "5"}'}),
)
"""Values that an import never has, by table and column."""


def export(folder: Path) -> Path:
    """Save the import, sealed with the key."""
    path = folder / "imported.zip"
    analysis.save(done(folder, STRANGERS, STRANGERS_MAP).data, path)
    files = contents_of(path)
    manifest = json.loads(files["manifest.json"])
    return packed(path, files, tables_of(files, manifest), manifest, KEY)


def faults() -> Iterator[Fault]:
    """Yield the faults that can be planted in this export."""
    name = "each imported group as a matching group, although people met others"
    yield Fault("groups and sessions", name, "", _matching_groups)
    for table, values in _VALUES:
        name = " and ".join(f"`{table}.{column}` = {value}" for column, value in values.items())
        yield Fault(_KIND, f"{name} in each group", "", _changed(table, values))
    yield Fault(_KIND, "the event of a person who dropped out, in each group", "", _dropout)
    yield Fault(_KIND, "a seat with a bot from the second period on", "", _replaced)
    yield Fault(_KIND, "a person without a group", "", _released)


def _matching_groups(tables: Tables, _manifest: Manifest) -> None:
    header, *rows = tables["config"]
    for row in rows:
        row[header.index("matching_group")] = row[header.index("group")]


def _changed(table: str, values: dict[str, str]) -> Plant:
    """Return a change to all rows of a table or, if the table has a row per seat, to those of seat
    0."""

    def plant(tables: Tables, _manifest: Manifest) -> None:
        header, *rows = tables[table]
        for row, record in zip(rows, records(tables[table]), strict=True):
            if table in ("events", "config") or record["seat"] == "0":
                for column, value in values.items():
                    row[header.index(column)] = value
                    remake_iso(header, row, column)

    return plant


def _dropout(tables: Tables, _manifest: Manifest) -> None:
    header, *rows = tables["events"]
    values = {"event": "dropout", "seat": "0", "period": "0", "detail": ""}
    tables["events"] = [header]
    for row in rows:
        new = [values.get(name, cell) for name, cell in zip(header, row, strict=True)]
        tables["events"] += [new, row]


def _replaced(tables: Tables, _manifest: Manifest) -> None:
    header, row, *rows = tables["seats"]
    values = {"occupant": "policy", "policy_id": "free_rider", "reason": "dropout"}
    values["since_period"] = "1"
    new = [values.get(name, cell) for name, cell in zip(header, row, strict=True)]
    tables["seats"] = [header, row, new, *rows]


def _released(tables: Tables, manifest: Manifest) -> None:
    """Add a person who left before the first play, with a matching manifest."""
    header, *rows = tables["outcomes"]
    kept = ("session", "treatment", "block")
    values = {"participant": "zzz", "status": "left", "points": "0.0", "paid_points": "0.0"}
    first = dict(zip(header, rows[0], strict=True))
    new = [values.get(name, first[name] if name in kept else "") for name in header]
    tables["outcomes"] = [header, *rows, new]
    manifest["sessions"]["s"]["participants"] += 1
