"""Who promises, and keeps it or does not."""

from __future__ import annotations

import json

import bots
import engine
from bots.policy import ask_at
from bots.talk import Heard, Talk
from engine.play.episode import Episode

HEARD = (
    Heard(0, 1, None, "I will take 3."),
    Heard(0, 0, None, "I will take 5."),
    Heard(0, 1, None, "Good!"),
    Heard(0, 2, None, "9"),
)


def test_who_promises_does_what_it_said_last() -> None:
    episode = Episode(engine.make("sanctions", archetype="lab"), seed=1)
    policy = bots.make("promises_and_keeps", episode.game)
    memory = policy.hear(Talk(1, 0, HEARD), policy.start())
    assert ask_at(episode, policy, 1, memory).action["contribution"] == 3.0
    json.dumps(memory, allow_nan=False)


def test_who_has_promised_nothing_does_what_it_would_promise() -> None:
    episode = Episode(engine.make("sanctions", archetype="lab"), seed=1)
    policy = bots.make("promises_and_keeps", episode.game)
    silent = policy.hear(Talk(3, 0, HEARD), policy.start())
    assert silent == policy.start()
    usual = policy.amount(3)  # type: ignore[attr-defined]
    assert ask_at(episode, policy, 3, silent).action["contribution"] == usual


def test_who_breaks_a_promise_gives_nothing() -> None:
    episode = Episode(engine.make("sanctions", archetype="lab"), seed=1)
    policy = bots.make("promises_and_breaks", episode.game)
    memory = policy.hear(Talk(1, 0, (Heard(0, 1, None, "I will do 3."),)), policy.start())
    assert ask_at(episode, policy, 1, memory).action["contribution"] == 0.0
