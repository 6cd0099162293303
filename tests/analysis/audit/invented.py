"""Forgeries that invent people who never came, in every table where such people would appear."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from mixed_company.experiment.assignment import treatment_of
from mixed_company.table.export.column import iso
from mixed_company.table.export.outcomes import PAID
from tests.analysis.audit.planting import Manifest, Plant, Tables, records

__all__ = ["people"]

Row = dict[str, str]

_OF_NOBODY = {
    **dict.fromkeys(("points", "paid_points", "question_points"), "0.0"),
    **dict.fromkeys(("quiz_attempts", "practised_periods", "waited_ms", "messages_sent"), "0"),
    **dict.fromkeys(("questions_asked", "questions_answered"), "0"),
    **dict.fromkeys((f"pay_{name}" for name in PAID), "0.0"),
    "participant": "zz9zz9zz",
}
SEED = 5
"""Seed of the first rehearsed session."""


def _invented(slot: Callable[[Manifest], int], late_ms: int = 0, **values: Any) -> Plant:
    """Return a forgery that adds a person without a seat, and includes that person in the
    manifest's count.
    """

    def plant(tables: Tables, manifest: Manifest) -> None:
        person = next(records(tables["outcomes"]))
        entry = manifest["sessions"][person["session"]]
        block = values.get("block", person["block"])
        number, fee = slot(entry["plan"]), str(values.get("pay_fee", 0.0))
        sizes, how = entry["plan"]["treatments"], entry["plan"]["assignment"]
        row = {
            **_OF_NOBODY,
            **{name: person[name] for name in ("session", "disclosure")},
            "disclosed_ms": str(int(person["disclosed_ms"]) + late_ms),
            "block": block,
            "slot": str(number),
            "treatment": treatment_of(number, sizes, how, SEED),
            "assigned_ms": str(int(person["assigned_ms"]) + late_ms),
            "status": values["status"],
            "pay_fee": fee,
            "payment": fee,
        }
        first = block == person["block"]
        _added(tables, "outcomes", row)
        _added(tables, "participants", _whole(row, 1 if first else 2))
        entry["participants"] += first

    return plant


def _whole(row: Row, place: int) -> Row:
    """Return the row of `participants` for a person in one block."""
    by_block = {name: row[name] for name in ("block", "status", "points", "question_points")}
    app = "sanctions" if place == 1 else f"sanctions_{place}"
    return {
        **{name: value for name, value in row.items() if name not in by_block},
        "first_seen_ms": row["assigned_ms"],
        "blocks_played": "0",
        f"app_{place}": app,
        f"pay_{place}": row["payment"],
        **{f"{name}_{place}": value for name, value in by_block.items()},
    }


def _added(tables: Tables, table: str, cells: Row) -> None:
    """Add a row after the last row of its session and block. Times are also written as text."""
    head = tables[table][0]
    cells = dict(cells)
    for name in head:
        if name.endswith("_time") and cells.get(f"{name[:-5]}_ms"):
            cells[name] = iso(cells[f"{name[:-5]}_ms"])
    keys = [name for name in ("session", "block") if name in head]
    alike = [
        number
        for number, row in enumerate(records(tables[table]), 1)
        if all(row[key] == cells.get(key, "") for key in keys)
    ]
    tables[table].insert(alike[-1] + 1, [cells.get(name, "") for name in head])


def _free(plan: Manifest) -> int:
    return sum(plan["treatments"].values())


def people(_good: Tables) -> Iterator[tuple[str, str, Plant]]:
    """Yield forgeries that add a person, as (name, name in UNKNOWN, plant)."""
    later = 3_600_000
    fee = {"status": "released", "pay_fee": 500.0}
    yield "an invented person with a fee of its own", "", _invented(_free, later, **fee)
    far = _invented(lambda plan: _free(plan) + 7, later, status="left")
    yield "an invented person with a slot further on", "", far
    early = _invented(_free, -1, status="left")
    yield "an invented person with a higher slot before the lower ones", "people: invented", early
    held = _invented(lambda _: 0, later, status="left")
    yield "an invented person with a slot that somebody has", "", held
    yield "an invented person who was excluded", "", _invented(_free, later, status="excluded")
    yield (
        "an invented person who failed the quiz",
        "",
        _invented(_free, later, status="quiz_failed"),
    )
    second = _invented(lambda _: 0, later, status="released", block="second", pay_fee=2.0)
    yield "an invented person in the second block alone", "", second
    yield (
        "an invented person with the next slot",
        "people: invented",
        _invented(_free, later, status="left"),
    )
