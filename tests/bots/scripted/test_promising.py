"""Kept and broken promises, in every game in which amounts can be promised."""

from __future__ import annotations

import json

import pytest

from mixed_company import engine, policies
from mixed_company.engine.play.episode import Episode
from mixed_company.policies.policy import ask_at
from mixed_company.policies.talk import Heard, Talk

HEARD = (
    Heard(0, 1, None, "I will take 3."),
    Heard(0, 0, None, "I will take 5."),
    Heard(0, 1, None, "Good!"),
    Heard(0, 2, None, "9"),
)
BROKEN = {"commons_game": ("harvest", 6.0), "sanctions": ("contribution", 0.0)}
"""Field for a promise of 3, and the action that breaks it: twice as much, or nothing."""


def played(game_id: str) -> Episode:
    return Episode(engine.make(game_id, archetype="lab"), seed=1)


@pytest.mark.parametrize("game_id", BROKEN)
def test_a_policy_that_keeps_promises_does_what_it_said_last(game_id):
    episode = played(game_id)
    policy = policies.make("promises_and_keeps", episode.game)
    memory = policy.hear(Talk(1, 0, HEARD), policy.start())
    assert ask_at(episode, policy, 1, memory).action[BROKEN[game_id][0]] == 3.0
    json.dumps(memory, allow_nan=False)


@pytest.mark.parametrize("game_id", BROKEN)
def test_without_a_promise_it_does_what_it_would_promise(game_id):
    episode = played(game_id)
    policy = policies.make("promises_and_keeps", episode.game)
    silent = policy.hear(Talk(3, 0, HEARD), policy.start())
    assert silent == policy.start()
    usual = policy.amount(3)  # type: ignore[attr-defined]
    assert ask_at(episode, policy, 3, silent).action[BROKEN[game_id][0]] == usual


@pytest.mark.parametrize(("game_id", "broken"), BROKEN.items())
def test_a_policy_that_breaks_promises_does_the_opposite(game_id, broken):
    episode = played(game_id)
    policy = policies.make("promises_and_breaks", episode.game)
    memory = policy.hear(Talk(1, 0, (Heard(0, 1, None, "I will do 3."),)), policy.start())
    name, value = broken
    assert ask_at(episode, policy, 1, memory).action[name] == value
