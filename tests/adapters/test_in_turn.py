"""Tests of seats that decide in turn: later seats see earlier decisions if the adapter can show
them.
"""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import policies
from mixed_company.adapters.batch import Batch
from mixed_company.adapters.gymnasium import OneSeat
from mixed_company.adapters.pettingzoo import InTurn, Together
from mixed_company.engine.contract.errors import ConfigError
from tests.adapters.plays import lab


def in_turn(**parameters):
    """Return a game in which seat 2 decides first, then 0, 3 and 1."""
    return lab(agents={"timing": "sequential", "order": [2, 0, 3, 1]}, **parameters)


def taking(harvest):
    return {"harvest": float(harvest), "contribution": 0.0}


def test_agents_act_in_the_order_of_the_game_and_see_earlier_decisions():
    env = InTurn(in_turn(periods=2), "named")
    env.reset(seed=1)
    for seat, before in ((2, {}), (0, {2: 2}), (3, {2: 2, 0: 0}), (1, {2: 2, 0: 0, 3: 3})):
        assert env.agent_selection == f"seat_{seat}"
        seen = env.last()[0]
        assert env.observation_space("seat_0").contains(seen)
        seats_before = np.flatnonzero(seen["shown_earlier_harvest"]).tolist()
        assert {place: seen["earlier_harvest"][place] for place in seats_before} == before
        env.step(taking(seat))
    assert env.agent_selection == "seat_2"
    assert [env.rewards[agent] for agent in env.possible_agents] == [0, 1, 2, 3]
    for agent in ("seat_2", "seat_0", "seat_3", "seat_1"):
        assert env.agent_selection == agent
        env.step(taking(1))
    assert all(env.terminations.values())
    while env.agents:
        env.step(None)


class Follower(policies.Policy):
    """Policy that takes one more than the previous seat, or 5 if it decides first."""

    id, games, source = "follower", ("commons_game",), "test"

    def act(self, observation, memory, rng):
        earlier = observation["earlier_harvest"]
        harvests = earlier[~np.isnan(earlier)]
        return taking(harvests.max() + 1 if len(harvests) else 5), memory


def test_policies_before_and_after_the_learner_decide_in_their_turn():
    env = OneSeat(in_turn(periods=2), "greedy", seat=0, form="named")
    for seat in env.policies:
        env.policies[seat] = Follower(env.game.core)
    seen, _ = env.reset(seed=1)
    for ended in (False, True):
        assert seen["earlier_harvest"].tolist() == [0, 0, 5, 0]
        assert seen["shown_earlier_harvest"].tolist() == [0, 0, 1, 0]
        seen, reward, over, _, info = env.step(taking(7))
        assert (reward, over, info["faults"]) == (7, ended, 0)
        assert seen["harvest"].tolist() == [7, 9, 5, 8]  # seat 3 after 7, seat 1 after that


@pytest.mark.parametrize("kind", [Together, lambda game: Batch(game, plays=2)])
def test_adapters_for_simultaneous_decisions_refuse_a_game_in_turns(kind):
    with pytest.raises(ConfigError, match=r"agents.timing = 'sequential': all seats decide"):
        kind(in_turn())
