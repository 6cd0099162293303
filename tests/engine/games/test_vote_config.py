"""What the punishment vote can be set to, what it refuses, and what its archetypes promise."""

from __future__ import annotations

import json

import numpy as np
import pytest

import engine
from engine import ActionError, ConfigError, Episode
from engine.games.punishment_vote import GAME
from tests.engine.games.votes import DOWN, LESS, MORE, NOOP, RIGHT, board, parts, turn, votes

NAN, INF = float("nan"), float("inf")
OTHERS = {"A": 1.0, "B": 1.0, "C": 1.0, "D": 1.0}
SOURCE = {
    "seats": 3,
    "turns": 100,
    "height": 10,
    "width": 10,
    "vision": 2,
    "map_memory": False,
    "actions": "simple",
    "timing": "simultaneous",
    "views": "own",
    "worlds": "shared",
    "resources": {
        "A": {"value": 3.0, "harm": 0.5},
        "B": {"value": 7.0, "harm": 1.0},
        "C": {"value": 2.0, "harm": 0.3},
        "D": {"value": -2.0, "harm": 1.5},
        "E": {"value": 1.0, "harm": 0.1},
    },
    "initial_resources": 15,
    "spawn_probability": 0.05,
    "spawn_weights": {"A": 1.0, "B": 1.0, "C": 1.0, "D": 1.0, "E": 1.0},
    "taboo": ["A", "B", "C", "D", "E"],
    "initial_level": 0.1,
    "vote_step": 0.2,
    "vote_cost": 0.1,
    "magnitude": 10.0,
    "punishment": "expected",
}


def core_of(game):
    return game.config.model_dump(mode="json")["core"]


# -- what is refused ----------------------------------------------------------------------


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
        (
            {"timing": "random"},
            "core.timing = 'random': should be 'simultaneous' or 'sequential'",
        ),
        (
            {"punishment": "sure"},
            "core.punishment = 'sure': should be 'expected' or 'lottery'",
        ),
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
        ({"taboo": ["A", "Z"]}, "core.taboo: 'Z': no kind of resource; one of A, B, C, D, E"),
        (
            {"taboo": ["A"], "resources": {"X": {"value": 1}}},
            "core.taboo: 'A': no kind of resource; one of X",
        ),
        (
            {"spawn_weights": {"A": 1}},
            "core.spawn_weights: {'A': 1.0}: one weight for each of A, B, C, D, E",
        ),
        ({"spawn_weights": {}}, "core.spawn_weights: {}: one weight for each of A, B, C, D, E"),
        (
            {"spawn_weights": {**OTHERS, "E": 1, "F": 1}},
            "core.spawn_weights: {'A': 1.0, 'B': 1.0, 'C': 1.0, 'D': 1.0, 'E': 1.0, 'F': 1.0}: "
            "one weight for each of A, B, C, D, E",
        ),
        (
            {"spawn_weights": {**OTHERS, "E": -1}},
            "core.spawn_weights: {'A': 1.0, 'B': 1.0, 'C': 1.0, 'D': 1.0, 'E': -1.0}: "
            "weights are from 0 to 1e6",
        ),
        (
            {"spawn_weights": {**OTHERS, "E": 1e7}},
            "core.spawn_weights: {'A': 1.0, 'B': 1.0, 'C': 1.0, 'D': 1.0, 'E': 10000000.0}: "
            "weights are from 0 to 1e6",
        ),
        (
            {"spawn_weights": dict.fromkeys("ABCDE", 0)},
            "core.spawn_weights: {'A': 0.0, 'B': 0.0, 'C': 0.0, 'D': 0.0, 'E': 0.0}: "
            "one weight at least is above 0",
        ),
        ({"spawn_weights": {**OTHERS, "E": NAN}}, "core.spawn_weights.E = nan: should be"),
        ({"resources": {}}, "core.resources: 0 kinds: from 1 to 20"),
        (
            {"resources": {f"k{number}": {} for number in range(21)}},
            "core.resources: 21 kinds: from 1 to 20",
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
def test_a_name_that_is_no_name_is_refused(name):
    with pytest.raises(ConfigError) as refused:
        votes(resources={"A": {}, name: {}})
    assert str(refused.value).startswith(f"core.resources: {name!r}: a kind's name is ")


@pytest.mark.parametrize(
    ("core", "most"),
    [
        # 8 x 8 = 64 cells inside the walls, less 3 seats, or less 1 on a grid of one's own.
        ({}, 61),
        ({"worlds": "separate"}, 63),
        # 1 x 2 cells.
        ({"height": 3, "width": 4, "seats": 2}, 0),
        ({"height": 3, "width": 4, "seats": 2, "worlds": "separate"}, 1),
    ],
)
def test_resources_and_seats_must_fit_inside_the_walls(core, most):
    game = votes(**core, initial_resources=most)
    grid = game.reset(0)[0]["grid"]
    kinds = ((grid >= 2) & (grid <= 6)).sum(axis=(1, 2))
    assert (kinds == most).all()
    with pytest.raises(ConfigError) as refused:
        votes(**core, initial_resources=most + 1)
    message = str(refused.value)
    assert message.startswith(f"core.initial_resources = {most + 1}: with ")
    assert "more than its cells inside the walls" in message


def test_more_seats_than_cells_are_refused_on_a_shared_grid_only():
    size = {"height": 3, "width": 3, "initial_resources": 0}
    with pytest.raises(ConfigError, match=r"\(2\) more than its cells inside the walls \(1\)"):
        votes(**size, seats=2)
    assert votes(**size, seats=50, worlds="separate").reset(0)[0]["grid"].shape == (50, 3, 3)


# -- actions ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "action", "message"),
    [
        ("simple", 7, "seat 1, action = 7: unknown choice; one of 0, 1, 2, 3, 4, 5, 6"),
        ("simple", 13, "seat 1, action = 13: unknown choice; one of 0, 1, 2, 3, 4, 5, 6"),
        ("simple", -1, "seat 1, action = -1: unknown choice; one of 0, 1, 2, 3, 4, 5, 6"),
        ("simple", 2.5, "seat 1, action = 2.5: must be a whole number"),
        ("simple", NAN, "seat 1, action = nan: must be a finite number"),
        ("simple", INF, "seat 1, action = inf: must be a finite number"),
        ("simple", "up", "seat 1, action = 'up': must be a number"),
        ("simple", None, "seat 1, action = None: must be a number"),
        ("simple", True, "seat 1, action = True: must be a number"),
        ("composite", 13, "seat 1, action = 13: unknown choice; one of 0 to 12"),
        ("composite", -1, "seat 1, action = -1: unknown choice; one of 0 to 12"),
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


def test_in_a_batch_the_play_is_named_too():
    game = votes()
    states, _ = game.reset(np.arange(2))
    actions = {"action": np.array([[0, 0, 0], [0, 0, 7]])}
    with pytest.raises(ActionError, match=r"play \(1,\), seat 2, action = 7: unknown choice"):
        game.step(states, actions, game.draw_chance(np.arange(2), 0))


def test_the_meaning_of_every_action_number_is_declared():
    said = (
        "simple: 0 up, 1 down, 2 left, 3 right, 4 vote_increase, 5 vote_decrease, 6 noop; "
        "composite: 0 up_no_vote, 1 down_no_vote, 2 left_no_vote, 3 right_no_vote, "
        "4 up_increase, 5 down_increase, 6 left_increase, 7 right_increase, "
        "8 up_decrease, 9 down_decrease, 10 left_decrease, 11 right_decrease, 12 noop"
    )
    for mode, last in (("simple", 6), ("composite", 12)):
        (action,) = votes(actions=mode).declaration.actions
        assert (action.meaning, action.high, action.default) == (said, last, last)


def test_who_does_not_decide_does_nothing():
    assert Episode(votes()).allowed(0).default == {"action": 6}
    assert Episode(votes(actions="composite")).allowed(0).default == {"action": 12}


# -- defaults -----------------------------------------------------------------------------


def test_the_defaults_are_the_numbers_of_the_source():
    assert core_of(votes()) == SOURCE


def test_what_follows_from_other_values_is_written_out():
    core = core_of(votes(resources={"gem": {"value": 2}, "coin": {}}))
    assert core["taboo"] == ["gem", "coin"]
    assert core["spawn_weights"] == {"gem": 1, "coin": 1}
    assert core["resources"] == {
        "gem": {"value": 2, "harm": 0},
        "coin": {"value": 0, "harm": 0},
    }


def test_taboos_and_weights_are_kept_in_the_order_of_the_kinds():
    weights = {"E": 5, "D": 4, "C": 3, "B": 2, "A": 1}
    core = core_of(votes(taboo=["E", "B", "E"], spawn_weights=weights))
    assert core["taboo"] == ["B", "E"]
    assert list(core["spawn_weights"].items()) == [("A", 1), ("B", 2), ("C", 3), ("D", 4), ("E", 5)]


def test_no_taboo_is_not_every_taboo():
    assert core_of(votes(taboo=[]))["taboo"] == []
    assert core_of(votes(taboo=None))["taboo"] == ["A", "B", "C", "D", "E"]


@pytest.mark.parametrize("archetype", [None, *sorted(GAME.archetypes)])
def test_a_configuration_goes_through_json_and_back_unchanged(archetype):
    config = votes(archetype=archetype, seed=5).config
    text = config.model_dump_json()
    again = engine.make(json.loads(text)).config
    assert again == config
    assert again.model_dump_json() == text


def test_a_configuration_of_its_own_goes_through_json_too():
    core = {"resources": {"X": {"value": 1}, "Y": {"harm": 2}}, "spawn_weights": {"Y": 1, "X": 0}}
    game = votes(**core, taboo=[], seed=3)
    again = engine.make(json.loads(game.config.model_dump_json()))
    assert again.config == game.config
    assert np.array_equal(again.reset(3)[0]["grid"], game.reset(3)[0]["grid"])


# -- archetypes ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("archetype", "named"),
    [
        ("source", {}),
        ("sequential", {"timing": "sequential"}),
        ("composite", {"actions": "composite", "views": "composite"}),
        ("separate_worlds", {"worlds": "separate"}),
        (
            "lab_0_7",
            {
                "seats": 4,
                "turns": 80,
                "height": 12,
                "width": 12,
                "vision": 3,
                "map_memory": True,
                "initial_resources": 20,
                "spawn_probability": 0.01,
                "resources": {**SOURCE["resources"], "B": {"value": 7.0, "harm": 3.0}},
                "taboo": ["B"],
            },
        ),
        (
            "lab",
            {
                "seats": 4,
                "turns": 100,
                "height": 12,
                "width": 12,
                "vision": 3,
                "map_memory": True,
                "initial_resources": 20,
                "spawn_probability": 0.02,
                "spawn_weights": {"A": 4.0, "B": 1.0},
                "resources": {"A": {"value": 3.0, "harm": 0.0}, "B": {"value": 5.0, "harm": 3.0}},
                "taboo": ["B"],
            },
        ),
    ],
)
def test_an_archetype_is_the_source_with_what_it_names(archetype, named):
    assert core_of(votes(archetype=archetype)) == {**SOURCE, **named}


def test_these_are_all_archetypes():
    assert set(GAME.archetypes) == {
        "source",
        "sequential",
        "composite",
        "separate_worlds",
        "lab",
        "lab_0_7",
        "weighted_votes",
    }


def test_the_source_game_lasts_a_hundred_turns_and_the_earlier_lab_eighty():
    assert votes(archetype="source").horizon == 100
    assert votes(archetype="lab_0_7").horizon == 80


def test_the_grid_of_the_earlier_lab_has_a_hundred_cells_inside():
    grid = votes(archetype="lab_0_7").reset(0)[0]["grid"]
    assert (grid != 1).sum() == 100
    assert ((grid >= 2) & (grid <= 6)).sum() == 20


def lab_board(kind, level, archetype="lab_0_7"):
    """The parameters of a lab on a small board: seat 0 has a kind on its right."""
    size = {"height": 4, "width": 6, "spawn_probability": 0, "initial_resources": 0}
    rows = "######", f"#0{kind}..#", "#1.23#", "######"
    return board(*rows, archetype=archetype, level=level, **size)


@pytest.mark.parametrize(
    ("kind", "level", "own", "others"),
    [
        # 5 - 10 p for the collector of B, and 3 less for each of the others
        ("A", 0.0, 3.0, 0.0),
        ("A", 1.0, 3.0, 0.0),
        ("B", 0.0, 5.0, -3.0),
        ("B", 0.1, 4.0, -3.0),
        ("B", 0.5, 0.0, -3.0),
        ("B", 0.7, -2.0, -3.0),
    ],
)
def test_in_the_lab_only_b_harms_and_is_punished(kind, level, own, others):
    game, state = lab_board(kind, level, "lab")
    _, outcome = turn(game, state, RIGHT, NOOP, NOOP, NOOP)
    assert outcome.rewards == pytest.approx([own, others, others, others])


@pytest.mark.parametrize(
    ("kind", "group"),
    [
        # 7 - 3 * 3, 3 - 3 * 0.5, 2 - 3 * 0.3, -2 - 3 * 1.5, 1 - 3 * 0.1
        ("B", -2.0),
        ("A", 1.5),
        ("C", 1.1),
        ("D", -6.5),
        ("E", 0.7),
    ],
)
def test_what_the_group_of_the_earlier_lab_gains_from_each_kind(kind, group):
    game, state = lab_board(kind, level=0.0)
    _, outcome = turn(game, state, RIGHT, NOOP, NOOP, NOOP)
    assert outcome.rewards.sum() == pytest.approx(group)


@pytest.mark.parametrize(
    ("level", "own"), [(0.0, 7.0), (0.1, 6.0), (0.5, 2.0), (0.7, 0.0), (0.75, -0.5), (0.9, -2.0)]
)
def test_in_the_earlier_lab_taking_b_pays_below_a_level_of_seven_tenths(level, own):
    # 7 - 10 p
    game, state = lab_board("B", level)
    _, outcome = turn(game, state, RIGHT, NOOP, NOOP, NOOP)
    assert outcome.rewards[0] == pytest.approx(own)
    assert parts(outcome, "harm") == [0, -3, -3, -3]


@pytest.mark.parametrize("kind", ["A", "C", "D", "E"])
def test_in_the_earlier_lab_only_b_is_taboo(kind):
    game, state = lab_board(kind, level=1.0)
    _, outcome = turn(game, state, RIGHT, NOOP, NOOP, NOOP)
    assert parts(outcome, "punishment") == [0, 0, 0, 0]


def test_in_the_earlier_lab_four_votes_raise_the_level_so_far_that_b_does_not_pay():
    # 0.1 + 4 * 0.2 = 0.9, for 4 * 0.1 = 0.4 points; after three, at 0.7, B is worth nothing.
    game, state = lab_board("B", level=0.1)
    after, outcome = turn(game, state, MORE, MORE, MORE, MORE)
    assert float(after["level"]) == pytest.approx(0.9)
    assert outcome.rewards.sum() == pytest.approx(-0.4)
    after, _ = turn(game, state, MORE, MORE, MORE, DOWN)
    assert float(after["level"]) == pytest.approx(0.7)
    after, _ = turn(game, state, MORE, MORE, MORE, LESS)
    assert float(after["level"]) == pytest.approx(0.5)
    for level, own in ((0.1, 6), (0.7, 0), (0.9, -2)):
        game, state = lab_board("B", level=level)
        _, outcome = turn(game, state, RIGHT, NOOP, NOOP, NOOP)
        assert outcome.rewards[0] == pytest.approx(own)


def test_in_the_source_taking_b_gives_more_than_it_costs_the_others():
    # 7 - 2 * 1.
    rows = "#####", "#0B.#", "#1.2#", "#####"
    game, state = board(*rows, archetype="source", level=0.0)
    _, outcome = turn(game, state, RIGHT, NOOP, NOOP)
    assert outcome.rewards.tolist() == [7, -1, -1]
