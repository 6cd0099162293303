"""The table `answers`: rows calculated by hand, its audit, and planted faults that the audit
finds."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from mixed_company.analysis import load, report
from mixed_company.analysis.audit import audited
from mixed_company.analysis.data import Data
from mixed_company.analysis.report import replays
from tests.analysis.report.made import Page
from tests.server.inside import Session, emptied, inside
from tests.server.test_question_pages import AFTER, BEFORE, OTHERS, WHOLE, answer, hand_in, visitor

__all__ = ["inside"]  # a fixture

BOTS = {"name": "bots", "text": "?", "when": "after", "type": "number", "about": "bots"}
STOCK = {
    "name": "stock",
    "text": "?",
    "periods": [1],
    "type": "number",
    "step": 0,
    "least": 0,
    "most": 100,
    "about": "stock",
    "pay": "binarised",
    "prize": 3,
    "required": False,
}


def exported(code: str, folder: Path) -> Path:
    """Write a session's export in this process, and return its path."""
    from otree import database

    from mixed_company.server.archive.writing import write

    database.db.new_session()
    path = folder / "export.zip"
    with path.open("wb") as file:
        write(file, [code])
    return path


def table(path: Path, name: str) -> list[dict[str, str]]:
    text = zipfile.ZipFile(path).read(f"commons_game/{name}.csv").decode()
    return list(csv.DictReader(io.StringIO(text)))


def played(folder: Path) -> Path:
    """Let Ann expect 2 fish in the first period, none in the second and 12 in the third."""
    ann = visitor(BEFORE, OTHERS, STOCK, BOTS, *AFTER)
    ann.send()
    hand_in(ann, b=7)
    answer(ann, "others", 5, 0)
    answer(ann, "others", 2, 0)
    ann.play(2, harvest=3.0)
    answer(ann, "others", 12, 2)
    ann.play(harvest=3.0)
    ann.come()
    hand_in(ann, bots=1, c=2, t="=1+1\nso")
    return exported(ann.session, folder)


def test_every_question_has_a_row_with_the_truth_and_the_winnings(inside, tmp_path):
    path = played(tmp_path)
    rows = table(path, "answers")
    fields = ("when", "period", "question", "value", "number", "points")
    assert [tuple(row[name] for name in fields) for row in rows] == [
        ("before", "", "b", "7", "7.0", ""),
        ("period", "0", "others", "2", "2.0", "4.0"),
        ("period", "1", "stock", "", "", ""),
        ("period", "2", "others", "12", "12.0", "4.0"),
        ("after", "", "bots", "1", "1.0", ""),
        ("after", "", "t", "'=1+1 so", "", ""),
        ("after", "", "c", "yes", "2.0", ""),
    ]
    seat = rows[0]["seat"]
    taken = [row for row in table(path, "decisions") if row["seat"] != seat]
    for row in (rows[1], rows[3]):
        others = [
            float(decision["used_harvest"])
            for decision in taken
            if decision["period"] == row["period"]
        ]
        assert float(row["truth"]) == sum(others) / 3
        assert float(row["error"]) == abs(float(row["number"]) - sum(others) / 3)
    stock = [row["after_stock"] for row in table(path, "periods")]
    assert (rows[2]["truth"], rows[2]["error"]) == (stock[1], "")
    assert (rows[4]["truth"], rows[4]["error"]) == ("3.0", "2.0")
    shown = {row["period"]: row["shown_ms"] for row in table(path, "periods")}
    assert [row["shown_ms"] for row in rows[1:4]] == [shown["0"], shown["1"], shown["2"]]
    assert all(row["answered_ms"] for row in (rows[1], rows[3]))
    [outcome] = table(path, "outcomes")
    assert (outcome["question_points"], outcome["paid_points"]) == ("8.0", "17.0")
    assert (outcome["pay_points"], outcome["pay_questions"], outcome["payment"]) == (
        "0.9",
        "0.8",
        "3.7",
    )


CHOOSING = {"about": "others_choosing", "action": "mine", "choice": 1, "margin": 0, "most": 9}


def test_beliefs_about_the_choices_of_others_are_paid_and_recomputed(inside, tmp_path):
    items = json.dumps([{**OTHERS, **CHOOSING, "every": 1}])
    changes = {**WHOLE, "people_per_group": 1, "questions": items, "practice_periods": 0}
    [ann] = Session("gems", 1, **changes).people
    ann.come()
    while ann.page != "Play":
        ann.send() if ann.page != "Lobby" else ann.come()
    for period in range(3):
        answer(ann, "others", 1, period)
        ann.play(period + 1)
    ann.come().send(attention="")
    path = exported(ann.session, tmp_path)
    data = load(path)
    assert audited(data).problems == ()
    assert data.answers is not None
    seat = data.answers["seat"].iloc[0]
    others = data.decisions[data.decisions["seat"] != seat]
    at_mine = others[others["used_mine"] == 1].groupby("period").size()
    counts = [float(at_mine.get(period, 0)) for period in range(3)]
    assert data.answers["truth"].tolist() == counts
    assert data.answers["points"].tolist() == [4.0 if count == 1 else 0.0 for count in counts]
    wrong = replace(data, answers=data.answers.assign(truth=7.0))
    assert any("truth: " in str(problem) for problem in audited(wrong).problems)


def test_an_export_of_a_session_without_questions_has_no_trace_of_them(inside, tmp_path):
    [ann] = Session("commons", 1, **{**WHOLE, "comments": False}).people
    ann.come().send()
    ann.play(harvest=1.0)
    path = exported(ann.session, tmp_path)
    assert "commons_game/answers.csv" not in zipfile.ZipFile(path).namelist()
    assert not {"question_points", "pay_questions"} & set(table(path, "outcomes")[0])
    data = load(path)
    assert data.answers is None
    assert audited(data).problems == ()


def test_people_who_never_got_a_seat_have_rows_of_the_page_before(inside, tmp_path):
    ann = visitor(BEFORE, people_per_group=2)
    hand_in(ann.send(), b=3)
    assert ann.page == "Lobby"
    path = exported(ann.session, tmp_path)
    [row] = table(path, "answers")
    assert (row["question"], row["value"], row["group"], row["seat"]) == ("b", "3", "", "")


def test_the_replay_shows_answers_at_their_period_except_texts(whole):
    [group] = whole.config.to_dict("records")
    shown = replays.answers(whole.of_group(group["session"], group["group"]))
    assert [(answer["period"], answer["question"]) for answer in shown] == [
        *((-1, "b"), (0, "others"), (1, "stock"), (2, "others"), (3, "bots"), (3, "c"))
    ]
    assert whole.answers is not None
    truth = f"{whole.answers['truth'].iloc[1]:.10g}"
    assert [answer["text"] for answer in shown[:2]] == ["7", f"2 (truth {truth}, points 4)"]
    assert shown[2]["text"].startswith("nothing (truth ")


@pytest.mark.long
def test_the_report_shows_the_answers_of_a_group_except_texts(whole):
    frame = report.tables(whole)["answers"]
    assert frame["question"].tolist() == ["b", "others", "stock", "others", "bots", "c"]
    assert frame["points"].tolist()[1] == 4.0
    page = Page(report.html(whole)).text
    assert "Answers to questions" in page
    assert "=1+1" not in page


def changed(column: str, index: int, value: Any) -> Callable[[Data], Data]:
    def change(data: Data) -> Data:
        assert data.answers is not None
        frame = data.answers.copy()
        frame[column] = frame[column].astype(object)
        frame.loc[index, column] = value
        return replace(data, answers=frame)

    return change


def without(index: int) -> Callable[[Data], Data]:
    def change(data: Data) -> Data:
        assert data.answers is not None
        return replace(data, answers=data.answers.drop(index=index))

    return change


def twice(data: Data) -> Data:
    assert data.answers is not None
    return replace(data, answers=pd.concat([data.answers, data.answers.tail(1)], ignore_index=True))


def paid(data: Data) -> Data:
    frame = data.outcomes.copy()
    frame["question_points"] = 12.0
    return replace(data, outcomes=frame)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Data:
    with emptied():
        return load(played(tmp_path_factory.mktemp("answers")))


def test_a_correct_table_has_no_fault(whole):
    assert audited(whole).problems == ()
    assert whole.answers is not None
    assert len(whole.answers) == 7


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (changed("points", 1, 0.0), "0.0 should be 4.0"),
        (changed("truth", 1, 3.0), "others"),
        (changed("error", 3, 0.0), "others"),
        (changed("number", 1, 3.0), "others"),
        (changed("number", 1, 13.0), "13.0 should be 2.0"),
        (changed("number", 1, 2.5), "2.5 should be 2.0"),
        (changed("value", 1, "3"), "'2'"),
        (changed("value", 6, "no"), "'yes'"),
        (changed("question", 1, "other"), "other should be"),
        (changed("period", 1, 1), "1 should be 0"),
        (changed("when", 4, "end"), "was not asked here, or appears twice"),
        (changed("type", 1, "number"), "'slider'"),
        (changed("participant", 1, "nobody"), "should be"),
        (changed("shown_ms", 1, 7), "7 should be"),
        (changed("answered_ms", 1, 7), "7 should be"),
        (changed("answered_ms", 2, 7), "should be nothing"),
        (changed("points", 2, 3.0), "should be nothing"),
        (changed("truth", 4, 2.0), "bots"),
        (changed("group", 1, 9), "config has no group 9"),
        (without(2), "missing: period 1, seat"),
        (twice, "was not asked here, or appears twice"),
        (paid, "12.0 should be 8.0"),
    ],
)
def test_a_planted_fault_is_found(whole, change, fault):
    problems = [str(problem) for problem in audited(change(whole)).problems]
    assert problems
    assert any(fault.strip("'") in line for line in problems), problems
