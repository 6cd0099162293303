"""The numbers of messages and answers in `outcomes` match those of the other tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from mixed_company import analysis
from mixed_company.analysis.audit import audited
from mixed_company.analysis.data import Data
from tests.analysis.audit.rehearsed import EXPORT


@pytest.fixture(scope="module")
def data() -> Data:
    return analysis.load(EXPORT)


def named(data: Data) -> list[str]:
    columns = ("messages_sent", "questions_asked", "questions_answered")
    lines = [str(problem) for problem in audited(data).problems]
    return [line for line in lines if any(f", {name}: " in line for name in columns)]


def of_outcomes(data: Data, **values: Any) -> Data:
    people = data.outcomes.copy()
    for name, value in values.items():
        people.loc[0, name] = value
    return replace(data, outcomes=people)


def test_the_counts_of_an_export_are_right(data: Data) -> None:
    assert named(data) == []
    assert data.outcomes["messages_sent"].sum() > 0
    assert data.answers is not None
    assert data.outcomes["questions_asked"].sum() == len(data.answers)
    assert data.outcomes["questions_answered"].sum() == (data.answers["value"] != "").sum() > 0


@pytest.mark.parametrize("name", ["messages_sent", "questions_asked", "questions_answered"])
def test_every_count_is_compared(data: Data, name: str) -> None:
    [line] = named(of_outcomes(data, **{name: 99}))
    assert f", {name}: participant {data.outcomes['participant'][0]}: 99 should be " in line


def test_a_missing_answer_on_a_page_is_named_even_if_the_counts_were_changed(data: Data) -> None:
    answers = data.answers
    assert answers is not None
    row = answers.index[answers["when"].astype(str) == "before"][0]
    person = answers.loc[row, "participant"]
    people = data.outcomes.copy()
    mine = (people["participant"] == person) & (people["block"] == answers.loc[row, "block"])
    for name in ("questions_asked", "questions_answered"):
        people.loc[mine, name] -= 1
    changed = replace(data, answers=answers.drop(index=row), outcomes=people)
    lines = [str(problem) for problem in audited(changed).problems]
    assert any("before: age" in line and "missing: seat" in line for line in lines), lines


def test_an_export_of_an_earlier_release_has_no_counts(data: Data) -> None:
    counts = ["messages_sent", "questions_asked", "questions_answered"]
    people = data.outcomes.drop(columns=counts)
    assert named(replace(data, outcomes=people)) == []


def test_emptied_points_of_a_block_are_reported(data: Data) -> None:
    lines = [str(problem) for problem in audited(of_outcomes(data, points=float("nan"))).problems]
    assert any(line.startswith("sanctions/outcomes.csv, line 2, points: ") for line in lines), lines


@pytest.mark.parametrize("name", ["participation_fee", "point_value"])
def test_an_emptied_fee_or_value_of_a_point_is_reported(data: Data, name: str) -> None:
    config = data.config.copy()
    config.loc[0, name] = float("nan")
    lines = [str(problem) for problem in audited(replace(data, config=config)).problems]
    assert any(f", {name}: " in line for line in lines), lines


@pytest.mark.parametrize("name", ["quiz_attempts", "practised_periods", "question_points"])
def test_an_emptied_number_that_everybody_has_is_reported(data: Data, name: str) -> None:
    lines = [str(p) for p in audited(of_outcomes(data, **{name: float("nan")})).problems]
    assert any(f", {name}: " in line and "is empty" in line for line in lines), lines


def test_an_export_without_questions_has_no_counts_of_them(data: Data) -> None:
    """The server leaves out the columns, and the reader adds them without values."""
    empty = dict.fromkeys(("questions_asked", "questions_answered"), "")
    alone = replace(data, answers=None, outcomes=data.outcomes.assign(**empty))
    assert [line for line in named(alone) if "questions_" in line] == []


def test_attempts_at_the_quiz_are_counted_for_everybody(data: Data) -> None:
    people = data.outcomes.assign(quiz_attempts=pd.array([pd.NA] * len(data.outcomes), "Int64"))
    lines = map(str, audited(replace(data, outcomes=people)).problems)
    empty = [line for line in lines if ", quiz_attempts: " in line]
    assert len(empty) == len(people)
    assert "is empty, but a server writes a number for everybody" in empty[0]
