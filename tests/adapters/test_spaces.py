"""Tests of Gymnasium spaces: their structure, and that they contain every observation."""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium import spaces

from mixed_company import engine
from mixed_company.adapters.play import Play
from mixed_company.adapters.spaces import form
from mixed_company.engine.contract.errors import ActionError, ConfigError
from tests.adapters.plays import ARCHETYPES, lab, short
from tests.engine.toys import toy

FORMS = ("flat", "named")


def test_amounts_are_a_box_or_a_dict_of_boxes():
    assert form(lab(), "flat").action_space == spaces.Box(-1, 1, (2,), np.float32)
    named = form(lab(), "named").action_space
    assert named["harvest"] == spaces.Box(0, 10, (1,), np.float64)
    # a seat has at most 14 periods of 10 fish before the last period, and pays only into a pool
    assert named["contribution"] == spaces.Box(0, 0, (1,), np.float64)
    governed = form(lab(governance="per_step"), "named").action_space
    assert governed["contribution"] == spaces.Box(0, 140, (1,), np.float64)


def test_a_single_named_amount_is_a_box():
    game = engine.make("sanctions", archetype="lab_0_7")
    ours, allowed = form(game, "named"), engine.Episode(game, seed=1).allowed(0)
    assert ours.action_space == spaces.Box(0, 20, (1,), np.float64)
    assert ours.action(np.array([7.5]), allowed) == ({"contribution": 7.5}, False)


@pytest.mark.parametrize(("shown", "last"), [(True, 20), (False, np.inf)])
def test_the_last_period_is_a_bound_if_players_are_told_it(shown, last):
    game = engine.make("sanctions", archetype="lab", periods_told=shown)
    assert (game.horizon, game.seats) == (20, 4)
    space = form(game, "named").observation_space
    assert (space["period"].high.item(), space["seat"].high.item()) == (last if shown else 2**62, 3)
    flat = form(game, "flat")
    assert flat.observation_space.high[flat.seen.values["period"]] == last
    assert flat.observation_space.high[flat.seen.values["seat"]] == 3


@pytest.mark.parametrize(("game_id", "archetype"), ARCHETYPES)
def test_the_state_is_in_its_space(game_id, archetype):
    play = Play(short(game_id, archetype))
    play.reset(seed=1)
    while not play.episode.done:
        play.step({})
        assert play.form.state_space.contains(play.state())
        assert play.form.state.named(play.state())["period"] == play.episode.period


@pytest.mark.parametrize("name", FORMS)
def test_one_choice_is_discrete(name):
    assert form(engine.make("punishment_vote"), name).action_space == spaces.Discrete(7)
    assert form(engine.make("gem_mining"), name).action_space == spaces.Discrete(23)


@pytest.mark.parametrize("name", FORMS)
def test_amounts_have_no_mask(name):
    play = engine.Episode(lab(), seed=1)
    assert form(play.game, name).mask(play.allowed(0)) is None


def test_named_fields_keep_type_shape_and_range():
    space = form(engine.make("punishment_vote", archetype="lab_0_7"), "named").observation_space
    assert space["period"].dtype == np.int64
    assert space["window"] == spaces.Box(0, 1, (7, 7, 11), np.int8)
    assert space["level"] == spaces.Box(0, 1, (1,), np.float64)
    assert space["shown_level"] == spaces.Box(0, 1, (1,), np.int8)
    assert "shown_window" not in space.spaces


def test_a_masked_field_is_zero_and_marked_as_hidden():
    game = engine.make("commons_game", archetype="local_view", seats=5)
    play = engine.Episode(game, seed=1)
    play.step({"harvest": [1, 2, 3, 4, 5], "contribution": [0] * 5})
    seen = form(game, "named").observation(play.observation(0))
    assert seen["harvest"].tolist() == [1, 2, 0, 0, 5]
    assert seen["shown_harvest"].tolist() == [1, 1, 0, 0, 1]
    assert (seen["pool"].tolist(), seen["shown_pool"].tolist()) == ([0], [0])


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize(("game_id", "archetype"), ARCHETYPES)
def test_spaces_contain_every_observation_and_only_possible_actions(game_id, archetype, name):
    game = short(game_id, archetype)
    ours = form(game, name)
    ours.action_space.seed(1)
    play = engine.Episode(game, seed=1)
    while not play.done:
        chosen = []
        for seat in range(game.seats):
            assert ours.observation_space.contains(ours.observation(play.observation(seat)))
            allowed = play.allowed(seat)
            mask = ours.mask(allowed)
            sent = ours.action_space.sample() if mask is None else ours.action_space.sample(mask)
            action, illegal = ours.action(sent, allowed)
            assert not illegal
            chosen.append(action)
        play.step({field: [action[field] for action in chosen] for field in chosen[0]})
    assert ours.observation_space.contains(ours.observation(play.observation(0)))


def test_named_amounts_are_in_units():
    play = engine.Episode(lab(), seed=1)
    sent = {"harvest": np.array(2.5), "contribution": 3}
    assert form(play.game, "named").action(sent, play.allowed(0)) == (
        {"harvest": 2.5, "contribution": 3.0},  # the game clamps larger amounts
        False,
    )


def test_a_mine_out_of_reach_is_replaced_by_the_first_one_in_reach():
    play = engine.Episode(engine.make("gem_mining", archetype="momaland_42"), seed=1)
    for name in FORMS:
        ours = form(play.game, name)
        assert ours.action(3, play.allowed(1)) == ({"mine": 3}, False)
        assert ours.action(4, play.allowed(1)) == ({"mine": 1}, True)
        assert np.flatnonzero(ours.mask(play.allowed(1))).tolist() == [1, 2, 3]


def test_every_observation_is_a_new_object():
    play = engine.Episode(lab(), seed=1)
    ours = form(play.game, "named")
    first, second = (ours.observation(play.observation(0)) for _ in range(2))
    assert not any(np.shares_memory(first[name], second[name]) for name in first)


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({"harvest": 1.0}, "should map harvest, contribution to numbers"),
        ({"harvest": 1.0, "contribution": 0, "more": 1}, "should map harvest, contribution"),
        ([1.0, 0.0], "should map harvest, contribution to numbers"),
        ({"harvest": float("nan"), "contribution": 0}, "harvest = nan: must be a finite number"),
        ({"harvest": [1.0, 2.0], "contribution": 0}, r"harvest = \[1.0, 2.0\]: must be a number"),
        ({"harvest": "much", "contribution": 0}, "harvest = 'much': must be a number"),
        ({"harvest": True, "contribution": 0}, "harvest = True: must be a number"),
        (
            {"harvest": np.ma.array(1.0, mask=True), "contribution": 0},
            "harvest is a masked array: must be numbers, without masked values",
        ),
    ],
)
def test_an_invalid_named_action_is_refused(sent, message):
    play = engine.Episode(lab(), seed=1)
    with pytest.raises(ActionError, match=message):
        form(play.game, "named").action(sent, play.allowed(0))


@pytest.mark.parametrize("door", [12345678, 2**63, 1e308])
def test_an_unknown_choice_is_refused_as_it_was_sent(door):
    play = engine.Episode(toy(), seed=1)
    sent = {"door": door, "count": 0, "push": 0.0}
    with pytest.raises(ActionError) as refused:
        form(play.game, "named").action(sent, play.allowed(0))
    assert str(refused.value) == f"door = {door}: unknown choice; a whole number to 2"


def test_an_unknown_form_is_refused():
    with pytest.raises(ConfigError, match="form = 'falt': unknown; did you mean 'flat'"):
        form(lab(), "falt")
