"""Answers without a group come from people without a seat, on the page before the play."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from mixed_company import analysis
from mixed_company.analysis.audit import audited
from mixed_company.analysis.data import Data
from tests.analysis.audit.rehearsed import EXPORT

NOWHERE = {"group": pd.NA, "group_id": "", "seat": pd.NA}
ASKED = "was not asked here, or appears twice"
SEATED = "has no row in `outcomes` for this block as a person without a seat"


@pytest.fixture(scope="module")
def data() -> Data:
    return analysis.load(EXPORT)


def code(data: Data) -> str:
    return str(data.outcomes["participant"][0])


def named(data: Data) -> list[str]:
    """Return the problems in `answers` that name the first person, or another person with this
    name."""
    lines = [str(problem) for problem in audited(data).problems]
    return [line for line in lines if "answers.csv" in line and code(data) in line]


def without_seat(data: Data, *changes: dict[str, Any], status: str = "waiting") -> Data:
    """Return the data with the first person in the lobby, and with one answer for each change."""
    people, answers = data.outcomes.copy(), data.answers
    assert answers is not None
    for name, value in {**NOWHERE, "status": status}.items():
        people.loc[0, name] = value
    mine = (answers["participant"] == code(data)) & (answers["block"] == people["block"][0])
    first = answers[mine].index[0]
    added = [answers.loc[[first]].assign(**{**NOWHERE, **change}) for change in changes]
    return replace(data, outcomes=people, answers=pd.concat([answers[~mine], *added]))


@pytest.mark.parametrize(
    ("status", "changes", "words"),
    [
        ("waiting", [{}], ""),
        ("left", [{}], ""),
        ("left", [], ""),
        ("waiting", [], "missing: participant {code}, before: age"),
        ("left", [{"value": "400", "number": 400.0}], "is not a valid answer"),
        ("left", [{"number": 18.0}], "{code}, age: 44 should be 18"),
        ("left", [{"question": "income"}], ASKED),
        ("left", [{"when": "never"}], ASKED),
        ("left", [{"when": "after", "question": "content"}], ASKED),
        ("left", [{}, {"value": "41", "number": 41.0}], ASKED),
        ("left", [{"points": 500.0}], "{code}, age: 500.0 should be nothing"),
        ("left", [{"period": 1}], "1 should be nothing"),
        ("left", [{"seat": 1}], "1 should be nothing"),
        ("left", [{"treatment": "talk"}], "talk should be silence"),
        ("waiting", [{"value": "", "number": pd.NA, "wall_ms": pd.NA}], "no answer to age, but"),
    ],
)
def test_people_without_a_seat_answered_only_the_page_before_the_play(data, status, changes, words):
    lines = named(without_seat(data, *changes, status=status))
    assert bool(lines) == bool(words), lines
    assert any(words.format(code=code(data)) in line for line in lines) == bool(words), lines


@pytest.mark.parametrize(
    "changes",
    [
        {"value": "41", "number": 41.0},
        {"participant": "{code}x"},
        {"session": "another"},
        {"when": "period", "period": 1, "question": "others", "points": 500.0},
    ],
)
def test_nobody_else_has_answers_without_a_group(data, changes):
    answers, changes = data.answers, dict(changes)
    assert answers is not None
    if "participant" in changes:
        changes["participant"] = changes["participant"].format(code=code(data))
    added = answers.loc[[0]].assign(**NOWHERE, **changes)
    [line] = named(replace(data, answers=pd.concat([answers, added], ignore_index=True)))
    assert SEATED in line
