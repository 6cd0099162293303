"""Talk by policies: the nearest sentence in a list, and the messages that they receive."""

from __future__ import annotations

import pytest

from mixed_company import engine, policies
from mixed_company.policies.talk import Saying, Talk, nearest_sentence, number_in


@pytest.mark.parametrize(
    ("text", "number"), [("I take 2.", 2), ("2,5 fish", 2.5), ("2.5", 2.5), ("none", None)]
)
def test_numbers_are_read_in_the_forms_people_write(text: str, number: float | None) -> None:
    assert number_in(text) == number


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("I will take 2.", 0),  # both contain a 2, so the letters decide
        ("I will take 8.", 2),
        ("I will take 5.", 0),  # 3 from 2 and 4 from 9
        ("Let us stop", 3),
    ],
)
def test_the_nearest_sentence_has_the_nearest_number(text: str, place: int) -> None:
    sentences = (
        "I will take 2.",
        "Two of us should take 2, and the others nothing",
        "Take 9",
        "Let us stop that",
    )
    assert nearest_sentence(text, sentences) == place


def test_a_private_message_goes_to_the_next_seat_unless_it_names_one() -> None:
    talk = Talk(2, 0, (), partners=(0, 1, 3), to_one=True)
    assert talk.saying("Hello") == Saying("Hello", None, 3)
    assert talk._replace(seat=3, partners=(0, 1, 2)).saying("Hello").to == 0
    assert talk.saying("Hello", to=1).to == 1
    assert talk._replace(to_one=False).saying("Hello") == Saying("Hello")
    assert talk._replace(sentences=("Hello!",)).saying("Hello") == Saying(None, 0, 3)


def test_talk_depends_only_on_its_inputs() -> None:
    game = engine.make("commons_game", archetype="lab_0_7")
    policy = policies.make("promises_and_keeps", game)
    talk = Talk(0, 4, ())
    import numpy as np

    said_twice = [policy.say(talk, {}, np.random.default_rng(seed)) for seed in (1, 2)]
    assert said_twice == [Saying("I will take 2.")] * 2
