"""datapackage.json: the tables of an export as a Data Package (Frictionless, version 1).

https://specs.frictionlessdata.io: type, range, levels, missing values and keys of every column, for
programs unfamiliar with this project. The manifest provides the sha256 of each table.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mixed_company.table.export.column import ISO, Column

PACKAGE = "datapackage.json"
MISSING = ("",)
"""Strings that mean a missing value in all tables."""

_TYPES = {"real": "number", "whole": "integer", "flag": "boolean", "text": "string"}
_FLAGS = {"trueValues": ["1"], "falseValues": ["0"]}
_TIMES = {"type": "datetime", "format": "%Y-%m-%dT%H:%M:%S.%fZ"}
_GROUP = ("session", "group")

KEYS: Mapping[str, tuple[str, ...]] = {
    "decisions": (*_GROUP, "period", "seat"),
    "periods": (*_GROUP, "period"),
    "pairs": (*_GROUP, "period", "seat", "partner"),
    "config": _GROUP,
    "messages": (*_GROUP, "number"),
    "journal": (*_GROUP, "number"),
    "participants": ("session", "participant"),
}
"""Table -> columns of its primary key; all other tables have none."""

_OF_GROUPS = ("decisions", "periods", "pairs", "seats", "events", "messages", "journal")
"""Tables in which every row belongs to a group of `config`."""

Tables = Mapping[str, Mapping[str, Mapping[str, Column]]]
"""Game -> table -> column name -> column."""


def described(
    about: Mapping[str, Any], tables: Tables, listed: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the package; `listed` holds the manifest's entries for the files."""
    package: dict[str, Any] = {
        "profile": "tabular-data-package",
        "name": "mixed-company-export",
        "description": "Plays of behavioural games; see manifest.json for their origin",
        "resources": list(_resources(tables, listed)),
    }
    if about.get("made"):
        package["created"] = about["made"]
    if about.get("license"):
        package["licenses"] = [{"name": about["license"]}]
    if about.get("citation"):
        package["sources"] = [{"title": about["citation"]}]
    return package


def _resources(tables: Tables, listed: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for game, sheets in tables.items():
        for table, columns in sheets.items():
            path = f"{game}/{table}.csv" if game else f"{table}.csv"
            yield {
                "profile": "tabular-data-resource",
                "name": _name(game, table),
                "path": path,
                "format": "csv",
                "mediatype": "text/csv",
                "encoding": "utf-8",
                "hash": f"sha256:{listed[path]['sha256']}",
                "schema": _schema(game, table, columns, "config" in sheets),
            }


def _name(game: str, table: str) -> str:
    return f"{game}.{table}" if game else table


def _schema(
    game: str, table: str, columns: Mapping[str, Column], with_config: bool
) -> dict[str, Any]:
    schema: dict[str, Any] = {
        "fields": [_field(name, column) for name, column in columns.items()],
        "missingValues": list(MISSING),
    }
    key = KEYS.get(table, ())
    if key and set(key) <= set(columns):
        schema["primaryKey"] = list(key)
    if with_config and table in _OF_GROUPS and set(_GROUP) <= set(columns):
        reference = {"resource": _name(game, "config"), "fields": list(_GROUP)}
        schema["foreignKeys"] = [{"fields": list(_GROUP), "reference": reference}]
    return schema


def _field(name: str, column: Column) -> dict[str, Any]:
    field: dict[str, Any] = {
        "name": name,
        "type": _TYPES[column.type],
        "description": column.meaning,
        **(_FLAGS if column.type == "flag" else {}),
        **(_TIMES if column.unit == ISO else {}),
    }
    if column.unit:
        field["unit"] = column.unit
    if constraints := _constraints(column):
        field["constraints"] = constraints
    return field


def _constraints(column: Column) -> dict[str, Any]:
    ends = {"minimum": column.low, "maximum": column.high}
    limits = {name: _plain(end, column) for name, end in ends.items() if math.isfinite(end)}
    return {**limits, **({"enum": list(column.levels)} if column.levels else {})}


def _plain(end: float, column: Column) -> float:
    return int(end) if column.type == "whole" else end


def range_of(column: Column) -> Sequence[str]:
    """Return the lowest and the highest value, for codebook.csv; empty if there is no limit."""
    ends = (column.low, column.high)
    return [f"{_plain(end, column):g}" if math.isfinite(end) else "" for end in ends]
