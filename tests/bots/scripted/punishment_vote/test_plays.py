"""Whole plays: the points of policies and their effects on each other."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine.contract.chance import generator
from mixed_company.policies import make
from mixed_company.policies.policy import ask
from tests.bots.contract import HARD, named
from tests.bots.written import written

PLAYS = 4


@cache
def played(archetype: str, *specs: str) -> dict[str, Any]:
    """Return means over plays: points, collected resources and votes of each seat, and the
    level.
    """
    game = engine.make("punishment_vote", archetype=archetype, seats=len(specs))
    points, taken, votes, levels = [], [], [], []
    for seed in range(PLAYS):
        episode = engine.Episode(game, seed)
        policies = [make(spec, game) for spec in specs]
        notes = [policy.start() for policy in policies]
        while not episode.done:
            actions = []
            for seat, policy in enumerate(policies):
                rng = generator(seed, seat, episode.period)
                action, notes[seat] = policy.act(episode.observation(seat), notes[seat], rng)
                actions.append(action["action"])
            points.append(episode.step({"action": actions}).rewards)
            state = episode.state_record()
            taken.append(np.eye(1 + len(game.core.resources))[state["collected"]])
            votes.append(np.abs(state["vote"]))
            levels.append(state["level"])
    return {
        "points": np.sum(points, axis=0) / PLAYS,
        "taken": np.sum(taken, axis=0) / PLAYS,
        "votes": np.sum(votes, axis=0) / PLAYS,
        "level": np.mean(levels),
    }


def earned(archetype: str, *specs: str) -> float:
    return float(played(archetype, *specs)["points"].mean())


@pytest.mark.few(1)
@pytest.mark.parametrize(("archetype", "seats"), [("source", 3), ("lab_0_7", 4)])
def test_foragers_earn_far_more_than_random_seats(archetype, seats):
    assert earned(archetype, *["forager"] * seats) > 10 + earned(archetype, *["random"] * seats)


@pytest.mark.long
def test_in_the_lab_the_harm_averse_leave_b_and_together_outearn_foragers():
    averse, foragers = (played("lab_0_7", *[name] * 4) for name in ("harm_averse", "forager"))
    assert averse["points"].mean() > 5 + foragers["points"].mean()
    assert averse["taken"][:, 2].mean() < 0.2 * foragers["taken"][:, 2].mean()


@pytest.mark.long
def test_in_the_lab_one_law_and_order_seat_deters_foragers_from_b():
    before = played("lab_0_7", *["forager"] * 4)
    after = played("lab_0_7", "law_and_order", *["forager"] * 3)
    assert after["taken"][1:, 2].mean() < 0.5 * before["taken"][1:, 2].mean()
    assert after["level"] > 0.7
    # 0.1 + 4 * 0.2 = 0.9.
    assert after["votes"].tolist() == [4, 0, 0, 0]


@pytest.mark.long
def test_libertarians_abolish_punishment_with_a_vote_or_two_each():
    play = played("source", *["libertarian"] * 3)
    assert play["level"] < 0.01
    assert play["points"].mean() > 1.5 * earned("source", *["forager"] * 3)


@pytest.mark.long
def test_planners_earn_more_than_the_foragers_among_them():
    mixed = [
        played("lab_0_7", *order)
        for order in (["planner", "forager"] * 2, ["forager", "planner"] * 2)
    ]
    planners = mixed[0]["points"][[0, 2]].mean() + mixed[1]["points"][[1, 3]].mean()
    foragers = mixed[0]["points"][[1, 3]].mean() + mixed[1]["points"][[0, 2]].mean()
    assert planners > foragers


def test_a_dispute_over_the_level_does_not_keep_them_from_foraging():
    play = played("lab_0_7", "law_and_order", "libertarian", "forager", "harm_averse")
    assert play["taken"][:2, 1:].sum(axis=1).min() > 3


BLIND = {**HARD["punishment_vote"], "seven seats, no window": {"seats": 7, "turns": 6, "vision": 0}}


@pytest.mark.few(2)
@pytest.mark.parametrize("policy_id", written("punishment_vote"))
def test_they_play_without_a_window_in_hard_settings(policy_id):
    for name, setting in BLIND.items():
        with named(name):
            plays_blindfolded(policy_id, setting)


def plays_blindfolded(policy_id, setting):
    blind = {"roles": {"member": {"sees": []}}}
    core = {"actions": "composite", "map_memory": True, "vision": 1, **setting}
    game = engine.make("punishment_vote", agents=blind, **core)
    episode = engine.Episode(game, 1)
    policies = [make(policy_id, game) for _ in range(game.seats)]
    notes = [policy.start() for policy in policies]
    while not episode.done:
        actions = []
        for seat, policy in enumerate(policies):
            rng = generator(1, seat, episode.period)
            allowed, seen = episode.allowed(seat), episode.observation(seat)
            answer = ask(policy, allowed, seen, notes[seat], rng, np.inf)
            assert answer.fault is None
            notes[seat] = answer.memory
            actions.append(answer.action["action"])
        episode.step({"action": actions})
