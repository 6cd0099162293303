"""Check that nobody continues without the quiz, and that nobody fails it with attempts left."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mixed_company.analysis.audit.before import check_before
from mixed_company.analysis.audit.rows import Findings, Rows

RIGHT = {"at_ms": 1, "answers": {"end": "a", "pay": "b"}, "wrong": []}
WRONG = {"at_ms": 2, "answers": {"end": "a", "pay": "c"}, "wrong": ["pay"]}
HALF = {"at_ms": 3, "answers": {"end": "a"}, "wrong": ["pay"]}
EMPTY = {"at_ms": 4, "answers": {}, "wrong": []}
INCOME = {"at_ms": 5, "answers": {"income": "a", "pay": "c"}, "wrong": ["pay"]}
OTHERS = "does not have the same questions as others in this treatment and block"
TWO = {"quiz_tries": 2}
NOT_PASSED = "does not end with a successful attempt, but the person continued"


def rows(table: str, listed: list[dict[str, Any]]) -> Rows:
    columns = {name: [row[name] for row in listed] for name in listed[0]}
    return Rows(table, columns, range(len(listed)))


def found(options: dict[str, Any], *people: dict[str, Any], plan: Any = None) -> list[str]:
    config = {"session": "s", "group": 1, "treatment": "t", "block": "first"}
    options = {"quiz": True, "quiz_failed": "end", "practice_periods": 0, "consent": "", **options}
    config |= {"options": json.dumps(options)}
    tables = {"config": rows("config", [config]), "outcomes": rows("outcomes", [*people])}
    findings = Findings("commons_game")
    games = {"commons_game": tables, "sanctions": {"outcomes": tables["outcomes"].take([])}}
    check_before(games, {"sessions": {"s": {"plan": plan or {}}}}, findings, True)
    return [str(problem).split(", line ")[-1] for problem in findings.problems]


def person(*log: dict[str, Any], **changes: Any) -> dict[str, Any]:
    row = {"session": "s", "group": 1, "treatment": "t", "block": "first", "seat": 0}
    row |= {"participant": "a", "status": "finished", "quiz_attempts": len(log)}
    row |= {"quiz_log": json.dumps(log), "practised_periods": 0, "consented": "", "managed": ""}
    return {**row, **changes}


NOBODY = {"seat": "", "group": ""}


@pytest.mark.parametrize(
    ("options", "row", "words"),
    [
        ({}, person(WRONG, HALF, RIGHT), ""),
        ({}, person(WRONG), NOT_PASSED),
        ({}, person(), NOT_PASSED),
        ({}, person(RIGHT, RIGHT), "has an attempt after a successful one"),
        ({}, person(WRONG, status="left", **NOBODY), ""),
        ({}, person(WRONG, status="waiting", **NOBODY), NOT_PASSED),
        ({"quiz": False}, person(), ""),
        ({"quiz": False}, person(RIGHT), "1 but there was no quiz"),
        ({**TWO, "quiz_failed": "go_on"}, person(WRONG, WRONG), ""),
        ({**TWO, "quiz_failed": "go_on"}, person(WRONG, HALF), NOT_PASSED),  # half does not count
        (TWO, person(WRONG, WRONG, status="quiz_failed", **NOBODY), ""),
        (TWO, person(WRONG, status="quiz_failed", **NOBODY), "but the person had attempts left"),
        ({}, person(WRONG, status="quiz_failed", **NOBODY), "but the person had attempts left"),
        ({}, person(RIGHT, practised_periods=1), "1 but there was no practice"),
        ({}, person(status="no_consent", consented="no", **NOBODY), "nobody was asked for consent"),
        ({"consent": "Yes?"}, person(status="no_consent", consented="no", **NOBODY), ""),
        ({"consent": "Yes?"}, person(RIGHT, consented="no"), "contradicts consented: 'no'"),
        ({}, person(status="excluded", **NOBODY), "does not say that this person was excluded"),
        ({}, person(quiz_log="[5]"), "is not a list of attempts"),
        ({}, person({**RIGHT, "helped": True}), "is not a list of attempts"),
        ({}, person({**RIGHT, "at_ms": "yesterday"}), "is not a list of attempts"),
        ({}, person(EMPTY), "has an attempt without questions"),
        ({}, person(WRONG, EMPTY), OTHERS),
        ({}, person(WRONG, INCOME, RIGHT), OTHERS),
        ({}, person(WRONG, {**WRONG, "wrong": ["pay", "income"]}, RIGHT), OTHERS),
        (TWO, person(WRONG, HALF, RIGHT), ""),
        (TWO, person(WRONG, WRONG, RIGHT), "has more than 2 attempts, the limit (quiz_tries)"),
    ],
)
def test_people_leave_the_pages_before_the_play_by_the_rules(options, row, words):
    notes = found(options, row)
    assert len(notes) == bool(words), notes
    assert all(words in problem for problem in notes), notes


def test_nobody_passes_the_quiz_without_the_answers_that_others_gave():
    [notes] = found({}, person(RIGHT), person(EMPTY, participant="b"))
    assert f"participant b: {json.dumps([EMPTY])} {OTHERS}" in notes


def test_an_answer_is_right_for_everybody_or_for_nobody() -> None:
    other = person({**WRONG, "wrong": []}, participant="b")
    [notes] = found({}, person(WRONG, RIGHT), other)
    assert "marks the answer 'c' to pay differently from another attempt" in notes


def test_a_game_asks_its_quiz_in_its_first_block_alone():
    later = person(block="second")
    plan = {"blocks": ["first", "second"]}
    assert found({}, person(RIGHT), later, plan=plan) == []
    [notes] = found({}, person(RIGHT), {**later, **person(RIGHT), "block": "second"}, plan=plan)
    assert "1 but there was no quiz" in notes


def test_a_later_block_of_a_game_does_not_tell_people_about_bots_again():
    first, plan = person(RIGHT, disclosure="Some are bots."), {"blocks": ["first", "second"]}
    later = person(block="second", disclosure="")
    assert found({}, first, later, plan=plan) == []
    [notes] = found({}, first, {**later, "disclosure": "Some are bots."}, plan=plan)
    assert "Some are bots. but people read this sentence before an earlier block" in notes


def test_somebody_who_was_excluded_from_an_earlier_game_is_in_no_other_record():
    row = person(status="excluded", **NOBODY)
    before = {**person(RIGHT), "status": "excluded"}
    config = {"session": "s", "group": 1, "treatment": "t", "block": "first", "options": "{}"}
    games = {
        "commons_game": {"config": rows("config", [config]), "outcomes": rows("outcomes", [row])},
        "sanctions": {"outcomes": rows("outcomes", [before])},
    }
    findings = Findings("commons_game")
    check_before(games, {}, findings, True)
    assert findings.problems == []
