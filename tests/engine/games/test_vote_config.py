"""Settings of the punishment vote, and the values that it rejects."""

from __future__ import annotations

import json

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine import ActionError, ConfigError, Episode
from mixed_company.engine.games.punishment_vote import GAME
from tests.engine.games.votes import MORE, RIGHT, SOURCE, core_of, votes

NAN, INF = float("nan"), float("inf")
OTHERS = {"A": 1.0, "B": 1.0, "C": 1.0, "D": 1.0}

# -- refusals -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("core", "message"),
    [
        ({"seats": 0}, "core.seats = 0: should be greater than or equal to 1"),
        ({"seats": 51}, "core.seats = 51: should be less than or equal to 50"),
        ({"turns": 0}, "core.turns = 0: should be greater than or equal to 1"),
        ({"height": 2}, "core.height = 2: should be greater than or equal to 3"),
        ({"width": 2}, "core.width = 2: should be greater than or equal to 3"),
        ({"height": 101}, "core.height = 101: should be less than or equal to 60"),
        ({"vision": -1}, "core.vision = -1: should be greater than or equal to 0"),
        ({"vision": 21}, "core.vision = 21: should be less than or equal to 10"),
        ({"initial_level": 1.1}, "core.initial_level = 1.1: should be less than or equal to 1"),
        (
            {"initial_level": -0.1},
            "core.initial_level = -0.1: should be greater than or equal to 0",
        ),
        ({"initial_level": NAN}, "core.initial_level = nan: should be a finite number"),
        ({"vote_step": 1.5}, "core.vote_step = 1.5: should be less than or equal to 1"),
        ({"vote_cost": -0.1}, "core.vote_cost = -0.1: should be greater than or equal to 0"),
        ({"magnitude": -10}, "core.magnitude = -10: should be greater than or equal to 0"),
        ({"magnitude": INF}, "core.magnitude = inf: should be a finite number"),
        (
            {"spawn_probability": 1.5},
            "core.spawn_probability = 1.5: should be less than or equal to 1",
        ),
        (
            {"initial_resources": -1},
            "core.initial_resources = -1: should be greater than or equal to 0",
        ),
        ({"actions": "complex"}, "core.actions = 'complex': should be 'simple' or 'composite'"),
        ({"views": "all"}, "core.views = 'all': should be 'own' or 'composite'"),
        ({"worlds": "two"}, "core.worlds = 'two': should be 'shared' or 'separate'"),
        ({"timing": "random"}, "core.timing = 'random': should be 'simultaneous' or 'sequential'"),
        ({"punishment": "sure"}, "core.punishment = 'sure': should be 'expected' or 'lottery'"),
        ({"turn": 5}, "core.turn = 5: unknown key; did you mean 'turns'?"),
    ],
)
def test_a_wrong_value_is_refused_by_key_value_and_rule(core, message):
    with pytest.raises(ConfigError) as refused:
        votes(**core)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("core", "message"),
    [
        ({"taboo": ["A", "Z"]}, "core.taboo: 'Z': not a kind of resource; one of A, B, C, D, E"),
        (
            {"taboo": ["A"], "resources": {"X": {"value": 1}}},
            "core.taboo: 'A': not a kind of resource; one of X",
        ),
        (
            {"spawn_weights": {"A": 1}},
            "core.spawn_weights: {'A': 1.0}: should be one weight for each of A, B, C, D, E",
        ),
        (
            {"spawn_weights": {}},
            "core.spawn_weights: {}: should be one weight for each of A, B, C, D, E",
        ),
        (
            {"spawn_weights": {**OTHERS, "E": 1, "F": 1}},
            "core.spawn_weights: {'A': 1.0, 'B': 1.0, 'C': 1.0, 'D': 1.0, 'E': 1.0, 'F': 1.0}: "
            "should be one weight for each of A, B, C, D, E",
        ),
        (
            {"spawn_weights": {**OTHERS, "E": -1}},
            "core.spawn_weights: {'A': 1.0, 'B': 1.0, 'C': 1.0, 'D': 1.0, 'E': -1.0}: "
            "weights should be from 0 to 1e6",
        ),
        (
            {"spawn_weights": {**OTHERS, "E": 1e7}},
            "core.spawn_weights: {'A': 1.0, 'B': 1.0, 'C': 1.0, 'D': 1.0, 'E': 10000000.0}: "
            "weights should be from 0 to 1e6",
        ),
        (
            {"spawn_weights": dict.fromkeys("ABCDE", 0)},
            "core.spawn_weights: {'A': 0.0, 'B': 0.0, 'C': 0.0, 'D': 0.0, 'E': 0.0}: "
            "at least one weight should be above 0",
        ),
        ({"spawn_weights": {**OTHERS, "E": NAN}}, "core.spawn_weights.E = nan: should be"),
        ({"resources": {}}, "core.resources: 0 kinds: should be from 1 to 20"),
        (
            {"resources": {f"k{number}": {} for number in range(21)}},
            "core.resources: 21 kinds: should be from 1 to 20",
        ),
        (
            {"resources": {"A": {"harm": -1}}},
            "core.resources.A.harm = -1: should be greater than or equal to 0",
        ),
        ({"resources": {"A": {"value": NAN}}}, "core.resources.A.value = nan: should be a finite"),
        (
            {"resources": {"A": {"harms": 1}}},
            "core.resources.A.harms = 1: unknown key; did you mean 'harm'?",
        ),
    ],
)
def test_wrong_resources_weights_and_taboos_are_refused(core, message):
    with pytest.raises(ConfigError) as refused:
        votes(**core)
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize(
    "name", ["", "no good", "1", "a-b", "a_b", "a,b", "#", "abcdefghijklm", "é", "empty", "wall"]
)
def test_an_invalid_name_is_refused(name):
    with pytest.raises(ConfigError) as refused:
        votes(resources={"A": {}, name: {}})
    assert str(refused.value).startswith(f"core.resources: {name!r}: a kind's name should be ")


@pytest.mark.parametrize(
    ("core", "limit"),
    [
        # 8 x 8 = 64 cells inside the walls, less 3 seats, or less 1 on a separate grid.
        ({}, 61),
        ({"worlds": "separate"}, 63),
        # 1 x 2 cells.
        ({"height": 3, "width": 4, "seats": 2}, 0),
        ({"height": 3, "width": 4, "seats": 2, "worlds": "separate"}, 1),
    ],
)
def test_resources_and_seats_must_fit_inside_the_walls(core, limit):
    game = votes(**core, initial_resources=limit)
    grid = game.reset(0)[0]["grid"]
    kinds = ((grid >= 2) & (grid <= 6)).sum(axis=(1, 2))
    assert (kinds == limit).all()
    with pytest.raises(ConfigError) as refused:
        votes(**core, initial_resources=limit + 1)
    message = str(refused.value)
    assert message.startswith(f"core.initial_resources = {limit + 1}: together with ")
    assert "it exceeds the cells inside the walls" in message


def test_more_seats_than_cells_are_refused_on_a_shared_grid_only():
    size = {"height": 3, "width": 3, "initial_resources": 0}
    with pytest.raises(ConfigError, match=r"\(2\) it exceeds the cells inside the walls \(1\)"):
        votes(**size, seats=2)
    assert votes(**size, seats=50, worlds="separate").reset(0)[0]["grid"].shape == (50, 3, 3)


# -- actions ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "action", "message"),
    [
        ("simple", 7, "seat 1, action = 7: unknown choice; choose one of 0, 1, 2, 3, 4, 5, 6"),
        ("simple", 13, "seat 1, action = 13: unknown choice; choose one of 0, 1, 2, 3, 4, 5, 6"),
        ("simple", -1, "seat 1, action = -1: unknown choice; choose one of 0, 1, 2, 3, 4, 5, 6"),
        ("simple", 2.5, "seat 1, action = 2.5: must be a whole number"),
        ("simple", NAN, "seat 1, action = nan: must be a finite number"),
        ("simple", INF, "seat 1, action = inf: must be a finite number"),
        ("simple", "up", "seat 1, action = 'up': must be a number"),
        ("simple", None, "seat 1, action = None: must be a number"),
        ("simple", True, "seat 1, action = True: must be a number"),
        ("composite", 13, "seat 1, action = 13: unknown choice; choose one of 0 to 12"),
        ("composite", -1, "seat 1, action = -1: unknown choice; choose one of 0 to 12"),
    ],
)
def test_an_unknown_action_is_refused_and_nothing_changes(mode, action, message):
    game = votes(actions=mode)
    state, _ = game.reset(0)
    kept = {name: np.array(value) for name, value in state.items()}
    with pytest.raises(ActionError) as refused:
        game.step(state, {"action": [MORE, action, RIGHT]}, game.draw_chance(0, 0))
    assert str(refused.value) == message
    assert all(np.array_equal(state[name], value) for name, value in kept.items())


def test_the_meaning_of_every_action_number_is_declared():
    meanings = (
        "simple: 0 up, 1 down, 2 left, 3 right, 4 vote_increase, 5 vote_decrease, 6 noop; "
        "composite: 0 up_no_vote, 1 down_no_vote, 2 left_no_vote, 3 right_no_vote, "
        "4 up_increase, 5 down_increase, 6 left_increase, 7 right_increase, "
        "8 up_decrease, 9 down_decrease, 10 left_decrease, 11 right_decrease, 12 noop"
    )
    for mode, last in (("simple", 6), ("composite", 12)):
        (action,) = votes(actions=mode).declaration.actions
        assert (action.meaning, action.high, action.default) == (meanings, last, last)


def test_a_seat_that_does_not_decide_does_nothing():
    assert Episode(votes()).allowed(0).default == {"action": 6}
    assert Episode(votes(actions="composite")).allowed(0).default == {"action": 12}


# -- defaults -----------------------------------------------------------------------------


def test_the_defaults_match_the_source():
    assert core_of(votes()) == SOURCE


def test_derived_values_are_written_out():
    core = core_of(votes(resources={"gem": {"value": 2}, "coin": {}}))
    assert core["taboo"] == ["gem", "coin"]
    assert core["spawn_weights"] == {"gem": 1, "coin": 1}
    assert core["resources"] == {"gem": {"value": 2, "harm": 0}, "coin": {"value": 0, "harm": 0}}


def test_taboos_and_weights_follow_the_order_of_the_kinds():
    weights = {"E": 5, "D": 4, "C": 3, "B": 2, "A": 1}
    core = core_of(votes(taboo=["E", "B", "E"], spawn_weights=weights))
    assert core["taboo"] == ["B", "E"]
    assert list(core["spawn_weights"].items()) == [("A", 1), ("B", 2), ("C", 3), ("D", 4), ("E", 5)]


def test_an_empty_list_of_taboos_means_no_taboo():
    assert core_of(votes(taboo=[]))["taboo"] == []
    assert core_of(votes(taboo=None))["taboo"] == ["A", "B", "C", "D", "E"]


@pytest.mark.parametrize("archetype", [None, *sorted(GAME.archetypes)])
def test_a_configuration_survives_json_unchanged(archetype):
    config = votes(archetype=archetype, seed=5).config
    text = config.model_dump_json()
    again = engine.make(json.loads(text)).config
    assert again == config
    assert again.model_dump_json() == text


def test_a_custom_configuration_survives_json_too():
    core = {"resources": {"X": {"value": 1}, "Y": {"harm": 2}}, "spawn_weights": {"Y": 1, "X": 0}}
    game = votes(**core, taboo=[], seed=3)
    again = engine.make(json.loads(game.config.model_dump_json()))
    assert again.config == game.config
    assert np.array_equal(again.reset(3)[0]["grid"], game.reset(3)[0]["grid"])
