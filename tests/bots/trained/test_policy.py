"""Trained policies stay within the allowed range, and use their seat's random numbers and their own
memory.
"""

from __future__ import annotations

import math
import pickle
import subprocess
import sys

import numpy as np
import pytest
from onnx import helper

from mixed_company import engine, policies
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.chance import generator
from mixed_company.learning.tournament.batch import Mix, play
from mixed_company.policies import bench
from mixed_company.policies.bench import Bench
from mixed_company.policies.policy import ask
from mixed_company.policies.rollout import rollout
from tests.bots.trained.models import (
    COMMONS,
    GEMS,
    always,
    counting,
    learned,
    linear,
    model,
    tensor,
    write,
)


def asked(policy, play, seat=0, memory=None, name=0):
    notes = policy.start() if memory is None else memory
    rng = generator(name, "test", 0)
    seen = play.observation(seat)
    return ask(policy, play.allowed(seat), seen, notes, rng, budget=math.inf)


def test_it_sees_the_numbers_listed_on_its_card_in_their_order_and_unit(tmp_path):
    # stock 100, period 0: harvest (-1 + 1) / 2 of 10 if period comes first, else all
    policy = learned(tmp_path, linear([[0, 0], [0.01, 0]], [-1.0, -1.0]))
    assert asked(policy, engine.Episode(COMMONS)).action == {"harvest": 5.0, "contribution": 0.0}


def test_an_amount_is_scaled_to_the_allowed_range_and_clamped(tmp_path):
    game = type(COMMONS)(type(COMMONS).resolve("governed", initial_wealth=8.0))
    policy = learned(tmp_path, always(3.0, 0.0), game)
    # half of the wealth of 8, a bound that only the state has
    assert asked(policy, engine.Episode(game)).action == {"harvest": 10.0, "contribution": 4.0}


def test_the_likeliest_open_choice_is_taken(tmp_path):
    policy = learned(tmp_path, always(9, 1, 2, 3, 8, 0, 7), GEMS)
    play = engine.Episode(GEMS, 3)
    for seat in range(4):
        low, high = play.allowed(seat).to_json()["mine"]
        logits = [9, 1, 2, 3, 8, 0, 7]
        best = max(range(int(low), int(high) + 1), key=lambda mine: logits[mine])
        assert asked(policy, play, seat).action == {"mine": float(best)}


def test_a_choice_is_drawn_by_its_logits_and_never_a_closed_one(tmp_path):
    policy = learned(tmp_path, always(*[0.0, math.log(3)] + [9.0] * 5), GEMS, sampling="sample")
    play = engine.Episode(GEMS, 3)
    two = Allowed(GEMS.declaration.actions, (), {"mine": (0, 1)}, {})
    drawn = [
        policy.act_within(two, play.observation(0), {}, np.random.default_rng(seed))[0]["mine"]
        for seed in range(2000)
    ]
    assert set(drawn) == {0, 1}
    assert np.mean(drawn) == pytest.approx(0.75, abs=0.03)  # three standard errors


def test_an_amount_is_drawn_around_its_middle(tmp_path):
    policy = learned(tmp_path, linear(np.zeros((2, 2)), [0.0, -1.0], [0.1, 0.0]), sampling="sample")
    play = engine.Episode(COMMONS)
    drawn = [asked(policy, play, name=seed).action["harvest"] for seed in range(1000)]
    # 5 fish in the middle, 0.1 of five fish as standard deviation
    assert np.mean(drawn) == pytest.approx(5.0, abs=0.05)
    assert np.std(drawn) == pytest.approx(0.5, rel=0.1)


def test_the_mode_needs_no_random_numbers(tmp_path):
    policy = learned(tmp_path, linear(np.zeros((2, 2)), [0.0, -1.0], [0.1, 0.1]))
    play = engine.Episode(COMMONS)
    assert {asked(policy, play, name=seed).action["harvest"] for seed in range(20)} == {5.0}


def test_it_remembers_what_its_model_says(tmp_path):
    policy = learned(tmp_path, counting(), memory=1)
    assert policy.start() == {"numbers": [0.0]}
    play = engine.Episode(COMMONS)
    first = asked(policy, play)
    second = asked(policy, play, memory=first.memory)
    # the first call gives 0 of -1 .. 1, then 1
    assert (first.action["harvest"], second.action["harvest"]) == (5.0, 10.0)
    assert second.memory == {"numbers": [2.0]}


def test_a_model_can_ask_for_the_mask(tmp_path):
    # the model prefers the last mine if more than three are open, else the first
    places = np.arange(7)
    content = model(
        [helper.make_node("Gemm", ["mask", "weights", "biases"], ["action"])],
        [tensor("observation", [1, 2]), tensor("mask", [1, 7])],
        [tensor("action", [1, 7])],
        weights=np.tile(places, (7, 1)) * 1.0,
        biases=-3.5 * places,
    )
    policy, play = learned(tmp_path, content, GEMS), engine.Episode(GEMS, 3)
    reaches = [int(play.observation(seat)["reach"]) for seat in range(4)]
    assert set(reaches) == {3, 4}
    for seat, reach in enumerate(reaches):
        wanted = seat + 3 if reach == 4 else seat
        assert asked(policy, play, seat).action == {"mine": wanted}


def test_hidden_values_are_zero_to_the_model(tmp_path):
    policy = learned(tmp_path, linear([[0, 0], [0.01, 0]], [0.0, -1.0]))
    play = engine.Episode(COMMONS)
    seen = {**play.observation(0), "stock": np.array(np.nan)}
    action, _ = policy.act_within(play.allowed(0), seen, {}, generator(0, "test", 0))
    assert action["harvest"] == 5.0


def test_it_plays_in_turn_too(tmp_path):
    learned(tmp_path, always(0.0, -1.0))
    game = engine.make(
        "commons_game", archetype="lab_0_7", agents={"timing": "sequential"}, periods=2
    )
    faults = []
    steps = list(rollout(engine.Episode(game), [policies.make("pupil", game)] * 4, faults=faults))
    assert faults == []
    assert [step.rewards.tolist() for step in steps] == [[5.0] * 4] * 2


def test_it_assigns_points_at_the_second_stage(tmp_path):
    """Check points for players 3 and 4: the policy wants to assign 2 and 10 at a cost of 1 each,
    has earned 5, and assigns 2 and 3.
    """
    game = type(COMMONS)(type(COMMONS).resolve("lab_0_7", peer="punishment"))
    policy = learned(tmp_path, always(0.0, -1.0, 1.0, -1.0, -0.6, 1.0), game)
    play = engine.Episode(game)
    first = asked(policy, play)
    assert (first.action, first.fault) == ({"harvest": 5.0, "contribution": 0.0}, None)
    play.step({"harvest": [5.0] * 4, "contribution": [0.0] * 4})
    second = asked(policy, play)
    assert (second.action, second.fault) == ({"assign": [0.0, 0.0, 2.0, 3.0]}, None)
    assert "pupil" in policies.ids("commons_game", stage=1)
    steps = list(rollout(engine.Episode(game), [policy] * 4, faults=(faults := [])))
    assert faults == []
    settled = [step for step in steps if step.settled]
    assert settled[0].used["assign"].tolist()[0] == [0, 0, 2, 3]


def test_a_batch_asks_it_for_many_seats_at_once_at_both_stages(tmp_path, monkeypatch):
    """Check that each player of a play assigns 1 of the 5 points earned to each of the others."""
    game = type(COMMONS)(type(COMMONS).resolve("lab_0_7", peer="punishment"))
    policy = learned(tmp_path, always(0.0, -1.0, -0.8, -0.8, -0.8, -0.8), game)
    monkeypatch.setattr(bench, "ask", None)  # this function asks seats one after the other
    group, seeds = Bench(game, [(policy, np.ones((3, 4), dtype=bool))]), np.arange(3)
    state, _ = next(group.play(seeds, *game.reset(seeds)))
    assert state["harvest"].tolist() == [[5.0] * 4] * 3
    others = [[int(seat != other) for other in range(4)] for seat in range(4)]
    assert state["assigned"].tolist() == [others] * 3


def broken(operation):
    """Return a model that is valid only at a stock of 0, where it is checked."""
    node = helper.make_node(operation, ["observation"], ["action"])
    return model([node], [tensor("observation", [1, 2])], [tensor("action", [1, 2])])


def test_non_finite_numbers_become_the_default_and_a_fault(tmp_path):
    policy = learned(tmp_path, broken("Acos"))  # of 100 fish
    answer = asked(policy, engine.Episode(COMMONS))
    assert answer.action == {"harvest": 0.0, "contribution": 0.0}
    assert answer.fault.startswith("ValueError: pupil.onnx: action [")
    assert answer.fault.endswith("is not finite")


def test_a_non_finite_memory_is_a_fault_and_is_not_kept(tmp_path):
    content = model(
        [
            helper.make_node("Identity", ["observation"], ["action"]),
            helper.make_node("Acos", ["observation"], ["memory_after"]),
        ],
        [tensor("observation", [1, 2]), tensor("memory", [1, 2])],
        [tensor("action", [1, 2]), tensor("memory_after", [1, 2])],
    )
    policy = learned(tmp_path, content, memory=2)
    answer = asked(policy, engine.Episode(COMMONS))
    assert answer.memory == {"numbers": [0.0, 0.0]}
    assert "memory_after" in answer.fault


def test_a_memory_of_another_policy_is_a_fault(tmp_path):
    policy = learned(tmp_path, counting(), memory=1)
    answer = asked(policy, engine.Episode(COMMONS), memory={"seen": 3})
    assert answer.action == {"harvest": 0.0, "contribution": 0.0}
    assert "memory" in answer.fault


def test_onnxruntime_is_loaded_only_with_a_trained_policy(tmp_path):
    code = (
        "import sys; from mixed_company import engine, policies\n"
        "game = engine.make('commons_game', archetype='lab')\n"
        "policies.make('greedy', game), policies.ids('commons_game')\n"
        "print('onnxruntime' in sys.modules)\n"
        "policies.make('commons_ppo_group', game)\n"
        "print('onnxruntime' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_a_parameter_is_refused_since_it_has_none(tmp_path):
    write(tmp_path, always(0.0, -1.0))
    policies.look_in(tmp_path)
    with pytest.raises(engine.ConfigError, match="pupil: parameter 'harvest': unknown"):
        policies.make("pupil:harvest=3", COMMONS)


def test_a_non_finite_number_fails_only_its_seat(tmp_path, monkeypatch):
    # the inverse cosine of the seat is undefined for 2 and 3
    node = helper.make_node("Acos", ["observation"], ["action"])
    ends = [tensor("observation", ["seats", 2])], [tensor("action", ["seats", 2])]
    policy = learned(tmp_path, model([node], *ends), observation=["seat", "period"])
    monkeypatch.setattr(policies, "make", lambda spec, game: policy)
    game = engine.make("commons_game", archetype="lab_0_7", periods=1)
    played = play(game, Mix("pupil", "pupil"), 0, 0, 2)
    assert played.faults == 2 * 2
    # acos(0) and acos(1) of -1 .. 1 are 10 and 5 of 10 fish
    assert played.returns.tolist() == [[10.0, 5.0, 0.0, 0.0]] * 2


def test_a_pickled_policy_decides_the_same_without_its_files(tmp_path):
    policy = learned(tmp_path, linear([[0, 0], [0.01, 0]], [-1.0, -1.0]))
    content = pickle.dumps(policy)
    for file in policy.path.parent.glob("pupil.*"):
        file.unlink()
    again = pickle.loads(content)
    assert again.card == policy.card
    assert again.rules == policy.rules
    assert asked(again, engine.Episode(COMMONS)).action == {"harvest": 5.0, "contribution": 0.0}
