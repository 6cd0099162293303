"""Seats that leave while the others continue, and seats that decide one after the other."""

from __future__ import annotations

import json

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine import ActionError, Episode
from mixed_company.engine.play import record
from mixed_company.policies import make as policy
from mixed_company.policies.rollout import rollout
from tests.engine.plays import acts, state

LEAVE = {"may_leave": True}
TURNS = {"timing": "sequential", "order": [2, 0, 1, 3]}


def commons(**parameters):
    return engine.make("commons_game", **parameters)


# -- leaving ----------------------------------------------------------------------------------


def test_a_game_without_early_endings_of_seats_has_no_extra_state():
    play = Episode(commons(), 0)
    assert "seat_reason" not in state(play)
    assert play.game.seat_reasons == ()
    assert np.shape(play.observations["ended"]) == ()
    assert "all_left" not in play.game.reasons


def test_a_leaving_seat_takes_nothing_more_and_keeps_its_wealth():
    play = Episode(commons(agents=LEAVE), 0)
    play.step(acts(2))
    step = play.step(acts([9, 3, 3, 3]), leaving=[0])
    assert step.used["harvest"].tolist() == [0, 3, 3, 3]
    assert step.rewards.tolist() == [0, 3, 3, 3]
    assert step.seat_reasons == ("left", None, None, None)
    assert step.seat_results == ("neither", None, None, None)
    assert state(play)["wealth"] == [2, 5, 5, 5]
    assert play.observation(0)["ended"]
    assert np.isnan(play.observation(0)["wealth"]).all()
    assert play.observation(1)["wealth"].tolist() == [2, 5, 5, 5]


@pytest.mark.parametrize("sent", [None, float("nan"), 99, "gone"])
def test_actions_of_a_seat_that_has_ended_are_replaced_by_its_default(sent):
    play = Episode(commons(agents=LEAVE), 0)
    play.step(acts(2), leaving=[3])
    step = play.step({"harvest": [1, 1, 1, sent], "contribution": [0, 0, 0, sent]})
    assert step.used["harvest"].tolist() == [1, 1, 1, 0]


def test_the_play_is_over_when_all_seats_have_left():
    play = Episode(commons(agents=LEAVE), 0)
    play.step(acts(2), leaving=[0, 1])
    step = play.step(acts(2), leaving=[2, 3])
    assert (step.reason, step.result, step.done) == ("all_left", "neither", True)
    assert step.seat_reasons == ("left",) * 4


def test_at_the_end_the_others_end_with_the_play():
    play = Episode(commons(agents=LEAVE, periods=1), 0)
    step = play.step(acts(2), leaving=[1])
    assert step.seat_reasons == ("horizon", "left", "horizon", "horizon")


def test_a_leaving_seat_is_paid_what_it_is_owed():
    layers = {"temporal": {"intensity": 1, "reward_delay": 5}}
    play = Episode(commons(agents=LEAVE, layers=layers), 0)
    play.step(acts([1, 2, 3, 4]))
    step = play.step(acts([1, 2, 3, 4]), leaving=[3])
    assert step.rewards.tolist() == [0, 0, 0, 4]
    assert play.step(acts(1)).rewards.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("agents", "leaving", "message"),
    [
        ({}, [0], "leaving: agents.may_leave is false, so no seat can leave this play"),
        (LEAVE, [4], "leaving: seat 4 is not in 0 .. 3"),
        (LEAVE, [1], "leaving: seat 1 is no longer in the play"),
        (LEAVE, [0, 2, 0], "leaving: seat 0 is named twice"),
        (LEAVE, [True], "leaving: True is not a seat number"),
        (LEAVE, [None], "leaving: None is not a seat number"),
        (LEAVE, None, "leaving = None: must be a list of seats"),
        ({}, None, "leaving = None: must be a list of seats"),
        (LEAVE, "0", "leaving = '0': must be a list of seats"),
        (LEAVE, 0, "leaving = 0: must be a list of seats"),
        (LEAVE, {0: True}, "leaving = {0: True}: must be a list of seats"),
    ],
)
def test_impossible_leaving_is_refused(agents, leaving, message):
    play = Episode(commons(agents=agents), 0)
    if agents and leaving == [1]:
        play.step(acts(1), leaving=[1])
    before = play.state_json()
    with pytest.raises(ActionError) as refused:
        play.step(acts(1), leaving=leaving)
    assert str(refused.value) == message
    assert play.state_json() == before


@pytest.mark.parametrize(
    ("agents", "leaving", "message"),
    [
        ({}, [True, False, False, False], "may_leave is false"),
        (LEAVE, [0, 2], r"leaving = \[0, 2\]: should be flags of shape \(4,\)"),
        (LEAVE, [0, 1, 0, 0], r"leaving = \[0, 1, 0, 0\]: should be flags of shape \(4,\)"),
    ],
)
def test_a_step_of_the_game_accepts_flags_of_leaving_seats(agents, leaving, message):
    game = commons(agents=agents)
    with pytest.raises(ActionError, match=message):
        game.step(game.reset(0)[0], acts(1), game.draw_chance(0, 0), leaving)


@pytest.mark.parametrize("decided", [3, {"2": 1}, {"x": {}}, [1]])
def test_invalid_decisions_make_an_invalid_state(decided):
    play = Episode(commons(agents=TURNS), 0)
    text = json.dumps({**json.loads(play.state_json()), "decided": decided})
    with pytest.raises(engine.LogError, match="not the state of a play"):
        Episode.from_json(play.game, text)


def test_leaving_is_logged_and_replayed():
    game = commons(agents=LEAVE, periods=3)
    lines = record.play(game, [acts(1)] * 3, 4, leaving={1: [2]})
    lines = json.loads(json.dumps(lines))
    periods = [line for line in lines if line["level"] == "period"]
    assert [line.get("leaving") for line in periods] == [None, [2], None]
    assert {"level": "event", "period": 1, "event": "ending", "seat": 2, "reason": "left"} in lines
    assert record.replay(lines) == []
    del periods[1]["leaving"]
    assert record.replay(lines) != []


def test_a_log_without_layers_and_leaving_is_replayed_with_their_defaults():
    lines = json.loads(json.dumps(record.play(commons(periods=2), [acts(1)] * 2, 4)))
    agents = lines[0]["config"]["agents"]
    lines[0]["config"]["agents"] = {key: agents[key] for key in ("roles", "seats")}
    layers = lines[0]["config"]["layers"]
    lines[0]["config"]["layers"] = {name: {"intensity": 0.0} for name in layers}
    assert record.replay(lines) == []


def test_workers_of_a_village_that_has_ended_do_not_work():
    parameters = {"reach": [2, 2], "workers": [2, 3], "base_probabilities": [[1.0]] * 3}
    core = {"seats": 2, "gem_types": 1, "max_connectivity": 2, "periods": 2, "truncation": 1.0}
    play = Episode(engine.make("gem_mining", instance=parameters, agents=LEAVE, **core), 0)
    step = play.step({"mine": [0, 1]}, leaving=[1])
    assert state(play)["workers_at"] == [2, 0, 0]
    assert step.rewards.tolist() == [1, 0]


def test_a_seat_that_has_left_the_vote_does_not_move():
    play = Episode(engine.make("punishment_vote", agents=LEAVE), 3)
    before = state(play)
    play.step({"action": [0, 0, 0]}, leaving=[1])
    after = play.step({"action": [1, None, 1]})
    assert after.used["action"][1] == 6
    assert (state(play)["row"][1], state(play)["column"][1]) == (
        before["row"][1],
        before["column"][1],
    )


def test_a_seat_is_not_sanctioned_for_leaving():
    play = Episode(engine.make("sanctions", seats=3, agents=LEAVE), 0)
    step = play.step({"contribution": [40, 40, 0]}, leaving=[2])
    after = state(play)
    assert [row[2] for row in after["trust"]] == [0.5, 0.5, 1]
    assert [row[2] for row in after["reciprocity_effects"]] == [0, 0, 0]
    assert after["reciprocity_effects"][2] == [0, 0, 0]
    # The geometric mean of 40 and 40 is 40: each playing seat gets a third of 0.65 * 40.
    assert step.components["synergy"].tolist() == pytest.approx([26 / 3, 26 / 3, 0])


# -- in turn ----------------------------------------------------------------------------------


def one(harvest):
    return {"harvest": harvest, "contribution": 0}


def test_seats_decide_in_order_and_see_earlier_decisions():
    play = Episode(commons(agents=TURNS), 0)
    seen = []
    for seat in (2, 0, 1, 3):
        assert play.turn == seat
        seen.append(play.observation(seat)["earlier_harvest"].tolist())
        step = play.decide(seat, one([1, 2, 30, 4][seat]))
    nan = float("nan")
    # 30 is used as 10 and shown as 10.
    np.testing.assert_equal(
        seen, [[nan] * 4, [nan, nan, 10, nan], [1, nan, 10, nan], [1, 2, 10, nan]]
    )
    assert step.rewards.tolist() == [1, 2, 10, 4]
    assert (play.period, play.turn) == (1, 2)
    assert np.isnan(play.observation(3)["earlier_harvest"]).all()


def test_a_whole_period_can_still_be_played_in_one_step():
    one_by_one, together = Episode(commons(agents=TURNS), 0), Episode(commons(agents=TURNS), 0)
    for seat in (2, 0, 1, 3):
        one_by_one.decide(seat, one(seat))
    together.step(acts([0, 1, 2, 3]))
    assert one_by_one.state_json() == together.state_json()


@pytest.mark.parametrize(
    ("agents", "seat", "action", "message"),
    [
        (TURNS, 0, one(1), "seat 0: it is seat 2's turn"),
        ({}, 0, one(1), "seat 0: with this agents.timing, all seats decide together"),
        (TURNS, 2, one("x"), "seat 2, harvest = 'x': must be a number"),
        (TURNS, 2, {"harvest": 1}, "action field 'contribution': is missing"),
        (TURNS, 2, {**one(1), "harvst": 1}, "'harvst': unknown; did you mean 'harvest'?"),
        (TURNS, 2, 3, "seat 2, action = 3: must map harvest, contribution to numbers"),
    ],
)
def test_a_wrong_decision_is_refused_by_rule_and_changes_nothing(agents, seat, action, message):
    play = Episode(commons(agents=agents), 0)
    before = play.state_json()
    with pytest.raises(ActionError) as refused:
        play.decide(seat, action)
    assert message in str(refused.value)
    assert play.state_json() == before


def test_a_half_decided_period_cannot_be_played_in_one_step():
    play = Episode(commons(agents=TURNS), 0)
    play.decide(2, one(1))
    with pytest.raises(ActionError, match="seat 2 has decided; finish the period with `decide`"):
        play.step(acts(1))


def test_a_half_decided_period_survives_json():
    agents = {**TURNS, **LEAVE}
    play = Episode(commons(agents=agents), 0)
    play.decide(2, one(3))
    play.decide(0, {}, leaving=True)
    again = Episode.from_json(play.game, play.state_json())
    assert again.turn == 1
    assert again.observation(1)["earlier_harvest"][2] == 3
    for episode in (play, again):
        episode.decide(1, one(1))
        assert episode.decide(3, one(1)).rewards.tolist() == [0, 1, 3, 1]
    assert again.state_json() == play.state_json()
    assert again.turn == 2
    again.decide(2, one(1))
    assert again.turn == 1


def test_earlier_decisions_are_hidden_from_a_role_that_may_not_see_them():
    agents = {
        **TURNS,
        "roles": {"member": {}, "blind": {"sees": ["stock"]}},
        "seats": ["member", "member", "member", "blind"],
    }
    play = Episode(commons(agents=agents), 0)
    for seat in (2, 0, 1):
        play.decide(seat, one(1))
    assert np.isnan(play.observation(3)["earlier_harvest"]).all()


@pytest.mark.parametrize(
    "game", [game_id for game_id in engine.game_ids() if not engine.find(game_id).own_timing]
)
def test_policies_play_in_turn(game):
    lab = engine.make(game, archetype="lab", periods=3, agents={"timing": "sequential"})
    steps = list(rollout(Episode(lab, 2), [policy("random", lab)] * 4))  # no early collapse
    assert len(steps) == 3
    assert steps[-1].done


def test_policies_that_ignore_others_earn_the_same_in_turn_and_together():
    games = [commons(archetype="lab", agents={"timing": t}) for t in ("simultaneous", "sequential")]
    first, second = (
        [step.rewards.tolist() for step in rollout(Episode(game, 1), [policy("greedy", game)] * 4)]
        for game in games
    )
    assert first == second
