"""Tests of the reading level: eight years of school are enough for what participants read in
English.

The measure is the Flesch-Kincaid grade of textstat. `tests.language.reading` defines which texts
count. Instructions are measured for each session on oTree's list, each archetype and each layer.
They are also measured screen by screen, so that an easy screen cannot make up for a hard one. The
quiz and the sentences of the results are measured together, for each game.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.engine.kit.layers import settings, with_layers
from mixed_company.table.options import Options
from mixed_company.table.setup import Setup, resolve
from settings import SESSION_CONFIGS
from tests.language.reading import grade, headlines, instructions, plain, questions

HIGHEST = 8.0
"""Years of school."""

TALK = {"people_per_group": 2, "bots": "random", "talk_seconds": 30.0}
OPTIONS: list[dict[str, Any]] = [
    {"talk": "free", "talk_when": "periods", "practice_periods": 2, "ready": True, **TALK},
    {"talk": "list", "talk_sentences": ["Hello."], "talk_with": "one", "dropout": "pause", **TALK},
    {"dropout": "reduced", "pay_cap": 90.0, "pay_floor": 10.0},
    {"dropout": "end", "pace": "clock", "decision_seconds": 5.0, "practice_periods": 2},
]
"""Options whose sentences do not appear in any session on the list."""


def setup_of(game: engine.Game[Any], **options: Any) -> Setup:
    return Setup(config=game.config.model_dump(mode="json"), options=Options(**options))


def reference(game_id: str) -> engine.Game[Any]:
    return engine.make(game_id, archetype=engine.find(game_id).reference)


def archetypes(game_id: str) -> dict[str, Setup]:
    names = engine.find(game_id).archetypes
    return {name: setup_of(engine.make(game_id, archetype=name)) for name in names}


def layered(game: engine.Game[Any]) -> dict[str, Setup]:
    """Return the game with one layer at a time, at half and at full intensity."""
    return {
        f"{name} {intensity}": setup_of(
            with_layers(game, {name: {**section, "intensity": intensity}})
        )
        for name, section in settings(game).items()
        for intensity in (0.5, 1.0)
    }


def hard(setup: Setup) -> dict[str, float]:
    """Return the grades above HIGHEST, for individual screens and for all screens together."""
    screens = instructions(setup)
    texts = {"together": [line for _, lines in screens for line in lines], **dict(screens)}
    grades = {name: grade(lines) for name, lines in texts.items()}
    return {name: reached for name, reached in grades.items() if reached > HIGHEST}


def too_hard(setups: dict[str, Setup]) -> dict[str, dict[str, float]]:
    assert setups
    grades = {name: hard(setup) for name, setup in setups.items()}
    return {name: reached for name, reached in grades.items() if reached}


def test_the_instructions_of_every_session_are_easy_to_read() -> None:
    listed = {c["name"]: resolve(c["app_sequence"][0], c, c)[0] for c in SESSION_CONFIGS}
    assert too_hard(listed) == {}


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_the_instructions_of_every_archetype_and_layer_are_easy_to_read(game_id: str) -> None:
    assert too_hard(archetypes(game_id) | layered(reference(game_id))) == {}


def test_the_sentences_of_further_options_are_easy_to_read() -> None:
    game = reference("commons_game")
    further = {str(options): setup_of(game, **options) for options in OPTIONS}
    assert too_hard(further) == {}
    heard = " ".join(plain(lines) for setup in further.values() for _, lines in instructions(setup))
    for words in ("per message.", "from a list of", "you practise", "A turn lasts", "at most 1 p"):
        assert words in heard


@pytest.mark.long
@pytest.mark.parametrize("game_id", engine.game_ids())
def test_every_layer_of_every_archetype_is_easy_to_read(game_id: str) -> None:
    for name in engine.find(game_id).archetypes:
        assert too_hard(layered(engine.make(game_id, archetype=name))) == {}, name


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_the_quiz_and_the_results_are_easy_to_read(game_id: str) -> None:
    setups = archetypes(game_id).values()
    quizzes = unique(line for setup in setups for line in questions(setup))
    summaries = unique(line for setup in setups for line in headlines(setup))
    assert len(quizzes) > 6
    assert len(summaries) > 6
    assert grade([*quizzes, *summaries]) <= HIGHEST


def unique(lines: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(lines))


# -- faults that these tests must find ---------------------------------------------------------

LONG = (
    "Subsequent to the determination of individual contributions, participants whose cumulative "
    "average remains inferior to the stipulated expectation experience proportional reductions."
)


def test_a_text_of_long_words_and_sentences_is_too_hard(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = setup_of(reference("sanctions"))
    assert hard(setup) == {}
    shown = instructions(setup)
    monkeypatch.setattr(f"{__name__}.instructions", lambda _: [*shown, ("planted", [LONG])])
    assert hard(setup).keys() == {"planted"}  # an easy text hides it, but not on its screen
    monkeypatch.setattr(f"{__name__}.instructions", lambda _: [*shown, ("planted", [LONG] * 9)])
    assert hard(setup).keys() == {"together", "planted"}
    assert hard(setup)["planted"] > 2 * HIGHEST


def test_long_words_and_long_sentences_each_raise_the_grade() -> None:
    short = ["You take a fish.", "Then it is gone."]
    assert grade(short) < 3
    assert grade(["You take a fish and then it is gone and you " * 4]) > HIGHEST
    assert grade(["Anticipate considerable disappointment."]) > HIGHEST


@pytest.mark.parametrize(
    ("line", "running"),
    [
        ("You get 2.5 fish.", "You get 1 fish."),
        ("A level of 12.5%, or \N{MINUS SIGN}3.", "A level of 1, or 1."),
        ("10 points = €1.20. You are paid €2.00.", "1 points = 1. You are paid 1."),
        ("These are the options:", "These are the options:."),
        ("A &amp; B", "A & B."),
    ],
)
def test_a_number_is_one_short_word_and_a_line_ends_a_sentence(line: str, running: str) -> None:
    assert plain([line]) == running


def test_a_sentence_with_numbers_is_one_sentence() -> None:
    assert grade(["You get 2.5 fish for 1.25 points."]) == grade(["You get 2 fish for 9 points."])
