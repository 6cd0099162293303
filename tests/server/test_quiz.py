"""An attempt at the quiz is judged, counted and stored with its time."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from mixed_company.server.pages import quiz
from mixed_company.table.options import QUIZ_ATTEMPTS_KEPT, Options

ASKED = [
    {"name": "a", "options": ["1", "2"], "right": "1"},
    {"name": "b", "options": ["x", "y"], "right": "y"},
]


@pytest.mark.parametrize(
    ("options", "sent", "before", "message", "status"),
    [
        ({}, {"a": "1", "b": "y"}, 0, None, "arriving"),
        ({}, {"a": "1", "b": "x"}, 0, "wrong_some", "arriving"),
        ({}, {"a": "1"}, 0, "answer_all", "arriving"),
        ({}, {"a": "1", "b": "?"}, 0, "answer_all", "arriving"),
        ({"quiz_tries": 2}, {"a": "2", "b": "x"}, 0, "wrong_some", "arriving"),
        ({"quiz_tries": 2}, {"a": "2", "b": "x"}, 1, None, "quiz_failed"),
        ({"quiz_tries": 2, "quiz_failed": "go_on"}, {"a": "2", "b": "x"}, 1, None, "arriving"),
        ({"quiz_tries": 2}, {"a": "2"}, 1, "answer_all", "arriving"),  # not an attempt
        ({"quiz_tries": 2}, {"a": "2", "b": "x", "c": "3"}, -1, "wrong_some", "arriving"),
        ({"quiz_tries": 2}, {"a": "1", "b": "y"}, 1, None, "arriving"),
    ],
)
def test_an_attempt_at_the_quiz_is_kept_and_judged(
    options, sent, before, message, status, monkeypatch
):
    chosen = Options(**{"quiz_tries": 0, "quiz_failed": "end", **options})
    monkeypatch.setattr(quiz, "questions", lambda player: ASKED)
    monkeypatch.setattr(quiz, "setup_of", lambda player: SimpleNamespace(options=chosen))
    monkeypatch.setattr(quiz, "clock", SimpleNamespace(wall_ms=lambda: 70))
    past = [{"at_ms": 1, "answers": {"a": "2", "b": "x"}, "wrong": ["a", "b"]}] * abs(before)
    if before < 0:
        del past[0]["answers"]["a"]  # was not an attempt
    player = SimpleNamespace(quiz_log=json.dumps(past), quiz_attempts=len(past), status="arriving")
    reason = quiz.Quiz.error_message(player, {"quiz_answers": json.dumps(sent)})
    assert reason == (None if message is None else quiz.texts.quiz()[message])
    answered = {name: value for name, value in sent.items() if name in "ab" and value != "?"}
    wrong = [
        question["name"]
        for question in ASKED
        if answered.get(str(question["name"])) != question["right"]
    ]
    kept = [*past, {"at_ms": 70, "answers": answered, "wrong": wrong}]
    assert (json.loads(player.quiz_log), player.quiz_attempts) == (kept, len(kept))
    assert player.status == status


def test_the_last_attempts_at_the_quiz_are_kept(monkeypatch):
    monkeypatch.setattr(quiz, "questions", lambda player: ASKED)
    monkeypatch.setattr(quiz, "setup_of", lambda player: SimpleNamespace(options=Options()))
    past = [{"at_ms": time_ms, "answers": {}, "wrong": []} for time_ms in range(QUIZ_ATTEMPTS_KEPT)]
    player = SimpleNamespace(quiz_log=json.dumps(past), quiz_attempts=900, status="arriving")
    quiz.Quiz.error_message(player, {"quiz_answers": "nonsense"})
    kept = json.loads(player.quiz_log)
    assert (len(kept), kept[:-1]) == (QUIZ_ATTEMPTS_KEPT, past[1:])
    assert (kept[-1]["answers"], kept[-1]["wrong"]) == ({}, ["a", "b"])
    assert player.quiz_attempts == 901
