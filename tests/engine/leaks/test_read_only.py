"""Observations of a seat are read-only."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine import Episode
from mixed_company.policies.policy import Policy, ask_at

EVERY_ARCHETYPE = [
    (game, archetype)
    for game in engine.game_ids()
    for archetype in (None, *sorted(engine.find(game).archetypes))
]


def writeable(seen):
    return [name for name, value in seen.items() if any(map(may_be_written, parts(value)))]


def parts(value):
    """Yield an array, its base, the base of its base, and so on."""
    while isinstance(value, np.ndarray) and value.ndim:
        yield value
        value = value.base


def may_be_written(array):
    return array.flags.writeable


@pytest.mark.parametrize(("name", "archetype"), EVERY_ARCHETYPE)
def test_observations_cannot_be_written_to(name, archetype):
    game = engine.make(name, archetype=archetype)
    play = Episode(game, 1)
    for _ in range(2):
        assert writeable(play.observations) == []
        assert writeable(play.observation(0)) == []
        if not play.done:
            play.step(play.allowed().sample(np.random.default_rng(0)))
    again = Episode.from_json(game, play.state_json())
    assert writeable(again.observation(0)) == []


def test_writing_is_refused_and_the_others_see_what_they_saw():
    play = Episode(engine.make("gem_mining", archetype="lab"), 1)
    play.step({"mine": [0, 1, 2, 3]})
    before = play.observation(1)["workers_at"].tolist()
    with pytest.raises(ValueError, match="read-only"):
        play.observation(0)["workers_at"][:] = -1
    assert play.observation(1)["workers_at"].tolist() == before


def test_an_observation_gives_no_access_to_the_game_or_its_state():
    game = engine.make("sanctions", archetype="lab")
    with pytest.raises(ValueError, match="cannot set WRITEABLE"):
        Episode(game, 1).observation(0)["baseline"].setflags(write=True)
    play = Episode(engine.make("commons_game", archetype="governed"), 1)
    play.step({"harvest": [1] * 4, "contribution": [1] * 4})
    with pytest.raises(ValueError, match="read-only"):
        play.observation(0)["pool"].base[...] = 1e6


def test_a_batch_is_read_only_too():
    game = engine.make("gem_mining", archetype="lab")
    state, seen = game.reset(np.arange(3))
    assert writeable(seen) == []
    actions = game.allowed(state).sample(np.random.default_rng(0))
    _, outcome = game.step(state, actions, game.draw_chance(np.arange(3), 0))
    assert writeable(outcome.observations) == []


def test_decisions_of_the_turn_are_read_only():
    play = Episode(engine.make("commons_game", agents={"timing": "sequential"}), 0)
    play.decide(0, {"harvest": 3, "contribution": 0})
    assert writeable(play.observation(1)) == []


class Vandal(Policy):
    """Policy that writes into its observations."""

    id, games, source = "vandal", ("gem_mining",), "ours"

    def act(self, observation, memory, rng):
        observation["workers_at"][:] = -1
        return {"mine": 0}, memory


def test_a_policy_that_writes_to_its_observation_fails_without_affecting_others():
    game = engine.make("gem_mining", archetype="lab")
    play = Episode(game, 1)
    answer = ask_at(play, Vandal.for_game(game), 0, {})
    assert "read-only" in str(answer.fault)
    assert play.observation(1)["workers_at"].tolist() == [0] * 6
