"""What policies say: the nearest sentence of a list, and what a policy hears."""

from __future__ import annotations

import json

import pytest

import bots
import engine
from bots.policy import ask_at
from bots.talk import Heard, Saying, Talk, nearest_sentence, number_in
from engine.play.episode import Episode


@pytest.mark.parametrize(
    ("text", "number"), [("I take 2.", 2), ("2,5 fish", 2.5), ("2.5", 2.5), ("none", None)]
)
def test_a_number_is_read_as_people_write_it(text: str, number: float | None) -> None:
    assert number_in(text) == number


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("I will take 2.", 0),  # both have a 2: the letters decide
        ("I will take 8.", 2),
        ("I will take 5.", 0),  # 3 from 2 and 4 from 9
        ("Let us stop", 3),
    ],
)
def test_the_nearest_sentence_is_that_of_the_nearest_number(text: str, place: int) -> None:
    sentences = (
        "I will take 2.",
        "Two of us should take 2, and the others nothing",
        "Take 9",
        "Let us stop that",
    )
    assert nearest_sentence(text, sentences) == place


def test_a_message_for_one_is_for_the_next_seat_unless_it_says_for_whom() -> None:
    talk = Talk(2, 0, (), partners=(0, 1, 3), one=True)
    assert talk.saying("Hello") == Saying("Hello", None, 3)
    assert talk._replace(seat=3, partners=(0, 1, 2)).saying("Hello").to == 0
    assert talk.saying("Hello", to=1).to == 1
    assert talk._replace(one=False).saying("Hello") == Saying("Hello")
    assert talk._replace(sentences=("Hello!",)).saying("Hello") == Saying(None, 0, 3)


@pytest.mark.parametrize(
    ("game_id", "action"), [("commons_game", "harvest"), ("sanctions", "contribution")]
)
def test_who_promises_does_what_it_said_last(game_id: str, action: str) -> None:
    episode = Episode(engine.make(game_id, archetype="lab"), seed=1)
    policy = bots.make("promises_and_keeps", episode.game)
    heard = (
        Heard(0, 1, None, "I will take 3."),
        Heard(0, 0, None, "I will take 5."),
        Heard(0, 1, None, "Good!"),
        Heard(0, 2, None, "9"),
    )
    memory = policy.hear(Talk(1, 0, heard), policy.start())
    assert ask_at(episode, policy, 1, memory).action[action] == 3.0
    json.dumps(memory, allow_nan=False)
    silent = policy.hear(Talk(3, 0, heard), policy.start())
    assert silent == policy.start()
    assert ask_at(episode, policy, 3, silent).action[action] == policy.amount(3)  # type: ignore[attr-defined]


def test_who_breaks_a_promise_takes_twice_of_it_or_gives_nothing() -> None:
    for game_id, action, amount in (
        ("commons_game", "harvest", 6.0),
        ("sanctions", "contribution", 0.0),
    ):
        episode = Episode(engine.make(game_id, archetype="lab"), seed=1)
        policy = bots.make("promises_and_breaks", episode.game)
        memory = policy.hear(Talk(1, 0, (Heard(0, 1, None, "I will do 3."),)), policy.start())
        assert ask_at(episode, policy, 1, memory).action[action] == amount


def test_what_is_said_follows_from_what_is_given_alone() -> None:
    game = engine.make("commons_game", archetype="lab_0_7")
    policy = bots.make("promises_and_keeps", game)
    talk = Talk(0, 4, ())
    import numpy as np

    said_twice = [policy.say(talk, {}, np.random.default_rng(seed)) for seed in (1, 2)]
    assert said_twice == [Saying("I will take 2.")] * 2
