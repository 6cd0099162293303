"""Tests of the MOMAland adapter: vector rewards, and MOMAland's own interface test if installed."""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium import spaces

from mixed_company import engine
from mixed_company.adapters.momaland import ComponentVectors, gem_vectors
from mixed_company.adapters.pettingzoo import Together
from mixed_company.engine.contract.errors import ConfigError
from tests.adapters.plays import ARCHETYPES, lab, short


def sure(**parameters):
    """Return a game of two villages: mine 0 has gems of type 0, mine 1 of both, mine 2 of none."""
    instance = {"reach": [2, 2], "workers": [1, 1], "base_probabilities": [[1, 0], [1, 1], [0, 0]]}
    shape = {"seats": 2, "max_connectivity": 2, "truncation": 1.0, "periods": 2}
    return engine.make("gem_mining", instance=instance, **shape, **parameters)


def test_the_reward_is_the_number_of_gems_of_each_type_regardless_of_value():
    for weights in (None, [2.0, 0.0]):
        env = gem_vectors(sure(weights=weights))
        env.reset(seed=1)
        _, rewards, _, _, _ = env.step({"seat_0": 0, "seat_1": 1})
        assert rewards["seat_0"].tolist() == rewards["seat_1"].tolist() == [2, 1]
        _, rewards, ended, cut, _ = env.step({"seat_0": 0, "seat_1": 2})
        assert rewards["seat_0"].tolist() == [1, 0]
        assert (set(ended.values()), set(cut.values())) == ({True}, {False})
    assert env.objectives == ("gem_0", "gem_1")
    assert rewards["seat_0"].dtype == np.float32


def test_the_reward_space_has_the_declared_ranges():
    env = gem_vectors(sure())
    assert env.reward_space("seat_1") == spaces.Box(0, 3, (2,), np.float32)  # three mines
    assert env.reward_space("seat_1") is env.reward_spaces["seat_1"]


@pytest.mark.parametrize(("game_id", "archetype"), ARCHETYPES)
def test_the_vector_adds_up_to_the_points_of_the_same_play(game_id, archetype):
    game = short(game_id, archetype)
    vectors, points = ComponentVectors(game), Together(game)
    for env in (vectors, points):
        env.reset(seed=3)
        env.action_space("seat_0").seed(2)
    while points.agents:
        actions = {agent: points.action_space(agent).sample() for agent in points.agents}
        _, vector, *_ = vectors.step(actions)
        _, rewards, *_ = points.step(actions)
        for agent, reward in rewards.items():
            assert vectors.reward_space(agent).contains(vector[agent])
            assert float(vector[agent].sum()) == pytest.approx(reward, rel=1e-5, abs=1e-5)
    assert vectors.agents == []


def test_another_game_has_no_gems():
    with pytest.raises(ConfigError, match="game = 'commons_game': this game has no gems"):
        gem_vectors(lab())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("archetype", ["source", "momaland_42", "lab"])
def test_the_tests_of_momaland_pass(archetype):
    reason = "momaland has an environment of its own, see docs/developers/dependencies.md"
    pytest.importorskip("momaland", reason=reason, exc_type=ImportError)
    from momaland.test.api_test import api_test
    from momaland.utils.conversions import mo_parallel_to_aec
    from momaland.utils.env import MOParallelEnv

    env = gem_vectors(engine.make("gem_mining", archetype=archetype))
    assert isinstance(env, MOParallelEnv)
    api_test(mo_parallel_to_aec(env), num_cycles=50)
