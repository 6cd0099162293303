"""Tests that a plan shows its questions: their page, their timing in the play, and the rewards."""

from __future__ import annotations

import json

from mixed_company.experiment.showing import steps
from mixed_company.experiment.showing_pay import pay_shown, terms_of
from mixed_company.experiment.showing_told import told
from mixed_company.experiment.simulated_people import SimulatedPeople
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
    assert shown[4].endswith("; questions during the play: stock")
    assert shown[5:] == ["questions: last", "results, with the payment"]


def test_the_practice_is_shown_with_its_length_and_its_bots() -> None:
    """There are two periods of 45 s each."""
    assert list(steps(made()))[2] == (
        "practice of 2 periods without a time limit (about 1.5 minutes), alone with bots (random), "
        "unpaid"
    )
    without = made().options.model_copy(update={"practice_periods": 0})
    assert not [step for step in steps(made().changed(options=without)) if "practice" in step]


def test_without_questions_nothing_is_shown_about_them() -> None:
    assert not [step for step in steps(made()) if "question" in step]


def test_what_people_are_told_and_asked_is_shown_word_for_word() -> None:
    """In a German session people read German; questions without a German text stay as they are."""
    items = [
        {
            "name": "bot",
            "text": {"en": "Were there bots?", "de": "Gab es Programme?"},
            "when": "end",
            "type": "choice",
            "options": ["ja", "nein"],
        },
        {**ITEMS[2], "text": "How many?", "least": 0},
        {"name": "why", "text": "Why?", "when": "after", "type": "text", "length": 90},
        {
            "name": "mood",
            "text": "How?",
            "periods": [0, 4],
            "type": "slider",
            "least": 1,
            "most": 7,
        },
    ]
    config = session_config("x", "commons_game", "lab", questions=json.dumps(items))
    config |= {"language": "de", "consent": "Ich mache\nmit."}
    setup = resolve("commons_game", config, config)[0]
    sentence = 'told about bots: "Einige der Mitspielenden können Computerprogramme sein."'
    entry, *questions = list(told([setup]))[1:]
    assert next(told([setup])) == sentence
    assert entry.startswith("A bot takes the seat of a person who is silent for 90 s")
    assert questions == [
        'consent: "Ich mache mit."',
        'question bot, before the results: "Gab es Programme?" (ja / nein)',
        'question stock, every 10 periods: "How many?" (number from 0)',
        'question why, after the play: "Why?" (text of at most 90 characters)',
        'question mood, in periods 1, 5: "How?" (slider from 1 to 7)',
    ]
    later = list(told([setup] * 3, number=2))[2:-2]
    assert later == ['question stock, every 10 periods: "How many?" (number from 0)']


def test_nothing_told_nothing_asked_and_no_bots_are_said_too() -> None:
    config = session_config("x", "commons_game", "lab", people_per_group=4, disclosure="none")
    config |= {"lobby_outcome": "release", "dropout": "end"}
    assert list(told([resolve("commons_game", config, config)[0]])) == [
        "told about bots: nothing",
        "No bot takes a person's seat unless the manager hands it over.",
        "consent: not asked for",
    ]


def test_the_cap_is_shown_with_the_prizes_that_it_covers() -> None:
    """Two answers can win 5 points each, but the cap covers prizes too."""
    question = {**ITEMS[2], "least": 0, "most": 99, "pay": "within", "margin": 1, "prize": 5}
    config = session_config(
        "x", "commons_game", "lab", questions=json.dumps([question]), pay_cap=25.0
    )
    config |= {"participation_fee": 3.0, "real_world_currency_per_point": 0.08}
    setup = resolve("commons_game", config, config)[0]
    people = SimulatedPeople.seated("noisy_person", setup)
    assert people is not None
    shown = list(pay_shown(setup, people.paid(setup, terms_of(setup, config)), config))[-1]
    assert shown.endswith(
        "answers can win 10 points more, 0.80; at most 25 points are paid, for play and answers "
        "together"
    )
