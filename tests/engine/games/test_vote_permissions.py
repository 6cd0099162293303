"""Seats that may move but not vote, and votes with weight 0, which have no effect."""

from __future__ import annotations

import json

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine import ConfigError, Episode, kit
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.policies.flat.actions import FlatActions
from tests.engine.games.votes import LEFT, MORE, NOOP, RIGHT, board

WALKS = {"action": ["up", "down", "left", "right", "noop"]}
AGENTS = {"roles": {"citizen": {}, "guest": {"acts": WALKS}}, "seats": ["citizen", "guest"]}
ROOM = ("######", "#0..1#", "######")


def lab(**agents):
    return engine.make("punishment_vote", archetype="lab", seats=2, agents={**AGENTS, **agents})


def weighed(weight, timing="simultaneous"):
    """Return a game with two citizens; the second one's votes have this weight."""
    layers = {"power": {"intensity": 1, "weights": {"guest": weight}}}
    agents = {"roles": {"citizen": {}, "guest": {}}, "seats": ["citizen", "guest"]}
    return board(*ROOM, level=0.5, agents=agents, layers=layers, timing=timing)


def refusal(**guest):
    with pytest.raises(ConfigError) as refused:
        lab(roles={"citizen": {}, "guest": guest})
    return str(refused.value)


def test_a_guest_can_move_but_its_vote_has_no_effect():
    # Both vote to increase by 0.2; only the citizen's counts, and only the citizen pays 0.1.
    game, state = board(*ROOM, level=0.5, agents=AGENTS)
    after, outcome = game.step(state, {"action": [MORE, MORE]}, game.draw_chance(0, 0))
    assert outcome.used["action"].tolist() == [MORE, NOOP]
    assert after["level"] == pytest.approx(0.7)
    assert outcome.components["vote_cost"].tolist() == [-0.1, 0.0]
    after, outcome = game.step(state, {"action": [RIGHT, LEFT]}, game.draw_chance(0, 0))
    assert after["column"].tolist() == [2, 3]


@pytest.mark.parametrize("plays", [(), (3,)])
def test_the_mask_closes_only_the_votes_of_a_guest(plays):
    game = lab()
    state, _ = game.reset(np.arange(3) if plays else 0)
    allowed, field = game.allowed(state), game.declaration.actions[0]
    assert allowed.open(field)[..., 0, :].all()
    guest = allowed.open(field)[..., 1, :]
    assert (guest == [True, True, True, True, False, False, True]).all()
    assert (allowed.default["action"] == NOOP).all()
    assert (FlatActions(game.declaration.actions).masks(allowed)[..., 1, :] == guest).all()


def test_a_guests_permissions_survive_json():
    game = lab()
    play = Episode(game)
    assert play.allowed(0).to_json() == {"action": [0, 6]}
    written = json.loads(json.dumps(play.allowed(1).to_json()))
    assert written == {"action": [0, 6, [0, 1, 2, 3, 6]]}
    again = Allowed.from_json(game.declaration.actions, written)
    field = game.declaration.actions[0]
    assert again.open(field).tolist() == play.allowed(1).open(field).tolist()
    assert again.to_json() == written


def test_the_ends_span_the_open_choices():
    # Only left and right: 2 .. 6, without 4 and 5.
    game = lab(roles={"citizen": {}, "guest": {"acts": {"action": ["noop", "left", "right"]}}})
    guest = Episode(game).allowed(1)
    assert (guest.low["action"], guest.high["action"]) == (2, 6)
    assert guest.to_json() == {"action": [2, 6, [2, 3, 6]]}


def test_random_actions_of_a_guest_are_open():
    game = lab()
    state, _ = game.reset(np.arange(200))
    drawn = game.allowed(state).sample(np.random.default_rng(1))["action"]
    assert set(drawn[:, 1].tolist()) == {0, 1, 2, 3, 6}
    assert set(drawn[:, 0].tolist()) == set(range(7))


def test_an_unknown_choice_is_refused_with_the_nearest_name():
    assert refusal(acts={"action": ["upp", "noop"]}) == (
        "agents.roles.guest.acts.action = ['upp', 'noop']: 'upp' is not a choice; "
        "did you mean 'up'?"
    )


def test_the_default_choice_cannot_be_closed():
    assert refusal(acts={"action": ["up"]}) == (
        "agents.roles.guest.acts.action = ['up']: should include 'noop', "
        "the action of a seat that does not decide"
    )


def test_choices_of_an_unknown_field_are_refused_with_the_nearest_name():
    message = refusal(acts={"actoin": ["up"]})
    assert message == "agents.roles.guest.acts: unknown field 'actoin'; did you mean 'action'?"


def test_choices_without_names_are_all_open_or_all_closed():
    with pytest.raises(ConfigError, match=r"member.acts.mine = \['first'\]: its choices have no"):
        engine.make("gem_mining", agents={"roles": {"member": {"acts": {"mine": ["first"]}}}})


def test_a_field_named_with_all_is_open_and_an_unnamed_one_is_barred():
    game = engine.make("commons_game", agents={"roles": {"member": {"acts": {"harvest": "all"}}}})
    assert sorted(game.barred) == ["contribution"]


@pytest.mark.few(1)
@pytest.mark.few(1)
@pytest.mark.parametrize("choices", [["left", "vote_increase", "noop"], ["noop"]])
def test_a_game_with_closed_choices_keeps_the_contract(choices):
    roles = {"citizen": {}, "guest": {"acts": {"action": choices}}}
    agents = {"roles": roles, "seats": ["citizen", "guest"]}
    kit.conformance(
        engine.make("punishment_vote", archetype="lab", seats=2, turns=3, agents=agents)
    )


@pytest.mark.parametrize("timing", ["simultaneous", "sequential"])
def test_a_vote_of_weight_0_costs_nothing_and_has_no_effect(timing):
    game, state = weighed(0, timing)
    after, outcome = game.step(state, {"action": [NOOP, MORE]}, game.draw_chance(0, 0))
    assert after["level"] == 0.5
    assert (after["increases"], after["decreases"]) == (0, 0)
    assert after["vote"].tolist() == [0, 0]
    assert outcome.components["vote_cost"].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("timing", ["simultaneous", "sequential"])
def test_a_vote_of_half_the_weight_costs_as_much_and_has_half_the_effect(timing):
    # 0.5 + 0.2 / 2.
    game, state = weighed(0.5, timing)
    after, outcome = game.step(state, {"action": [NOOP, MORE]}, game.draw_chance(0, 0))
    assert after["level"] == pytest.approx(0.6)
    assert after["increases"] == 1
    assert outcome.components["vote_cost"].tolist() == [0.0, -0.1]
