"""Adapters of games whose periods have two stages: a step is one stage."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test

from mixed_company import engine
from mixed_company.adapters.batch import Batch
from mixed_company.adapters.gymnasium import OneSeat
from mixed_company.adapters.pettingzoo import InTurn, Together

FORMS = ("flat", "named")


def game(name="sanctions", **changes):
    archetype = {"sanctions": "unsanctioned", "commons_game": "lab"}[name]
    return engine.make(name, archetype=archetype, peer="punishment", periods=4, **changes)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["sanctions", "commons_game"])
def test_checkers_of_the_libraries_pass(name, form):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # bounds and shapes that they only advise against
        parallel_api_test(Together(game(name), form=form), num_cycles=20)
        api_test(InTurn(game(name), form=form), num_cycles=20)
        check_env(OneSeat(game(name), others="random", form=form), skip_render_check=True)


@pytest.mark.parametrize("form", FORMS)
def test_a_period_is_two_steps_and_pays_at_the_second(form):
    env = Together(game(), form=form)
    env.reset(seed=3)
    rewards = []
    while env.agents:
        sent = {agent: env.action_space(agent).sample() for agent in env.agents}
        rewards.append(env.step(sent)[1])
    assert len(rewards) == 8
    assert not any(any(paid.values()) for paid in rewards[::2])
    assert all(any(paid.values()) for paid in rewards[1::2])


def test_points_that_may_not_be_assigned_are_left_out_of_a_learners_action():
    env = Together(game(peer_budget=4))
    env.reset(seed=3)
    highest = {
        agent: np.ones(env.action_space(agent).shape, dtype=np.float32) for agent in env.agents
    }
    env.step(highest)
    infos = env.step(highest)[4]
    points = [[infos[agent][f"used_assign_{seat}"] for seat in range(4)] for agent in infos]
    # the action asks for 10 for everyone; a seat may give 4 in total, and none to itself
    assert points == [[0, 4, 0, 0], [4, 0, 0, 0], [4, 0, 0, 0], [4, 0, 0, 0]]


def test_a_batch_pays_what_single_plays_pay():
    batch = Batch(game(), 3, seed=5)
    env = Together(game())
    batch.reset()
    generator = np.random.default_rng(4)
    seen, _ = env.reset(seed=5)
    first = []
    for _ in range(8):
        sent = generator.uniform(-1, 1, (12, 5)).astype(np.float32)
        moved = batch.step(sent)
        first.append(moved.rewards[:4].tolist())
        _, rewards, *_ = env.step(dict(zip(seen, sent[:4], strict=True)))
        assert list(rewards.values()) == pytest.approx(first[-1])
