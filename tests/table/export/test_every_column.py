"""Columns of every table have a type, a unit, a meaning and a place."""

from __future__ import annotations

import math
import re

import pytest

from mixed_company import engine
from mixed_company.table.export import OPTIONAL, TABLES, Column, columns
from mixed_company.table.export.column import ISO, iso, iso_name, with_iso
from mixed_company.table.export.participants import participant_columns

RELEASES = ("", "0.8.0", "0.9.0")
"""Releases that added columns. Empty means that all releases have the column."""


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_a_column_has_a_type_a_meaning_and_the_release_that_wrote_it_first(game_id: str) -> None:
    game = engine.make(game_id)
    listed = [column for table in (*TABLES, *OPTIONAL) for column in columns(table, game)]
    for column in [*listed, *participant_columns(2)]:
        assert column.type in ("real", "whole", "flag", "text"), column.name
        assert column.since in RELEASES, column.name
        assert column.meaning, column.name
        assert re.fullmatch(r"[a-z][a-z0-9_]*", column.name), column.name


FROM_THE_FIRST = {
    "seats": ["since_period", "until_period", "reason", "at_ms"],
    "events": ["at_ms", "event", "seat", "detail"],
    "outcomes": [
        *("label", "status", "points", "seat_points", "paid_points", "payment"),
        *("quiz_attempts", "quiz_log", "disconnections", "bot_share"),
    ],
    "config": ["seed", "session_config", "game", "version", "config", "options", "software"],
    "answers": [],
}
"""Columns that a table has in the exports of all releases, besides those for groups and seats."""


@pytest.mark.parametrize("table", FROM_THE_FIRST)
def test_a_column_that_a_later_release_added_says_so(table: str) -> None:
    who = ("session", "group", "period", "seat", "participant", "occupant", "policy_id")
    listed = [column for column in columns(table, engine.make("commons_game")) if not column.since]
    names = [column.name for column in listed]
    assert [name for name in names if name == "seat" or name not in who][-len(names) :] == [
        *(["seat"] if "seat" in names and table != "events" else []),
        *FROM_THE_FIRST[table],
    ]
    assert {column.since for column in participant_columns(2)} == {"0.8.0"}


def test_used_values_have_the_range_of_their_field_and_sent_values_and_flags_have_none() -> None:
    game = engine.make("commons_game", archetype="lab")
    listed = {
        column.name: column for column in columns("decisions", game) + columns("periods", game)
    }
    harvest = next(field for field in game.declaration.actions if field.name == "harvest")
    ends = (float(harvest.low), float(harvest.high))
    assert (listed["used_harvest"].low, listed["used_harvest"].high) == ends
    free = (-math.inf, math.inf)
    for name in ("sent_harvest", "after_collapsed"):
        assert (listed[name].low, listed[name].high) == free


def test_a_unit_matches_the_type_and_the_name_of_its_column() -> None:
    game = engine.make("commons_game")
    for table in (*TABLES, *OPTIONAL):
        for column in columns(table, game):
            time = column.unit.startswith("milliseconds since 1970-01-01 UTC")
            assert column.name.endswith("_ms") == (time or column.unit == "ms"), column.name
            if time:
                assert column.type == "whole", column.name
            if column.unit == "points":
                assert column.type == "real", column.name


def test_a_time_as_text_has_no_range_and_only_times_have_one_beside_them() -> None:
    since = "milliseconds since 1970-01-01 UTC"
    times = [Column("a_ms", "whole", "m", since, low=0, high=9), Column("b_ms", "whole", "m", "ms")]
    first, text, second = with_iso(times)
    assert [first, second] == times
    assert text == Column("a_time", "text", "m", ISO)
    assert [iso_name(name) for name in ("a_ms", "a_ms_1", "a_msx")] == [
        "a_time",
        "a_time_1",
        "a_msx",
    ]
    latest = 253_402_300_799_999
    assert [iso(time_ms) for time_ms in (None, "", latest + 1, -latest - 1)] == [""] * 4
    assert iso(latest) == "9999-12-31T23:59:59.999Z"


LEVELS = {
    "occupant": ("person", "policy", "nobody"),
    "decided_by": ("person", "policy", "default", "absent"),
}


def test_tables_begin_with_the_group_and_say_who_had_the_seat() -> None:
    of_group = ["session", "group", "group_id", "treatment", "block"]
    who = ["participant", "occupant", "policy_id"]
    named = {
        table: [column.name for column in columns(table, engine.make("commons_game"))]
        for table in (*TABLES, *OPTIONAL)
    }
    assert all(listed[:5] == of_group for listed in named.values())
    begun = {table: listed[5:] for table, listed in named.items()}
    times = ["shown_ms", "received_ms", "wall_ms", "delay_ms"]
    assert begun["decisions"][:10] == ["period", "seat", *who, "decided_by", *times]
    assert begun["periods"][:4] == ["period", "shown_ms", "settled_ms", "wall_ms"]
    span = ["since_period", "until_period", "reason", "at_ms", "wall_ms"]
    assert begun["seats"] == ["seat", *who, *span]
    assert begun["events"] == ["period", "at_ms", "wall_ms", "event", "seat", "detail"]
    assert begun["config"] == [
        *("matching_group", "digest", "seed", "rehearsed", "session_config"),
        *("participation_fee", "point_value", "game", "version", "config", "rule", "rules"),
        *("options", "software"),
    ]
    assert begun["messages"][:5] == ["number", "period", "at_ms", "wall_ms", "seat"]
    assert begun["answers"][:4] == ["period", "seat", "participant", "when"]


def test_every_possible_fact_about_a_seat_is_listed_and_counted_from_0() -> None:
    for column in columns("decisions", engine.make("commons_game")):
        assert column.levels == LEVELS.get(column.name, ())
        if column.name in ("period", "seat"):
            assert column.low == 0
