"""Rows of an export about people's answers, messages and payments, calculated by hand."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company.table.beliefs import Belief
from mixed_company.table.export.answers import answer_columns, answer_row
from mixed_company.table.export.column import Column
from mixed_company.table.export.messages import message_columns, message_rows
from mixed_company.table.export.participants import Stage, participant_columns, participant_row
from mixed_company.table.items import Item
from mixed_company.table.talk.memory import Utterance

OPTIONS = {"en": ["often", "never"], "de": ["oft", "nie"]}
NUMBER = Item.model_validate({"name": "n", "text": "?", "when": "end", "type": "number"})
TEXT = Item.model_validate({"name": "t", "text": "?", "when": "end", "type": "text"})
CHOICE = Item.model_validate({**dict(NUMBER), "name": "c", "type": "choice", "options": OPTIONS})


def named(columns: list[Column]) -> set[str]:
    return {name for column in columns for name in column.names()}


@pytest.mark.parametrize(
    ("item", "value", "written", "number"),
    [
        *((NUMBER, 3.0, "3", 3.0), (NUMBER, 2.5, "2.5", 2.5), (NUMBER, 0, "0", 0.0)),
        *((TEXT, "well", "well", ""), (TEXT, "", "", "")),
        *((CHOICE, 1, "often", 1.0), (CHOICE, 2, "never", 2.0)),
        *((NUMBER, None, "", ""), (TEXT, None, "", ""), (CHOICE, None, "", "")),
    ],
)
def test_an_answer_is_written_as_text_and_as_a_number_if_it_is_one(item, value, written, number):
    row = answer_row(item, value, Belief())
    assert (row["question"], row["type"]) == (item.name, item.type)
    assert (row["value"], row["number"]) == (written, number)
    assert set(row) <= named(answer_columns())


def test_unknown_values_of_an_answer_are_empty_but_zero_is_not():
    names = ("truth", "error", "points")
    empty, judged = (answer_row(NUMBER, 1, belief) for belief in (Belief(), Belief(1.0, 0.0, 0.0)))
    assert [empty[name] for name in names] == ["", "", ""]
    assert [judged[name] for name in names] == [1.0, 0.0, 0.0]


# -- messages -------------------------------------------------------------------------------------


def entry(number: int, **more: Any) -> dict[str, Any]:
    spoken = {"at_ms": 5, "period": 1, "seat": 0, "occupant": "person", "policy_id": None}
    utterance = Utterance(**{"number": number, "to": None, "text": "Hi", **spoken, **more})
    return {"kind": "message", "at_ms": utterance.at_ms, **utterance.entry()}


def test_a_message_is_one_row_with_empty_cells_for_missing_values():
    bot = {"occupant": "policy", "policy_id": "steward", "to": 0, "sentence": 0, "blocked": True}
    log = [entry(0), {"kind": "act"}, entry(1, **bot)]
    plain = {"period": 1, "at_ms": 5, "seat": 0, "text": "Hi", "reported_by": ""}
    person = {"occupant": "person", "policy_id": "", "to": "", "sentence": "", "blocked": False}
    assert list(message_rows(log)) == [
        {"number": 0, **plain, **person},
        {"number": 1, **plain, **bot},
    ]
    assert {column.name for column in message_columns()} <= set(next(message_rows(log)))


def test_a_message_names_the_people_who_reported_it_in_the_order_of_seats():
    reports = [{"kind": "report", "message": 1, "seat": seat} for seat in (3, 2)]
    rows = message_rows([entry(0), entry(1), *reports])
    assert [row["reported_by"] for row in rows] == ["", "2 3"]


# -- participants ---------------------------------------------------------------------------------

PARTS = ("fee", "points", "questions", "floor", "cap", "waiting", "rounding")
SAME = {
    "session": "s",
    "participant": "p",
    "label": "l",
    "treatment": "t",
    "slot": 4,
    "assigned_ms": 9,
}


def outcome(payment: float, points: float, **more: Any) -> dict[str, Any]:
    return {**SAME, "status": "finished", "payment": payment, "points": points, **more}


def test_a_person_is_one_row_with_columns_for_each_block_and_pay_that_adds_up():
    """The payments are 2.00 for taking part, 1.10 in the first block, 0.30 in the second and 0.60
    elsewhere."""
    first = outcome(4.0, 11.0, pay_fee=2.0, pay_points=1.1, block="a", group_id="s-1", seat=0)
    second = outcome(4.0, 3.0, pay_questions=0.3, question_points=3.0, block="b", seat="")
    stages = {1: Stage("mining", first, 10, 20, 30), 3: Stage("lake", second, 40)}
    row = participant_row(stages, 7, 1)
    assert row == {
        **SAME,
        "first_seen_ms": 7,
        "blocks_played": 1,
        "paid_block": 1,
        "payment": 4.0,
        **{f"pay_{name}": 0.0 for name in PARTS},
        "pay_fee": 2.0,
        "pay_points": 1.1,
        "pay_questions": 0.3,
        "pay_elsewhere": 0.6,
        "block_1": "a",
        "app_1": "mining",
        "group_id_1": "s-1",
        "seat_1": 0,
        "status_1": "finished",
        "arrived_ms_1": 10,
        "began_ms_1": 20,
        "ended_ms_1": 30,
        "points_1": 11.0,
        "question_points_1": 0.0,
        "pay_1": 3.1,
        "block_3": "b",
        "app_3": "lake",
        "group_id_3": "",
        "seat_3": "",
        "status_3": "finished",
        "arrived_ms_3": 40,
        "began_ms_3": "",
        "ended_ms_3": "",
        "points_3": 3.0,
        "question_points_3": 3.0,
        "pay_3": 0.3,
    }
    assert set(row) <= named(participant_columns(3))
    assert {name for name in named(participant_columns(3)) if not name.endswith("_2")} <= set(row)


def test_the_payment_comes_from_a_block_that_adds_to_it():
    """A block that adds nothing wrote its row before the payment was known."""
    rows = [outcome(0.0, 0.0), outcome(1.5, 5.0, pay_points=1.5), outcome(9.0, 0.0)]
    stages = {block: Stage("lake", row) for block, row in enumerate(rows, 1)}
    row = participant_row(stages, "", "")
    assert (row["payment"], row["pay_points"], row["pay_elsewhere"]) == (1.5, 1.5, 0.0)
    assert participant_row({1: Stage("lake", outcome(0.7, 0.0))}, "", "")["pay_elsewhere"] == 0.7


def test_an_outcome_of_an_earlier_release_lacks_later_columns():
    old = {"session": "s", "status": "left", "points": 1.0, "payment": 2.0}
    row = participant_row({1: Stage("lake", old)}, "", "")
    assert (row["participant"], row["slot"], row["seat_1"], row["group_id_1"]) == ("", "", "", "")
    assert (row["blocks_played"], row["pay_1"], row["payment"]) == (0, 0.0, 2.0)
