"""Tests of the Gymnasium adapter: Gymnasium's checker, plays with policies, and errors."""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from mixed_company import engine
from mixed_company.adapters.gymnasium import OneSeat
from mixed_company.engine.contract.errors import ActionError, ConfigError, UnknownName
from mixed_company.policies import Policy, ask_at, ids, make
from tests.adapters.plays import ARCHETYPES, lab, short

FORMS = ("flat", "named")


def two_of(game_id):
    return ",".join(["random", *ids(game_id)][:2])


@pytest.mark.filterwarnings("ignore:.*WARN")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("game_id", "archetype"), ARCHETYPES)
def test_the_check_of_gymnasium_passes(game_id, archetype, form):
    check_env(OneSeat(short(game_id, archetype), two_of(game_id), seat=1, form=form))


def played(env, seed):
    """Play to the end, and return all observations, rewards, end flags and infos."""
    env.action_space.seed(4)
    results = [env.reset(seed=seed)]
    while len(results) == 1 or not results[-1][2]:
        mask = results[-1][-1].get("action_mask")
        results.append(env.step(env.action_space.sample(mask)))
    return results


@pytest.mark.parametrize(("game_id", "archetype"), ARCHETYPES)
def test_the_same_seed_is_the_same_play(game_id, archetype):
    env = OneSeat(short(game_id, archetype), two_of(game_id))
    first, second = played(env, 8), played(env, 8)
    assert len(first) == len(second)
    for step, other_step in zip(first, second, strict=True):
        assert np.array_equal(step[0], other_step[0])
        assert step[1:-1] == other_step[1:-1]
        assert repr(step[-1]) == repr(other_step[-1])


@pytest.mark.parametrize(("game_id", "archetype"), ARCHETYPES)
def test_the_others_act_as_they_would_on_the_server(game_id, archetype):
    game = short(game_id, archetype)
    names = [name for name in ids(game_id) if "_ppo_" not in name][:2]  # policies for any group
    env, play = OneSeat(game, ",".join(names), form="named"), engine.Episode(game, seed=8)
    policies = {seat: make(names[(seat - 1) % 2], game) for seat in range(1, game.seats)}
    memories = {seat: policy.start() for seat, policy in policies.items()}
    for _, reward, ended, cut, info in played(env, 8)[1:]:
        actions = [{f.name: info[f"used_{f.name}"] for f in game.declaration.actions}]
        for seat, policy in policies.items():
            answer = ask_at(play, policy, seat, memories[seat])
            memories[seat] = answer.memory
            actions.append(answer.action)
        step = play.step({name: [action[name] for action in actions] for name in actions[0]})
        assert reward == step.rewards[0]
        assert (ended, cut) == (step.done, False)
        assert info["faults"] == 0


def test_one_learner_among_greedy_seats_earns_the_same():
    # sums from the game's docstring: 10 + 10 + 7.4, then the stock has collapsed
    env = OneSeat(lab(), "greedy", seat=2)
    env.reset(seed=1)
    earned = []
    for _ in range(3):
        _, reward, ended, cut, info = env.step(np.array([1.0, 0.0], np.float32))
        earned.append(reward)
    assert earned == pytest.approx([10, 10, 7.4])
    assert (ended, cut, env.game.reasons[info["reason"] - 1]) == (True, False, "collapse")
    with pytest.raises(ActionError, match="the play is over; call reset"):
        env.step(np.zeros(2))


def test_policies_fill_the_other_seats_in_turn():
    env = OneSeat(lab(), "sustainable, greedy", seat=1)
    assert {seat: policy.id for seat, policy in env.policies.items()} == {
        0: "sustainable",
        2: "greedy",
        3: "sustainable",
    }


def test_a_policy_can_have_parameters():
    env = OneSeat(lab(), "fixed:harvest=3")
    env.reset(seed=1)
    env.step(np.array([-1.0, -1.0]))
    assert env.play.episode.observation(0)["harvest"].tolist() == [0, 3, 3, 3]


class Broken(Policy):
    """Policy that raises an error."""

    id, games, source = "broken", ("commons_game",), "test"

    def act(self, observation, memory, rng):
        raise ValueError("no idea")


def test_a_failing_policy_plays_the_default_and_is_reported():
    env = OneSeat(lab(), "greedy")
    env.policies[2] = Broken(env.game.core)
    env.reset(seed=1)
    *_, info = env.step(np.array([-1.0, -1.0]))
    assert info["faults"] == 1
    assert env.faults == {2: "ValueError: no idea"}
    assert env.play.episode.observation(0)["harvest"].tolist() == [0, 10, 0, 10]


def test_masks_for_maskable_ppo():
    env = OneSeat(engine.make("gem_mining", archetype="momaland_42"), "random", seat=1)
    env.reset(seed=1)
    assert np.flatnonzero(env.action_masks()).tolist() == [1, 2, 3]
    assert env.action_masks().dtype == bool
    env = OneSeat(lab(), "greedy")
    env.reset(seed=1)
    with pytest.raises(ConfigError, match="commons_game: its action is not a single choice"):
        env.action_masks()


@pytest.mark.parametrize(
    ("others", "seat", "error", "message"),
    [
        ("gredy", 0, UnknownName, "policy 'gredy': unknown in commons_game; did you mean 'greedy'"),
        ("fixed:harvst=3", 0, ConfigError, "parameter 'harvst': unknown"),
        ("", 0, ConfigError, r"seats \[1, 2, 3\] need policies"),
        ("greedy", 4, ConfigError, r"seat 4: should be from 0 to 3"),
        ("greedy", -1, ConfigError, r"seat -1: should be from 0 to 3"),
    ],
)
def test_impossible_settings_are_refused(others, seat, error, message):
    with pytest.raises(error, match=message):
        OneSeat(lab(), others, seat)


def test_a_game_of_one_seat_needs_no_policies():
    env = OneSeat(lab(seats=1))
    env.reset(seed=1)
    assert env.step(np.array([1.0, 0.0]))[1] == 10
    with pytest.raises(ConfigError, match="no seat is left for a policy"):
        OneSeat(lab(seats=1), "greedy")
