"""Tests that a plan shows its questions: the page, the time within the play, and the rewards."""

from __future__ import annotations

import json

from mixed_company.experiment.showing import steps
from mixed_company.table.setup import Setup, resolve, session_config

ITEMS = [
    {"name": "first", "text": "?", "when": "before", "type": "number"},
    {"name": "last", "text": "?", "when": "end", "type": "number"},
    {"name": "stock", "text": "?", "every": 10, "type": "number", "about": "stock"},
]


def made(*items: object) -> Setup:
    config = session_config("x", "commons_game", "lab", questions=json.dumps(items))
    return resolve("commons_game", config, config)[0]


def test_questions_are_shown_where_they_are_asked() -> None:
    shown = list(steps(made(*ITEMS)))
    assert shown[3] == "questions: first"
    assert shown[4].endswith("; questions within: stock")
    assert shown[5:] == ["questions: last", "results, with the payment"]


def test_the_practice_is_shown_with_its_length_and_its_bots() -> None:
    """Two periods of 45 s each."""
    assert list(steps(made()))[2] == (
        "practice of 2 periods without a time limit (about 1.5 minutes), alone with bots (random), "
        "unpaid"
    )
    without = made().options.model_copy(update={"practice_periods": 0})
    assert not [step for step in steps(made().changed(options=without)) if "practice" in step]


def test_without_questions_nothing_is_shown_about_them() -> None:
    assert not [step for step in steps(made()) if "question" in step]
