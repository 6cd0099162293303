"""Rows of answers: one for each question that a person was asked, in the session's order."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.server import export
from mixed_company.server.played import Played
from mixed_company.table.beliefs import Belief
from mixed_company.table.export import played as rows_of
from mixed_company.table.export.answers import answer_row
from mixed_company.table.items import Item
from mixed_company.table.options import Options
from mixed_company.table.setup import Setup

OTHERS: dict[str, Any] = {
    "name": "others",
    "text": "Others?",
    "type": "number",
    "least": 0,
    "most": 9,
    "about": "others_mean",
    "action": "harvest",
    "pay": "within",
    "margin": 1,
    "prize": 4,
}
WITHIN = {**OTHERS, "every": 2}
MOOD = {"name": "mood", "text": "Mood?", "type": "number", "every": 1, "least": 0, "most": 9}
WHY = {"name": "why", "text": "Why?", "type": "text", "when": "before", "required": False}
END = {**MOOD, "name": "all", "every": 0, "when": "end", "about": "bots"}
BASE = {"session": "s", "group": 1, "group_id": "s-1", "treatment": "t", "block": "b"}


def setup(*items: dict[str, Any]) -> Setup:
    game = engine.make("commons_game", archetype="lab")
    return Setup(config=game.config.model_dump(mode="json"), options=Options(questions=[*items]))


def period(number: int, *harvests: float, bot: int | None = None) -> dict[str, Any]:
    """Return a period's entry with these harvests. Seat `bot` is held by a policy."""
    seats = [{"occupant": "policy" if seat == bot else "person"} for seat in range(len(harvests))]
    return {
        "kind": "period",
        "period": number,
        "shown_ms": 100 * number,
        "state": {},
        "seats": seats,
        "used": {"harvest": harvests},
    }


def answer(seat: int, number: int, name: str, value: Any) -> dict[str, Any]:
    about = {"kind": "answered", "seat": seat, "period": number, "question": name}
    return {**about, "value": value, "at_ms": 100 * number + 50}


def played(setup: Setup, *log: dict[str, Any]) -> Played:
    start = {"kind": "start", "seed": 7}
    return Played(BASE, setup, [start, *log], {}, lambda ms: ms + 1000)


def item(about: dict[str, Any]) -> Item:
    return Item.model_validate(about)


def test_within_the_play_each_question_of_a_period_has_a_row():
    """Check the others' means of 3 and 5, a bot without an answer in period 2, and an open period
    3.
    """
    log = [
        answer(0, 0, "others", 3.5),
        answer(1, 0, "mood", 8),
        answer(0, 1, "mood", None),
        answer(0, 2, "mood", 2),
        answer(0, 3, "mood", 5),
        period(0, 1.0, 3.0, 5.0),
        period(1, 1.0, 3.0, 5.0),
        period(2, 1.0, 3.0, 5.0, bot=0),
    ]
    rows = list(rows_of.answer_rows(played(setup(WITHIN, MOOD), *log), 0))

    def shown(number: int) -> dict[str, Any]:
        at_ms = 100 * number
        return {
            "when": "period",
            "period": number,
            "shown_ms": at_ms,
            "shown_wall_ms": at_ms + 1000,
        }

    def times(number: int) -> dict[str, Any]:
        return {"answered_ms": 100 * number + 50, "wall_ms": 100 * number + 1050}

    mood = item(MOOD)
    assert rows == [
        {**answer_row(item(WITHIN), 3.5, Belief(4.0, 0.5, 4)), **shown(0), **times(0)},
        {**answer_row(mood, None, Belief()), **shown(0)},
        {**answer_row(mood, None, Belief()), **shown(1)},
        {**answer_row(mood, 2, Belief()), **shown(2), **times(2)},
        {**answer_row(mood, 5, Belief()), "when": "period", "period": 3, **times(3)},
    ]


def test_winnings_from_answers_are_added_period_by_period(monkeypatch):
    """Add as the table does: 0.1, and then 0.2 + 0.3, exact to the last digit."""
    rows = [{"period": 0, "points": 0.1}, {"period": 0, "points": ""}]
    rows += [{"period": 1, "points": points} for points in (0.2, 0.3, None)]
    monkeypatch.setattr(rows_of, "answer_rows", lambda played, seat: iter(rows))
    assert rows_of.won(played(setup()), 0) == 0.1 + (0.2 + 0.3) != 0.1 + 0.2 + 0.3


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a player in seat 0 whose setup is `player.setup`."""
    monkeypatch.setattr(export, "setup_of", lambda player: player.setup)
    monkeypatch.setattr(export, "treatment_shown", lambda player: "shown")
    monkeypatch.setattr(export, "block_shown", lambda player: "own")
    kept = {"given": {"why": ["=1\nx", 70], "all": [1.5, 90]}, "shown": {"before": 60, "end": 80}}
    return SimpleNamespace(
        seat=0,
        answers=json.dumps(kept),
        setup=setup(WHY, MOOD, END),
        session=SimpleNamespace(code="s"),
        participant=SimpleNamespace(code="ann"),
    )


def test_each_question_that_was_shown_on_a_page_has_a_row_with_both_times(person):
    play = played(person.setup, period(0, 1.0, 3.0, 5.0), period(1, 1.0, 3.0, 5.0, bot=2))
    [before] = export._of_page(person, None, "before")
    shown = {"when": "before", "shown_wall_ms": 60, "wall_ms": 70}
    assert before == {**answer_row(item(WHY), "'=1 x", Belief()), **shown}
    [last] = export._of_page(person, play, "end")
    belief = Belief(1.0, 0.5)  # one of the others was a bot in the last period
    shown = {"when": "end", "shown_wall_ms": 80, "wall_ms": 90}
    assert last == {**answer_row(item(END), 1.5, belief), **shown}
    [early] = export._of_page(person, None, "end")
    assert (early["truth"], early["points"]) == ("", "")
    assert list(export._of_page(person, play, "after")) == []
    person.answers = json.dumps({"shown": {"before": 60}})
    [open_] = export._of_page(person, None, "before")
    assert (open_["value"], open_["wall_ms"], open_["shown_wall_ms"]) == ("", "", 60)


def test_all_rows_of_a_person_are_in_the_order_of_the_session(person):
    play = played(person.setup, answer(0, 0, "mood", 3), period(0, 1.0, 3.0, 5.0))
    rows = list(export.answers(person, play))
    assert [row["question"] for row in rows] == ["why", "mood", "all"]
    assert rows[0]["value"] == "'=1 x"
    base = {**BASE, "seat": 0, "participant": "ann"}
    assert all(row.items() >= base.items() for row in rows)
    [alone] = (row for row in export.answers(person, None) if row["when"] == "before")
    same = {"session": "s", "treatment": "shown", "block": "own", "participant": "ann"}
    assert alone.items() >= same.items()
    assert "seat" not in alone
    person.setup = setup()
    assert list(export.answers(person, play)) == []


def test_a_session_has_questions_if_one_of_its_treatments_does(monkeypatch):
    monkeypatch.setattr(export, "setups_of", lambda subsession: subsession)
    silent, asking = {"a": setup()}, {"a": setup(), "b": setup(MOOD)}

    def players(*subsessions: Any) -> list[Any]:
        return [
            SimpleNamespace(subsession_id=number, subsession=subsession)
            for number, subsession in enumerate(subsessions)
        ]

    assert export.asks(players(silent, asking)) is True
    assert export.asks(players(asking, silent)) is True
    assert export.asks(players(silent)) is False
    assert export.asks([]) is False
