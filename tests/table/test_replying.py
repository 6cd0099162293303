"""Answers to questions at a table: accepted, rejected and paid ones."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mixed_company.table.beliefs import Facts, judged
from mixed_company.table.directives import Directive
from mixed_company.table.exchange import exchange
from mixed_company.table.protocol import Message, parse
from mixed_company.table.rebuilding import rebuilt
from mixed_company.table.replies import MOST_ANSWERS
from mixed_company.table.table import Table
from tests.table.plays import SECOND, act, open_table, reopened, rows, started, view

OTHERS = {
    "name": "others",
    "text": "?",
    "every": 2,
    "type": "slider",
    "least": 0,
    "most": 12,
    "about": "others_mean",
    "action": "harvest",
    "pay": "within",
    "margin": 1,
    "prize": 4,
}
MOOD = {"name": "mood", "text": "?", "every": 1, "type": "text", "length": 9, "required": False}


def answer(table: Table, seat: int, value: Any, now: int = SECOND, **more: Any) -> dict[str, Any]:
    period = more.pop("period", table.episode.period)
    name = more.pop("id", f"seat {seat} answers {value} in {period}")
    about = {"question": more.pop("question", "others"), "value": value}
    return table.reply(seat, Message("answer", name, period, **about), now).to_json()


def test_a_page_shows_the_questions_of_a_period_and_the_answers() -> None:
    table = started([0, 1], questions=[OTHERS, MOOD])
    assert view(table, 0, 0)["questions"] == {"others": None, "mood": None}
    assert answer(table, 0, 3)["kind"] == "ack"
    assert view(table, 0, SECOND)["questions"] == {"others": 3, "mood": None}
    assert view(table, 1, SECOND)["questions"] == {"others": None, "mood": None}
    for seat in (0, 1):
        answer(table, seat, 3, id=f"{seat}")
        act(table, seat, 2 * SECOND)
    assert view(table, 0, 2 * SECOND)["questions"] == {"mood": None}


def test_without_questions_nothing_about_them_is_sent_written_or_kept() -> None:
    table = started([0])
    act(table, 0, SECOND)
    assert "questions" not in view(table, 0, SECOND)
    assert "replies" not in json.loads(table.to_json())
    assert answer(table, 0, 3)["reason"] == "this question is not from period 2"


def test_an_answer_can_be_changed_and_withdrawn_until_the_decision() -> None:
    table = started([0, 1], questions=[OTHERS])
    for value in (3, 5, None, 4):
        assert answer(table, 0, value)["kind"] == "ack"
    act(table, 0, 2 * SECOND)
    assert answer(table, 0, 6)["reason"] == "you have already made your decision"
    assert table.replies.of(0) == {"others": 4}


def test_the_same_message_is_acknowledged_again_and_counts_once() -> None:
    table = started([0, 1], questions=[OTHERS])
    answer(table, 0, 3, id="a")
    answer(table, 0, 5, id="b")
    assert answer(table, 0, 3, id="a") == {"kind": "ack", "id": "a", "period": 0}
    assert table.replies.of(0) == {"others": 5}
    assert len(rows(table, "answered")) == 2
    for seat in (0, 1):
        answer(table, seat, 5, id=f"of {seat}")
        act(table, seat, 2 * SECOND)
    assert answer(table, 0, 3, id="a") == {"kind": "ack", "id": "a", "period": 0}


def test_a_person_who_must_answer_cannot_decide_before() -> None:
    table = started([0, 1], questions=[OTHERS, MOOD])
    assert act(table, 0, SECOND)["reason"] == "please answer the question first"
    answer(table, 0, 3)
    assert act(table, 0, SECOND)["kind"] == "ack"


def test_an_unanswered_question_stays_open_at_the_deadline_and_the_play_goes_on() -> None:
    table = started([0, 1], questions=[OTHERS], decision_seconds=10.0, line_seconds=0.0)
    answer(table, 0, 3)
    table.advance(10 * SECOND)
    assert table.episode.period == 1
    assert table.last is not None
    assert table.last.by == ["default"] * 2 + ["policy"] * (table.game.seats - 2)
    assert answer(table, 1, 3, 11 * SECOND, period=0)["reason"] == (
        "period 1 is over; this is period 2"
    )
    assert table.replies.of(1) == {}


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"question": "other"}, "this question is not from period 1"),
        ({"question": ""}, "this question is not from period 1"),
        ({"question": "x" * 9999}, "this question is not from period 1"),
        ({"period": 1}, "period 2 has not begun yet; this is period 1"),
        ({"period": -1}, "period 0 is over; this is period 1"),
        ({"value": 13}, "please enter a number from 0 to 12"),
        ({"value": -1}, "please enter a number from 0 to 12"),
        ({"value": "3"}, "please enter a number from 0 to 12"),
        ({"value": float("nan")}, "please enter a number from 0 to 12"),
        ({"value": 10**400}, "please enter a number from 0 to 12"),
        ({"value": 0.5}, "please enter a number in steps of 1"),
        ({"question": "mood", "value": 3}, "please write an answer"),
        ({"question": "mood", "value": "x" * 10}, "please write at most 9 characters"),
        (
            {"question": "mood", "value": "a\0b"},
            "this text contains a character that cannot be saved",
        ),
        (
            {"question": "mood", "value": "\udfff"},
            "this text contains a character that cannot be saved",
        ),
    ],
)
def test_a_refused_answer_changes_nothing(more: dict[str, Any], why: str) -> None:
    table = started([0, 1], questions=[OTHERS, MOOD])
    table.take_rows()
    before = table.to_json()
    refused = answer(table, 0, more.pop("value", 3), 0, **more)
    assert refused["kind"] == "refused"
    assert refused["reason"] == why
    assert table.to_json() == before
    assert not rows(table, "answered")


@pytest.mark.parametrize("value", [10**30, -(10**16), 2**63, 1.5e300])
def test_a_number_that_a_journal_cannot_hold_is_refused(value: float) -> None:
    """If a row could not be written, the table could not be restored."""
    number = {"name": "n", "text": "?", "every": 1, "type": "number", "step": 0}
    table = started([0, 1], questions=[number])
    refused = answer(table, 0, value, 0, question="n")
    assert refused["reason"] == "please enter a number"
    for kept in (1e15, -(10**15), 0.1):
        assert answer(table, 0, kept, 0, question="n")["kind"] == "ack"
    written = json.loads(json.dumps(rows(table, "answered")))
    assert [entry["value"] for entry in written] == [1e15, -(10**15), 0.1]


def test_html_is_text_like_any_other() -> None:
    table = started([0], questions=[MOOD])
    assert answer(table, 0, "<b>", question="mood")["kind"] == "ack"
    assert table.replies.of(0) == {"mood": "<b>"}


def test_a_flood_is_refused_and_the_last_answer_stays() -> None:
    table = started([0, 1], questions=[OTHERS])
    for number in range(MOST_ANSWERS):
        assert answer(table, 0, number % 12, id=f"{number}")["kind"] == "ack"
    refused = answer(table, 0, 12, id="one more")
    assert (
        refused["reason"] == "you have changed your answer too many times in this period; "
        "your last answer counts"
    )
    assert table.replies.of(0) == {"others": (MOST_ANSWERS - 1) % 12}
    answer(table, 1, 1)
    for period in range(2):
        for seat in (0, 1):
            act(table, seat, (2 + period) * SECOND)
    assert answer(table, 0, 7, 4 * SECOND, id="later")["kind"] == "ack"
    assert len(table.replies.known(0)) < 40


def test_nobody_answers_before_or_after_the_play_or_during_a_pause() -> None:
    table = open_table([0, 1], questions=[OTHERS])
    assert answer(table, 0, 3)["reason"] == "the game has not started yet"
    table.hear(1, SECOND)
    table.manage(Directive("pause", "p"), 2 * SECOND)
    assert answer(table, 0, 3, 2 * SECOND)["reason"] == "the game is paused"
    table.manage(Directive("end", "e"), 3 * SECOND)
    assert answer(table, 0, 3, 4 * SECOND)["reason"] == "the game is over"
    assert "questions" not in view(table, 0, 4 * SECOND)


def test_a_stand_in_answers_nothing_and_wins_nothing() -> None:
    table = started([0, 1], questions=[OTHERS])
    answer(table, 0, 1)
    table.manage(Directive("stand_in", "s", 0), 2 * SECOND)
    refused = answer(table, 0, 3, 3 * SECOND)
    assert refused["reason"].startswith("a stand-in is deciding for you in this period")
    answer(table, 1, 1)
    act(table, 1, 4 * SECOND)
    assert table.episode.period == 1
    assert table.replies.won(0) == 0.0


def test_a_prize_is_won_when_the_period_is_over_and_is_kept_apart_from_points_of_the_game() -> None:
    table = started([0, 1], questions=[OTHERS])
    answer(table, 0, 1)
    answer(table, 1, 12)
    for seat in (0, 1):
        assert table.replies.won(seat) == 0.0
        act(table, seat, 2 * SECOND)
    (line,) = rows(table, "period")
    occupants = [seat["occupant"] for seat in line["seats"]]
    facts = Facts(occupants, line["used"], line["state"])
    for seat, value in ((0, 1), (1, 12)):
        item = table.options.questions[0]
        should = judged(item, value, seat, facts, table.episode.seed, 0)
        assert table.replies.won(seat) == should.points
        assert table.seats[seat].points == line["rewards"][seat]
    others = [line["used"]["harvest"][seat] for seat in range(1, table.game.seats)]
    near = abs(sum(others) / len(others) - 1) <= 1
    assert table.replies.won(0) == (4.0 if near else 0.0)
    assert table.replies.of(0) == {}


def test_answers_are_kept_in_a_snapshot_and_in_the_journal() -> None:
    table = started([0, 1], questions=[OTHERS, MOOD])
    journal: list[Any] = []
    for number in range(9):
        for seat in (0, 1):
            now = (2 * number + seat + 1) * SECOND
            answer(table, seat, number, now)
            answer(table, seat, f"{number}", now, question="mood", id=f"m{seat} {number}")
            act(table, seat, now)
            journal += json.loads(json.dumps(table.take_rows()))
            assert reopened_state(table) == rebuilt_state(table, journal)
    assert sum(table.replies.points.values()) > 0


def reopened_state(table: Table) -> Any:
    return reopened(table).replies


def rebuilt_state(table: Table, journal: list[Any]) -> Any:
    return rebuilt(table.setup, journal).replies


def test_an_answer_is_acknowledged_and_nobody_else_sees_anything() -> None:
    table = started([0, 1], questions=[OTHERS])
    message = parse({"kind": "answer", "id": "a", "period": 0, "question": "others", "value": 3})
    assert isinstance(message, Message)
    outcome = exchange(table, 0, message, SECOND)
    assert outcome.answer is not None
    assert outcome.answer.to_json() == {"kind": "ack", "id": "a", "period": 0}
    assert outcome.views == {}


def test_questions_do_not_change_the_play() -> None:
    plain, asking = started([0, 1]), started([0, 1], questions=[MOOD])
    for number in range(5):
        for seat in (0, 1):
            now = (2 * number + seat + 1) * SECOND
            answer(asking, seat, "well", now, question="mood", id=f"m{seat} {number}")
            for table in (plain, asking):
                act(table, seat, now, harvest=seat + number)
    assert rows(plain, "period") == rows(asking, "period")
