"""Table rows computed from a period's line, checked by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.engine import solutions
from mixed_company.engine.contract.space import Field
from mixed_company.engine.play.period import Decision
from mixed_company.table.export import (
    columns,
    decision_row,
    group_id,
    in_columns,
    pair_rows,
    period_row,
    seat_rows,
    sent_of,
)
from mixed_company.table.export.columns import TABLES

LAB = engine.make("commons_game", archetype="lab_0_7")


def first_line() -> dict[str, Any]:
    """Return the line of a period in which four seats take 1, 2, 3 and 4 of 100 fish. Each fish is
    a point, and a full lake does not grow before it is fished."""
    play = engine.Episode(LAB, seed=1)
    sent = {"harvest": [1, 2, 3, 4], "contribution": [0, 0, 0, 0]}
    return play.step(sent).to_json()


def test_a_line_is_plain_and_has_the_sent_actions_and_their_results():
    line = first_line()
    assert line["period"] == 0
    assert line["sent"] == {"harvest": [1, 2, 3, 4], "contribution": [0, 0, 0, 0]}
    assert line["used"]["harvest"] == [1.0, 2.0, 3.0, 4.0]
    assert line["rewards"] == [1.0, 2.0, 3.0, 4.0]
    assert line["state"]["stock"] == 90.0
    assert line["ended"] is None


def test_a_row_of_a_seat_has_the_numbers_of_that_seat():
    rows = seat_rows(LAB, first_line())
    assert [row["sent_harvest"] for row in rows] == [1, 2, 3, 4]
    assert [row["used_harvest"] for row in rows] == [1, 2, 3, 4]
    assert [row["reward"] for row in rows] == [1, 2, 3, 4]


def test_the_row_of_the_group_has_the_sum_and_the_state():
    row = period_row(LAB, first_line(), {})
    assert (row["reward_sum"], row["after_stock"], row["ended"]) == (10, 90, "")
    assert period_row(LAB, {**first_line(), "ended": "collapse"}, {})["ended"] == "collapse"


@pytest.mark.parametrize(
    ("decision", "row"),
    [
        (Decision({}, "person", 5), ("person", "", "person", 5, "")),
        (Decision({}, "policy", 6, "greedy", 0), ("policy", "greedy", "policy", 6, 0)),
        (Decision({}, "default", 7, "greedy", 9), ("policy", "greedy", "default", 7, 9)),
        (Decision({}, "absent", 8), ("nobody", "", "absent", 8, "")),
    ],
)
def test_a_decision_says_who_had_the_seat_and_when_it_took_effect(decision, row):
    names = ("occupant", "policy_id", "decided_by", "received_ms", "delay_ms")
    assert decision_row(decision) == dict(zip(names, row, strict=True))


def test_sent_actions_can_be_recovered_from_the_rows_of_seats():
    """Empty cells mean that nothing was sent."""
    line = first_line()
    assert sent_of(LAB, seat_rows(LAB, line)) == line["sent"]
    rows = [{"sent_harvest": sent, "sent_contribution": 0} for sent in (1, "", None, math.nan)]
    assert sent_of(LAB, rows)["harvest"] == [1, None, None, None]
    assert group_id("abc", 3) == "abc-3"


def test_pairs_are_ordered_and_a_matrix_is_read_by_row():
    game = engine.make("sanctions", archetype="lab", seats=2, mpcr=0.7)
    play = engine.Episode(game, seed=1)
    sent = {"contribution": [0.0, 5.0]}
    line = play.step(sent).to_json()
    line["state"]["trust"] = [[0.0, 0.1], [0.2, 0.0]]
    first, second = pair_rows(game, line)
    assert (first["seat"], first["partner"], first["after_trust"]) == (0, 1, 0.1)
    assert (second["seat"], second["partner"], second["after_trust"]) == (1, 0, 0.2)
    assert (first["partner_contribution"], second["partner_contribution"]) == (5.0, 0.0)


def test_arrays_are_spread_and_missing_values_are_empty():
    fields = [Field("a", "numbers", shape=(2, 2)), Field("b", "a number")]
    row = in_columns("x_", fields, {"a": [[1, 2], [3, None]], "b": None})
    assert row == {"x_a_0_0": 1, "x_a_0_1": 2, "x_a_1_0": 3, "x_a_1_1": "", "x_b": ""}


@pytest.mark.parametrize(
    ("kind", "text"), [("whole", "3"), ("choice", "3"), ("real", "3.0"), ("flag", "3.0")]
)
def test_a_whole_number_sent_with_a_decimal_point_is_written_without(kind, text):
    """Programs may send 3.0, which is not an integer in a CSV file. An amount is left unchanged."""
    row = in_columns("sent_", [Field("a", "", kind=kind)], {"a": 3.0})
    assert {name: str(value) for name, value in row.items()} == {"sent_a": text}


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_every_number_of_a_row_has_its_column(game_id):
    for archetype in engine.find(game_id).archetypes:
        game = engine.make(game_id, archetype=archetype)
        play = engine.Episode(game, seed=1)
        before = play.state_record()
        sent = {
            field.name: [
                play.allowed(seat).default[field.name].tolist() for seat in range(game.seats)
            ]
            for field in game.declaration.actions
        }
        line = play.step(sent).to_json()
        judged = solutions.judge(game, before, line["state"])
        names = {
            table: {name for column in columns(table, game) for name in column.names()}
            for table in TABLES
        }
        assert set(seat_rows(game, line)[0]) <= names["decisions"]
        assert set(period_row(game, line, judged)) <= names["periods"]
        assert all(set(row) <= names["pairs"] for row in pair_rows(game, line)[:1])
