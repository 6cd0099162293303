"""Tests of Gymnasium's vector environment: each environment plays as it would alone."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import ClipReward, RecordEpisodeStatistics

from mixed_company import engine
from mixed_company.adapters.batch import Batch
from mixed_company.adapters.gymnasium import OneSeat
from mixed_company.adapters.gymnasium_vector import SeatsVector
from mixed_company.adapters.registered import environment_id, vector_env
from mixed_company.engine.contract.chance import play_seeds
from mixed_company.engine.contract.errors import ActionError, ConfigError
from tests.adapters.plays import ARCHETYPES, lab, one_ends_early, rows, short

COMMONS = "mixed_company/commons_game-v1"


@pytest.mark.parametrize(("game_id", "archetype"), ARCHETYPES)
def test_every_environment_is_the_play_of_one_seat(game_id, archetype):
    game = short(game_id, archetype)
    envs = SeatsVector(game, 3, seats=[1], others="random")
    alone = [OneSeat(game, "random", seat=1) for _ in range(3)]
    seen, infos = envs.reset(seed=8)
    for number, env in enumerate(alone):
        assert np.array_equal(env.reset(seed=int(play_seeds(8, number)))[0], seen[number])
    random, over = np.random.default_rng(2), [False] * 3
    while not all(over):
        sent = rows(random, envs.batch.acts, infos.get("action_mask"), 3)
        seen, rewards, ended, cut, infos = envs.step(sent)
        assert envs.observation_space.contains(seen)
        assert not cut.any()
        for number, env in enumerate(alone):
            if over[number]:
                continue
            last, reward, over[number], _, info = env.step(sent[number])
            assert rewards[number] == pytest.approx(reward, rel=1e-6)
            assert ended[number] == over[number]
            if over[number]:
                assert np.array_equal(infos["final_obs"][number], last)
                continue
            assert np.array_equal(seen[number], last)
            if "action_mask" in info:
                assert np.array_equal(infos["action_mask"][number], info["action_mask"])


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_gymnasium_makes_it_by_id(game_id):
    envs = gymnasium.make_vec(
        environment_id(game_id),
        num_envs=4,
        vectorization_mode="vector_entry_point",
        archetype="lab",
    )
    assert isinstance(envs.unwrapped, SeatsVector)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    seen, _ = envs.reset(seed=1)
    assert seen.shape == (4, *envs.single_observation_space.shape)
    for _ in range(3):
        seen, *_ = envs.step(envs.action_space.sample())
        assert envs.observation_space.contains(seen)
    envs.close()


def test_all_seats_learn_unless_some_are_named():
    envs = vector_env("commons_game", plays=2, archetype="lab_0_7", reward="group")
    assert envs.num_envs == 8
    batch = Batch(lab(), 2, reward="group")
    assert np.array_equal(envs.reset(seed=3)[0], batch.reset(3))
    greed = np.tile(np.float32([1, -1]), (8, 1))
    assert np.array_equal(envs.step(greed)[1], batch.step(greed).rewards)
    some = vector_env("commons_game", plays=2, archetype="lab_0_7", seats=[0, 2], others="greedy")
    assert some.num_envs == 4


def test_a_play_that_ends_is_replaced_in_the_same_step():
    # 10 each from 100, 10 each from 60, 7.4 each from the rest: see the game's docstring
    envs = SeatsVector(lab(), 2, seed=1)
    envs.reset()
    greed = np.tile(np.float32([1, -1]), (8, 1))
    for _ in range(2):
        assert envs.step(greed)[-1] == {}
    seen, rewards, ended, _, infos = envs.step(greed)
    assert ended.all()
    assert infos["_final_obs"].all()
    assert rewards == pytest.approx(7.4)
    stock = envs.batch.seen.values["stock"]
    assert seen[:, stock] == pytest.approx(100)
    # all 29.6 are taken, and 0.4 * 29.6 * (1 - 0.296) are born
    assert np.stack(infos["final_obs"])[:, stock] == pytest.approx(8.335, abs=1e-3)


def test_a_seat_that_waits_for_the_end_is_done_in_every_period():
    envs = SeatsVector(one_ends_early(), 1)
    envs.reset(seed=1)
    ended = [envs.step(np.full((4, 2), -1, np.float32))[2].tolist() for _ in range(4)]
    waiting = [False, True, False, False]
    assert ended == [[False] * 4, waiting, waiting, [True] * 4]


def test_the_wrappers_of_gymnasium_work():
    envs = RecordEpisodeStatistics(ClipReward(SeatsVector(lab(periods=2), 2), max_reward=1))
    envs.reset(seed=1)
    for _ in range(2):
        infos = envs.step(np.ones((8, 2), np.float32))[-1]
    assert infos["episode"]["l"].tolist() == [2] * 8
    assert infos["episode"]["r"].tolist() == [2] * 8


def test_impossible_plays_are_refused():
    with pytest.raises(ConfigError, match="plays = 0"):
        SeatsVector(lab(), 0)
    for wrong in (-1, [1, 2]):
        with pytest.raises(ConfigError, match=r"seed = [-\[]1"):
            SeatsVector(lab(), 1).reset(seed=wrong)
    envs = gymnasium.make_vec(COMMONS, num_envs=2, archetype="lab_0_7")
    with pytest.raises(ActionError, match=r"shape \(2, 3\) should be \(2, 2\)"):
        envs.step(np.zeros((2, 3)))
