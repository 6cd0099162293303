"""The data package describes each file of an export, its columns and its keys."""

from __future__ import annotations

import pytest

from mixed_company.table.export.column import ISO, Column
from mixed_company.table.export.package import KEYS, described, range_of

OF_GROUP = [Column("session", "text", "code"), Column("group", "whole", "number")]
COLUMNS = {column.name: column for column in OF_GROUP}
LISTED = {path: {"sha256": path} for path in ("g/events.csv", "g/config.csv", "participants.csv")}


def test_a_package_names_every_table_with_its_path_and_digest():
    tables = {"g": {"events": COLUMNS, "config": COLUMNS}, "": {"participants": COLUMNS}}
    package = described({"made": "2026-11-20"}, tables, LISTED)
    assert (package["profile"], package["name"]) == ("tabular-data-package", "mixed-company-export")
    assert package["created"] == "2026-11-20"
    assert "created" not in described({}, tables, LISTED)
    plain = {
        "profile": "tabular-data-resource",
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
    }
    assert [{**resource, "schema": None} for resource in package["resources"]] == [
        {**plain, "name": name, "path": path, "hash": f"sha256:{path}", "schema": None}
        for name, path in [
            ("g.events", "g/events.csv"),
            ("g.config", "g/config.csv"),
            ("participants", "participants.csv"),
        ]
    ]


def test_license_and_citation_are_included_if_they_are_given():
    package = described({"license": "CC-BY-4.0", "citation": "Somebody (2026)"}, {}, {})
    assert package["licenses"] == [{"name": "CC-BY-4.0"}]
    assert package["sources"] == [{"title": "Somebody (2026)"}]
    assert {"licenses", "sources"}.isdisjoint(described({}, {}, {}))


def schema(table: str, columns: dict[str, Column], **others: dict[str, Column]) -> dict:
    package = {"g": {table: columns, **others}}
    listed = {f"g/{name}.csv": {"sha256": ""} for name in package["g"]}
    return dict(described({}, package, listed)["resources"][0]["schema"])


@pytest.mark.parametrize("table", sorted(KEYS))
def test_a_table_has_a_key_if_it_has_all_its_columns(table):
    columns = {name: Column(name, "text", "") for name in KEYS[table]}
    assert schema(table, columns)["primaryKey"] == list(KEYS[table])
    assert schema(table, columns)["missingValues"] == [""]
    columns.popitem()
    assert "primaryKey" not in schema(table, columns)
    assert "primaryKey" not in schema("another", columns)


@pytest.mark.parametrize("table", ["decisions", "periods", "pairs", "seats", "events", "messages"])
def test_a_row_of_a_group_refers_to_the_configuration_of_the_group(table):
    reference = {"resource": "g.config", "fields": ["session", "group"]}
    assert schema(table, COLUMNS, config=COLUMNS)["foreignKeys"] == [
        {"fields": ["session", "group"], "reference": reference}
    ]
    assert "foreignKeys" not in schema(table, COLUMNS)
    assert "foreignKeys" not in schema(table, {"group": OF_GROUP[1]}, config=COLUMNS)
    assert "foreignKeys" not in schema("outcomes", COLUMNS, config=COLUMNS)


FIELDS = [
    (
        Column("a", "whole", "m", "fish", low=0, high=9),
        {"type": "integer", "unit": "fish", "constraints": {"minimum": 0, "maximum": 9}},
        ["0", "9"],
    ),
    (
        Column("a", "real", "m", high=0.5),
        {"type": "number", "constraints": {"maximum": 0.5}},
        ["", "0.5"],
    ),
    (
        Column("a", "flag", "m"),
        {"type": "boolean", "trueValues": ["1"], "falseValues": ["0"]},
        ["", ""],
    ),
    (
        Column("a", "text", "m", levels=("b", "c")),
        {"type": "string", "constraints": {"enum": ["b", "c"]}},
        ["", ""],
    ),
    (
        Column("a", "text", "m", ISO),
        {"type": "datetime", "format": "%Y-%m-%dT%H:%M:%S.%fZ", "unit": ISO},
        ["", ""],
    ),
]


@pytest.mark.parametrize(("column", "field", "ends"), FIELDS)
def test_a_field_has_the_type_unit_and_range_of_its_column(column, field, ends):
    [written_field] = schema("another", {"a": column})["fields"]
    assert written_field == {"name": "a", "description": "m", **field}
    assert range_of(column) == ends
