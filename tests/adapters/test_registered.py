"""Tests of creating environments by id: registration with Gymnasium, and the PettingZoo
functions."""

from __future__ import annotations

import inspect
import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test

from mixed_company import engine
from mixed_company.adapters.gymnasium import OneSeat
from mixed_company.adapters.registered import (
    NAMESPACE,
    aec_env,
    environment_id,
    one_seat,
    parallel_env,
)
from mixed_company.adapters.spaces import FlatForm, NamedForm
from mixed_company.engine.contract.errors import ConfigError, UnknownName

COMMONS = "mixed_company/commons_game-v1"


def test_gymnasium_knows_every_game_and_no_other():
    ids = {name for name in gymnasium.registry if name.startswith(f"{NAMESPACE}/")}
    assert ids == {environment_id(game_id) for game_id in engine.game_ids()}
    assert COMMONS in ids


@pytest.mark.filterwarnings("ignore:.*WARN")
@pytest.mark.parametrize("game_id", engine.game_ids())
def test_every_game_is_played_by_its_id(game_id):
    env = gymnasium.make(environment_id(game_id), archetype=engine.find(game_id).reference)
    assert isinstance(env.unwrapped, OneSeat)
    assert env.unwrapped.game.id == game_id
    check_env(env.unwrapped)
    env.close()


def test_an_id_gives_the_same_play_as_the_class():
    same = {"others": "sustainable,greedy", "seat": 1}
    env = gymnasium.make(COMMONS, archetype="lab_0_7", capacity=50, **same)
    game = engine.make("commons_game", archetype="lab_0_7", capacity=50)
    other = OneSeat(game, **same)
    assert env.unwrapped.game.config == game.config
    assert np.array_equal(env.reset(seed=5)[0], other.reset(seed=5)[0])
    action = env.action_space.sample()
    first, second = env.step(action), other.step(action)
    assert np.array_equal(first[0], second[0])
    assert first[1:4] == second[1:4]


def test_without_named_policies_the_others_are_random():
    env = gymnasium.make(COMMONS, archetype="lab_0_7")
    assert [policy.id for policy in env.unwrapped.policies.values()] == ["random"] * 3
    alone = gymnasium.make(COMMONS, archetype="lab_0_7", seats=1, others="")
    assert alone.unwrapped.policies == {}


@pytest.mark.parametrize("environment", [one_seat, parallel_env, aec_env])
def test_no_environment_parameter_hides_a_game_parameter(environment):
    environment_parameters = set(inspect.signature(environment).parameters) - {"parameters"}
    for game_id in engine.game_ids():
        assert environment_parameters.isdisjoint(engine.find(game_id).Core.model_fields), game_id


@pytest.mark.parametrize("environment", [parallel_env, one_seat])
def test_spaces_are_flat_or_named(environment):
    assert isinstance(environment("commons_game", spaces="named").play.form, NamedForm)
    assert isinstance(environment("commons_game").play.form, FlatForm)


def test_an_environment_made_by_id_can_be_stored_as_a_string_and_rebuilt():
    env = gymnasium.make(COMMONS, archetype="lab_0_7", others="greedy")
    again = gymnasium.make(EnvSpec.from_json(env.spec.to_json()))
    assert again.unwrapped.game.config == env.unwrapped.game.config


@pytest.mark.filterwarnings("ignore:.*WARN")
def test_several_environments_can_be_made_by_one_id():
    envs = gymnasium.make_vec(COMMONS, num_envs=2, vectorization_mode="sync", archetype="lab_0_7")
    observations, _ = envs.reset(seed=[1, 2])
    assert observations.shape == (2, *envs.single_observation_space.shape)
    envs.close()


def test_a_wrong_parameter_is_refused_by_name():
    with pytest.raises(ConfigError, match="capacity"):
        gymnasium.make(COMMONS, capacity=-1)
    with pytest.raises(UnknownName, match="archetype"):
        gymnasium.make(COMMONS, archetype="labb")
    with pytest.raises(UnknownName, match="commons_game"):
        parallel_env("common_game")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("game_id", engine.game_ids())
def test_pettingzoo_environments_by_id_pass_its_tests(game_id):
    together, in_turn = (
        parallel_env(game_id, archetype=engine.find(game_id).reference),
        aec_env(game_id, archetype=engine.find(game_id).reference),
    )
    assert together.game.config == in_turn.game.config
    parallel_api_test(together, num_cycles=20)
    api_test(in_turn, num_cycles=20)


@pytest.mark.long
def test_an_id_can_name_the_module_that_registers_it():
    code = (
        "import gymnasium; "
        f"print(gymnasium.make('mixed_company.adapters.registered:{COMMONS}').spec.id)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == COMMONS, done.stderr
