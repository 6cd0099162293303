"""Columns: which state fields have them, how arrays are spread over columns, and the codebook."""

from __future__ import annotations

import math
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.engine.contract.space import Field
from mixed_company.table.export import (
    TABLES,
    Column,
    codebook,
    columns,
    group_fields,
    pair_fields,
    places,
    seat_fields,
    spread,
    tables,
)


def names(fields: list[Field]) -> list[str]:
    return [field.name for field in fields]


def test_a_shared_array_is_not_taken_for_a_number_per_seat():
    # Two villages and two types of gem: `gems` is as long as there are seats.
    game = engine.make("gem_mining", seats=2, gem_types=2)
    assert names(seat_fields(game)) == ["reach", "workers", "mine"]
    assert pair_fields(game) == []


def test_a_value_between_two_seats_belongs_to_pairs():
    game = engine.make("sanctions", archetype="lab")
    assert "contribution" in names(seat_fields(game))
    assert names(pair_fields(game)) == ["trust", "reputation", "reciprocity_effects"]


# -- arrays of a group --------------------------------------------------------------------------


def test_arrays_without_a_seat_axis_belong_to_the_group():
    for seats in (2, 4, 7):  # 4 villages have 7 mines, 7 villages have 10
        game = engine.make("gem_mining", seats=seats)
        assert names(group_fields(game)) == [
            "base_probabilities",
            "workers_at",
            "found",
            "gems",
            "purse",
        ]


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_no_field_belongs_both_to_a_group_and_to_seats_or_pairs(game_id):
    game = engine.make(game_id)
    per_seat = set(names(seat_fields(game)) + names(pair_fields(game)))
    assert not per_seat & set(names(group_fields(game)))
    assert not {"period", "reason"} & set(names(group_fields(game)))


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ((), [("x", ())]),
        ((3,), [("x_0", (0,)), ("x_1", (1,)), ("x_2", (2,))]),
        ((2, 2), [("x_0_0", (0, 0)), ("x_0_1", (0, 1)), ("x_1_0", (1, 0)), ("x_1_1", (1, 1))]),
        ((0,), []),
    ],
)
def test_places_run_through_an_array_row_by_row(shape, expected):
    assert list(places("x", shape)) == expected


@pytest.mark.parametrize(
    ("shape", "name"), [((), "x"), ((7,), "x_0..6"), ((7, 2), "x_0..6_0..1"), ((1,), "x_0..0")]
)
def test_the_codebook_names_an_array_by_its_first_and_last_element(shape, name):
    column = Column("x", "whole", "a number", shape=shape)
    assert column.span() == name
    assert len(column.names()) == math.prod(shape)


TWO_VILLAGES: dict[str, Any] = {
    "seats": 2,
    "max_connectivity": 2,
    "weights": [1, 3],
    "instance": {
        "reach": [2, 2],
        "workers": [2, 3],
        "base_probabilities": [[1, 0], [0, 1], [1, 1]],
    },
}
HEADER = [
    *("session", "group", "group_id", "treatment", "block", "period", "shown_ms", "settled_ms"),
    *("wall_ms", "reward_sum"),
    *("after_base_probabilities_0_0", "after_base_probabilities_0_1"),
    *("after_base_probabilities_1_0", "after_base_probabilities_1_1"),
    *("after_base_probabilities_2_0", "after_base_probabilities_2_1"),
    *("after_workers_at_0", "after_workers_at_1", "after_workers_at_2"),
    *("after_found_0_0", "after_found_0_1", "after_found_1_0", "after_found_1_1"),
    *("after_found_2_0", "after_found_2_1"),
    *("after_gems_0", "after_gems_1", "after_purse_0", "after_purse_1"),
    *("expected_gems_0", "expected_gems_1"),
    *("expected_points", "best_expected_points", "efficiency", "ended"),
]


def test_arrays_are_spread_over_columns_in_order():
    """Two villages that reach two mines each have three mines and two kinds of gem."""
    game = engine.make("gem_mining", **TWO_VILLAGES)
    names = [name for column in columns("periods", game) for name in column.names()]
    assert names == HEADER


def test_the_codebook_lists_arrays_once_and_the_columns_of_judgement():
    text = codebook(engine.make("gem_mining", archetype="lab"))
    for row in (
        "| `after_base_probabilities_0..5_0..1` | real |",
        "| `after_workers_at_0..5` | whole | workers |",
        "| `after_found_0..5_0..1` | flag |",
        "| `after_gems_0..1` | whole | gems |",
        "| `after_purse_0..1` | whole | gems |",
        "| `expected_gems_0..1` | real | gems |",
        "| `expected_points` | real | points |",
        "| `best_expected_points` | real | points |",
        "| `efficiency` | real |",
    ):
        assert text.count(row) == 1, row
    assert "after_found_0_0" not in text


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_no_column_is_named_twice(game_id):
    for archetype in engine.find(game_id).archetypes:
        game = engine.make(game_id, archetype=archetype)
        for table in tables(game):
            names = [name for column in columns(table, game) for name in column.names()]
            assert len(set(names)) == len(names)


# -- pairs of seats -----------------------------------------------------------------------------

PAIRS = [
    "session",
    "group",
    "group_id",
    "treatment",
    "block",
    "period",
    "seat",
    "partner",
    "after_trust",
    "after_reputation",
    "after_reciprocity_effects",
    "partner_contribution",
    "partner_memory_averages",
    "partner_cooperation_signals",
]


def test_only_the_sanctions_game_has_the_table_pairs():
    listed = {game_id: tables(engine.make(game_id)) for game_id in engine.game_ids()}
    assert [game_id for game_id, names in listed.items() if "pairs" in names] == ["sanctions"]
    rest = ["decisions", "periods", "seats", "events", "outcomes", "config"]
    assert listed["commons_game"] == listed["punishment_vote"] == rest
    assert listed["sanctions"] == ["decisions", "periods", "pairs", *rest[2:]]
    assert listed["sanctions"] == list(TABLES)


def test_the_codebook_has_pairs_if_the_game_has_them():
    assert "## pairs" in codebook(engine.make("sanctions"))
    assert "## pairs" not in codebook(engine.make("commons_game"))


@pytest.mark.parametrize("archetype", engine.find("sanctions").archetypes)
def test_the_columns_are_those_between_two_seats_and_those_of_the_partner(archetype):
    game = engine.make("sanctions", archetype=archetype)
    assert [field.name for field in pair_fields(game)] == [
        "trust",
        "reputation",
        "reciprocity_effects",
    ]
    assert [field.name for field in seat_fields(game)] == [
        "contribution",
        "memory_averages",
        "cooperation_signals",
        *(["mean_cooperation"] if archetype == "reputation" else []),
    ]
    names = [column.name for column in columns("pairs", game)]
    assert names == PAIRS + (["partner_mean_cooperation"] if archetype == "reputation" else [])
    assert all(column.meaning for column in columns("pairs", game))


@pytest.mark.parametrize("memory", [2, 10, 6])
def test_bulk_fields_have_no_column_even_if_their_shape_is_that_of_pairs(memory):
    """A memory of six periods for six seats is an n by n matrix, but it is not a field for
    pairs."""
    game = engine.make("sanctions", seats=6, memory=memory)
    bulk = {field.name for field in game.declaration.state if field.bulk}
    assert bulk == {"contributions"}
    for name in tables(game):
        names = {column.name for column in columns(name, game)}
        for field in bulk:
            assert not {column for column in names if column.endswith(f"_{field}")}
    assert [column.name for column in columns("pairs", game)] == PAIRS


def test_a_field_per_seat_is_not_a_pair_whatever_the_number_of_seats():
    names = [field.name for field in pair_fields(engine.make("sanctions", seats=2))]
    assert names == ["trust", "reputation", "reciprocity_effects"]


# -- columns of several games -------------------------------------------------------------------


def test_several_games_have_the_columns_of_the_first_and_then_new_ones():
    names = [
        *(Column("a", "whole", "first"), Column("b", "real", "x", shape=(2,))),
        *(Column("b", "real", "y", shape=(3,)), Column("a", "whole", "second")),
        Column("c", "text", "z"),
    ]
    assert list(spread(names)) == ["a", "b_0", "b_1", "b_2", "c"]
    assert spread(names)["a"].meaning == "first"
    assert [spread(names)[name].meaning for name in ("b_0", "b_2")] == ["x", "y"]


def test_a_column_of_several_games_covers_all_their_ranges():
    stock = Column("stock", "real", "the stock", "fish", low=0.0, high=100.0)
    both = spread([stock, Column("stock", "real", "the stock", low=-5.0, high=50.0)])["stock"]
    assert (both.low, both.high, both.unit) == (-5.0, 100.0, "fish")
