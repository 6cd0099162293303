"""Tests of the vectorised environment for Stable-Baselines3."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("stable_baselines3", reason="needs the `training` extra", exc_type=ImportError)

from stable_baselines3 import PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

from mixed_company import engine
from mixed_company.adapters.batch import Batch
from mixed_company.adapters.gymnasium import OneSeat
from mixed_company.adapters.vector import SeatsVecEnv
from mixed_company.engine.contract.errors import ActionError
from tests.adapters.plays import ARCHETYPES, lab, rows, short


@pytest.mark.parametrize(("game_id", "archetype"), ARCHETYPES)
def test_it_returns_the_values_of_the_batch_in_its_spaces(game_id, archetype):
    game = short(game_id, archetype)
    envs, batch = SeatsVecEnv(game, 3, seed=5), Batch(game, 3, seed=5)
    assert np.array_equal(envs.reset(), batch.observations)
    random = np.random.default_rng(1)
    for _ in range(2 * game.horizon + 1):
        masks = envs.action_masks() if batch.acts.choices else None
        sent = rows(random, batch.acts, masks, envs.num_envs)
        assert all(envs.action_space.contains(action) for action in sent)
        moved, (seen, rewards, dones, infos) = batch.step(sent), envs.step(sent)
        assert np.array_equal(seen, moved.observations)
        assert np.array_equal(rewards, moved.rewards)
        assert np.array_equal(dones, moved.dones)
        assert all(envs.observation_space.contains(row) for row in seen)
        assert [bool(info) for info in infos] == dones.tolist()
    assert (rewards.dtype, seen.dtype, dones.dtype) == (np.float32, np.float32, np.bool_)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("form", ["flat", "named"])
@pytest.mark.parametrize(("game_id", "archetype"), ARCHETYPES)
def test_the_check_of_stable_baselines3_passes_on_one_seat(game_id, archetype, form):
    check_env(OneSeat(short(game_id, archetype), "random", form=form))


@pytest.mark.parametrize("reveal", [(), ("seed", "components")])
def test_the_info_of_a_finished_environment_says_what_happened(reveal):
    envs = SeatsVecEnv(lab(), plays=2, reveal=reveal, seed=1)
    envs.reset()
    for _ in range(3):
        _, _, dones, infos = envs.step(np.tile(np.float32([1, -1]), (8, 1)))
    assert dones.all()
    info = infos[5]
    assert info["TimeLimit.truncated"] is False
    assert info["terminal_observation"][1] == 1  # seat 1 of play 1
    episode = info["episode"]
    assert episode["r"] == pytest.approx(27.4)
    assert (episode["l"], episode["reason"], episode["illegal"]) == (3, "collapse", 0)
    assert episode["t"] >= 0
    assert {"seed", "components"} & episode.keys() == set(reveal)
    if not reveal:
        return
    assert episode["components"] == pytest.approx({"harvest": 27.4, "contribution": 0})
    assert engine.Episode(envs.batch.game, episode["seed"]).seed == episode["seed"]


def test_a_seed_gives_the_same_plays_after_the_next_reset():
    envs = SeatsVecEnv(engine.make("commons_game", archetype="noisy_stock"), plays=3, seed=2)
    first, second = envs.reset(), envs.reset()
    assert not np.array_equal(first, second)
    envs.seed(2)
    assert np.array_equal(envs.reset(), first)
    envs.seed(None)
    assert np.array_equal(envs.reset(), second)


def test_maskable_ppo_finds_the_masks():
    envs = SeatsVecEnv(engine.make("gem_mining", archetype="momaland_42"), plays=1)
    assert envs.has_attr("action_masks")
    masks = np.stack(envs.env_method("action_masks"))
    assert np.flatnonzero(masks[1]).tolist() == [1, 2, 3]
    assert not SeatsVecEnv(lab(), plays=1).has_attr("action_masks")
    with pytest.raises(AttributeError, match="only action_masks"):
        envs.env_method("render")


def test_shared_infos_are_read_only():
    envs = SeatsVecEnv(lab(), plays=1)
    envs.reset()
    infos = envs.step(np.zeros((4, 2)))[3]
    with pytest.raises(TypeError):
        infos[0]["mine"] = 1


def test_a_wrong_action_is_refused():
    envs = SeatsVecEnv(lab(), plays=1)
    envs.reset()
    with pytest.raises(ActionError, match=r"shape \(4, 3\) should be \(4, 2\)"):
        envs.step(np.zeros((4, 3)))
    with pytest.raises(ActionError, match="row 3: contribution = nan"):
        envs.step(np.array([[0, 0], [0, 0], [0, 0], [0, np.nan]]))


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_ppo_learns_on_every_game(game_id):
    envs = SeatsVecEnv(engine.make(game_id, archetype="lab"), plays=4, reward="group")
    model = PPO("MlpPolicy", envs, n_steps=4, batch_size=64, n_epochs=1, seed=0, device="cpu")
    before = model.policy.state_dict()["mlp_extractor.policy_net.0.weight"].clone()
    model.learn(2 * 4 * envs.num_envs)
    after = model.policy.state_dict()["mlp_extractor.policy_net.0.weight"]
    assert not np.array_equal(before.numpy(), after.numpy())


def test_ppo_finds_that_taking_more_pays_when_the_stock_is_rich():
    # there are only two periods and no later one to save for, so it is best to take 10 in both
    envs = SeatsVecEnv(lab(periods=2), plays=64, seed=0)
    settings = {"n_steps": 2, "batch_size": 512, "n_epochs": 10, "learning_rate": 3e-3}
    model = PPO("MlpPolicy", envs, seed=0, device="cpu", **settings)
    before, _ = evaluate_policy(model, envs, n_eval_episodes=64)
    model.learn(40 * 512)
    after, _ = evaluate_policy(model, envs, n_eval_episodes=64)
    assert before < 15 < 19 < after <= 20
    assert envs.env_is_wrapped(Monitor) == [True] * 256


def test_maskable_ppo_makes_only_open_choices():
    contrib = pytest.importorskip(
        "sb3_contrib", reason="needs the `training` extra", exc_type=ImportError
    )
    envs = SeatsVecEnv(engine.make("gem_mining", archetype="lab"), plays=4)
    model = contrib.MaskablePPO("MlpPolicy", envs, n_steps=20, batch_size=80, n_epochs=1, seed=0)
    model.learn(640)
    assert len(model.ep_info_buffer) == 32
    assert sum(info["illegal"] for info in model.ep_info_buffer) == 0


def test_the_wrappers_of_the_library_work():
    inside = SeatsVecEnv(lab(periods=2), plays=2, seed=1)
    envs = VecMonitor(VecNormalize(inside))
    envs.reset()
    for _ in range(2):
        seen, _, dones, infos = envs.step(np.full((8, 2), -0.5, np.float32))
    assert dones.all()
    assert np.abs(infos[0]["terminal_observation"]).max() <= 10  # normalised like observations
    assert np.abs(seen).max() <= 10
    assert infos[0]["episode"]["l"] == 2
