"""Games and plays can be copied and pickled, and continue unchanged."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine.kit.layers import settings, with_layers
from mixed_company.engine.kit.plays import actions_for, equal

WAYS = {
    "pickled": lambda value: pickle.loads(pickle.dumps(value)),
    "copied": copy.copy,
    "deeply copied": copy.deepcopy,
}


def same_play(first, second):
    """Check that two games give the same first periods, bit for bit."""
    assert first is not second
    assert type(first) is type(second)
    assert first.config == second.config
    assert first.declaration == second.declaration
    seeds = np.arange(2)
    (state, seen), (other, other_seen) = first.reset(seeds), second.reset(seeds)
    assert equal(seen, other_seen)
    for period in range(min(3, first.horizon)):
        actions = actions_for(first, state, 1, period)
        state, outcome = first.step(state, actions, first.draw_chance(seeds, period))
        other, same = second.step(other, actions, second.draw_chance(seeds, period))
        assert equal(state, other)
        assert equal(outcome.observations, same.observations)
        assert np.array_equal(outcome.rewards, same.rewards)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", engine.game_ids())
def test_a_copy_of_every_game_plays_the_same_play(game, way):
    for archetype in ("custom", *sorted(engine.find(game).archetypes)):
        rules = engine.make(game, archetype=archetype)
        same_play(rules, WAYS[way](rules))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", engine.game_ids())
def test_a_copy_has_the_layers_and_the_settings_of_its_seats(game, way):
    rules = engine.make(game, agents={"may_leave": True})
    strengths = {name: {**layer, "intensity": 0.4} for name, layer in settings(rules).items()}
    layered = with_layers(rules, strengths)
    copied = WAYS[way](layered)
    assert [type(layer) for layer in copied.layers] == [type(layer) for layer in layered.layers]
    assert copied.presence.may_leave
    same_play(layered, copied)


@pytest.mark.parametrize("way", ["pickled", "deeply copied"])
def test_a_copy_of_a_play_continues_independently(way):
    play = engine.Episode(engine.make("commons_game", archetype="noisy_stock"), seed=3)
    play.step({"harvest": [2, 2, 2, 2], "contribution": [0, 0, 0, 0]})
    kept = play.state_json()
    copied = WAYS[way](play)
    assert copied.state_json() == kept
    later = {"harvest": [1, 2, 3, 4], "contribution": [0, 0, 0, 0]}
    period = copied.step(later)
    assert play.state_json() == kept
    assert play.step(later).to_json() == period.to_json()
