"""Tests of the PettingZoo adapter: PettingZoo's own tests, the same numbers as an Episode, seats
that end, and errors.
"""

from __future__ import annotations

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from mixed_company import engine
from mixed_company.adapters.pettingzoo import InTurn, Together
from mixed_company.engine.contract.chance import play_seeds
from mixed_company.engine.contract.errors import ActionError, ConfigError
from tests.adapters.plays import ARCHETYPES, lab, one_ends_early, short

FORMS = ("flat", "named")
ADVICE = (
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably",
    "ignore:Action space for each agent probably",
    "ignore:Agent's maximum (observation|action) space value is infinity",
    "ignore:Agent's minimum observation space value is -infinity",
    "ignore:Agent's maximum and minimum (observation|action) space values are equal",
    "ignore:The old environment creation API",
)
"""PettingZoo warnings about unusual spaces that our games use; all others are errors."""


@pytest.mark.few(7)
@pytest.mark.filterwarnings("error", *ADVICE)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("game_id", "archetype"), ARCHETYPES)
def test_the_tests_of_pettingzoo_pass(game_id, archetype, form):
    game = short(game_id, archetype)
    parallel_api_test(Together(game, form), num_cycles=20)
    api_test(InTurn(game, form), num_cycles=20)
    parallel_seed_test(lambda: Together(game, form), num_cycles=20)
    seed_test(lambda: InTurn(game, form), num_cycles=20)


def sampled(env, infos):
    """Return random allowed actions of all agents."""
    return {
        agent: env.action_space(agent).sample(infos[agent].get("action_mask"))
        for agent in env.agents
    }


@pytest.mark.parametrize(("game_id", "archetype"), ARCHETYPES)
def test_a_play_has_the_numbers_of_an_episode(game_id, archetype):
    game = short(game_id, archetype)
    env = Together(game, "named", ["components"])
    play = engine.Episode(game, seed=11)
    env.action_space("seat_0").seed(3)
    _, infos = env.reset(seed=11)
    while env.agents:
        agents = list(env.agents)
        seen, rewards, ended, cut, infos = env.step(sampled(env, infos))
        step = play.step(
            {
                field.name: [infos[agent][f"used_{field.name}"] for agent in agents]
                for field in game.declaration.actions
            }
        )
        assert list(rewards.values()) == step.rewards.tolist()
        for seat, agent in enumerate(agents):
            for name, part in step.components.items():
                assert infos[agent][f"component_{name}"] == part[seat]
            for name, value in play.observation(seat).items():
                assert np.array_equal(seen[agent][name], np.atleast_1d(np.nan_to_num(value)))
            assert infos[agent]["reason"] == (
                1 + game.reasons.index(step.reason) if step.done else 0
            )
        assert set(ended.values()) == {step.done}
        assert set(cut.values()) == {False}
        assert {info["illegal_action"] for info in infos.values()} == {0}
    assert play.done


@pytest.mark.parametrize(("game_id", "archetype"), ARCHETYPES)
def test_in_turn_is_the_same_play_as_together(game_id, archetype):
    game = short(game_id, archetype)
    together, in_turn = Together(game), InTurn(game)
    together.action_space("seat_0").seed(3)
    _, infos = together.reset(seed=11)
    in_turn.reset(seed=11)
    while together.agents:
        actions = sampled(together, infos)
        seen, rewards, ended, _, infos = together.step(actions)
        for agent, action in actions.items():
            assert in_turn.agent_selection == agent
            in_turn.step(action)
        assert in_turn.rewards == rewards
        assert in_turn.terminations == ended
        assert all(np.array_equal(in_turn.observe(agent), seen[agent]) for agent in seen)
    while in_turn.agents:
        assert in_turn.last()[2:4] == (True, False)
        in_turn.step(None)


def test_greed_ends_in_the_third_period_with_27_points_each():
    # 10 each from 100, 10 each from 60, 7.4 each from the rest: see the game's docstring
    env = Together(lab(), reveal=["components"])
    env.reset(seed=1)
    greed = {agent: np.array([1.0, 1.0], np.float32) for agent in env.agents}
    earned = []
    while env.agents:
        _, rewards, ended, cut, infos = env.step(greed)
        earned.append(rewards["seat_2"])
    assert earned == pytest.approx([10, 10, 7.4])
    assert set(ended.values()) == {True}
    assert set(cut.values()) == {False}
    assert infos["seat_0"] == {
        "used_harvest": 10,
        "used_contribution": 0,
        "illegal_action": 0,
        "reason": 1 + env.game.reasons.index("collapse"),
        "result": -1,
        "component_harvest": pytest.approx(7.4),
        "component_contribution": 0,
    }


def test_a_play_ends_at_its_horizon_terminated_and_not_truncated():
    env = Together(lab(periods=2))
    env.reset(seed=1)
    nothing = {agent: np.array([-1.0, -1.0]) for agent in env.agents}
    assert set(env.step(nothing)[2].values()) == {False}
    _, _, ended, cut, infos = env.step(nothing)
    assert (set(ended.values()), set(cut.values())) == ({True}, {False})
    assert env.game.reasons[infos["seat_0"]["reason"] - 1] == "horizon"
    assert infos["seat_0"]["result"] == 0
    assert env.agents == []


def test_a_step_of_nobody_after_the_end_returns_nothing():
    """Wrappers such as SuperSuit's black_death take this step for agents that have ended."""
    env = Together(lab(periods=1))
    with pytest.raises(ActionError, match="call reset"):
        env.step({})
    env.reset(seed=1)
    env.step({agent: np.array([-1.0, -1.0]) for agent in env.agents})
    assert env.step({}) == ({}, {}, {}, {}, {})
    with pytest.raises(ActionError, match="call reset"):
        env.step({"seat_0": np.array([-1.0, -1.0])})


def test_an_agent_that_has_ended_is_removed_and_the_others_play_on():
    env = Together(one_ends_early())
    env.reset(seed=1)
    still = np.array([-1.0, -1.0])
    for period in range(4):
        _, _, ended, _, _ = env.step(dict.fromkeys(env.agents, still))
        assert ended == {
            agent: period == 3 or agent == "seat_1"
            for agent in ("seat_0", "seat_1", "seat_2", "seat_3")
            if agent != "seat_1" or period < 2
        } or (period == 0 and not any(ended.values()))
        left = [] if period == 3 else ["seat_0", "seat_2", "seat_3"]
        assert env.agents == (env.possible_agents if period == 0 else left)


def test_an_agent_that_has_ended_is_removed_in_turn_too():
    env = InTurn(one_ends_early())
    env.reset(seed=1)
    acted = []
    for agent in env.agent_iter():
        _, _, ended, _, _ = env.last()
        acted.append(f"{agent}{' ended' if ended else ''}")
        env.step(None if ended else np.array([-1.0, -1.0]))
    everyone, rest = ["seat_0", "seat_1", "seat_2", "seat_3"], ["seat_0", "seat_2", "seat_3"]
    closing = [f"{agent} ended" for agent in rest]
    assert acted == [*everyone, *everyone, "seat_1 ended", *rest, *rest, *closing]


def test_the_first_play_has_the_seed_and_further_ones_follow_from_it():
    env = Together(lab(), reveal=["seed"])
    seeds = [
        env.reset(seed=5)[1]["seat_0"]["seed"],
        *(env.reset()[1]["seat_0"]["seed"] for _ in "ab"),
    ]
    assert seeds == [5, *play_seeds(5, np.array([1, 2])).tolist()]
    assert env.reset(seed=5)[1]["seat_0"]["seed"] == 5


def test_without_a_seed_the_seed_of_the_configuration_is_used():
    env = Together(lab(seed=9), reveal=["seed"])
    assert env.reset()[1]["seat_3"]["seed"] == 9


def test_an_illegal_choice_is_reported():
    env = Together(engine.make("gem_mining", archetype="momaland_42"))
    _, infos = env.reset(seed=1)
    assert np.flatnonzero(infos["seat_1"]["action_mask"]).tolist() == [1, 2, 3]
    first = {agent: seat for seat, agent in enumerate(env.agents)}
    _, _, _, _, infos = env.step(first | {"seat_1": 20})
    assert infos["seat_1"]["illegal_action"] == 1
    assert infos["seat_1"]["used_mine"] == 1
    assert infos["seat_2"]["illegal_action"] == 0


def test_a_refused_call_changes_nothing():
    env = Together(lab())
    before, _ = env.reset(seed=1)
    fine = dict.fromkeys(env.agents, np.array([0.0, 0.0]))
    missing = {agent: fine[agent] for agent in ("seat_0", "seat_1", "seat_3")}
    for wrong, message in (
        (missing, "agent 'seat_2': its action is missing"),
        (fine | {"seat_9": fine["seat_0"]}, "agent 'seat_9': not in `agents`; did you mean"),
        (fine | {"seat_2": np.array([0.0, np.nan])}, "seat 2: contribution = nan: must be"),
        (fine | {"seat_2": np.zeros(3)}, r"seat 2: action: shape \(3,\) should be \(2,\)"),
    ):
        with pytest.raises(ActionError, match=message):
            env.step(wrong)
        assert np.array_equal(env.play.observation(0), before["seat_0"])


def test_in_turn_a_wrong_action_is_refused_when_it_is_sent():
    env = InTurn(lab())
    env.reset(seed=1)
    env.step([0.0, 0.0])
    with pytest.raises(ActionError, match="seat 1: harvest = nan"):
        env.step([np.nan, 0.0])
    assert env.agent_selection == "seat_1"
    env.step([0.0, 0.0])
    assert env.agent_selection == "seat_2"


@pytest.mark.parametrize("kind", [Together, InTurn])
def test_nothing_is_done_before_a_reset_or_after_the_end(kind):
    env = kind(lab())
    with pytest.raises(ActionError, match="call reset"):
        env.step({})
    with pytest.raises(ConfigError, match="seed = -1"):
        env.reset(seed=-1)


def test_an_unknown_form_is_refused():
    with pytest.raises(ConfigError, match="form = 'box'"):
        Together(lab(), "box")


@pytest.mark.parametrize("kind", [Together, InTurn])
def test_the_state_contains_what_observations_hide(kind):
    game = engine.make("commons_game", archetype="noisy_stock")
    env = kind(game)
    env.reset(seed=1)
    state, shown = env.state(), env.play.observation(0)
    stock = env.play.form.state.named(state)["stock"]
    assert stock == game.core.initial_stock
    assert stock not in shown
    assert env.state_space.contains(state)
