"""Moves of seats in the punishment vote: obstacles and collected resources."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.games.votes import (
    DOWN,
    LEFT,
    LESS,
    MORE,
    NOOP,
    RIGHT,
    TIMINGS,
    UP,
    board,
    boards,
    grid_of,
    lane,
    lane_of,
    turn,
    votes,
)

MOVES = [UP, DOWN, LEFT, RIGHT]
NOTHING = {name: [0.0] for name in ("value", "punishment", "vote_cost", "harm")}


def earned(outcome):
    return {name: value.tolist() for name, value in outcome.components.items()}


# -- one seat -----------------------------------------------------------------------------


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize(
    ("action", "rows"),
    [
        (UP, ["#####", "#.0.#", "#...#", "#...#", "#####"]),
        (DOWN, ["#####", "#...#", "#...#", "#.0.#", "#####"]),
        (LEFT, ["#####", "#...#", "#0..#", "#...#", "#####"]),
        (RIGHT, ["#####", "#...#", "#..0#", "#...#", "#####"]),
    ],
)
def test_a_move_goes_one_cell_and_leaves_an_empty_one(timing, action, rows):
    game, state = board("#####", "#...#", "#.0.#", "#...#", "#####", timing=timing)
    after, outcome = turn(game, state, action)
    assert grid_of(game, after) == rows
    assert after["moved"].tolist() == [True]
    assert earned(outcome) == NOTHING


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("action", MOVES)
def test_a_move_into_a_wall_has_no_effect(timing, action):
    game, state = board("###", "#0#", "###", timing=timing, level=1.0)
    after, outcome = turn(game, state, action)
    assert grid_of(game, after) == ["###", "#0#", "###"]
    assert (after["row"].tolist(), after["column"].tolist()) == ([1], [1])
    assert after["moved"].tolist() == [False]
    assert after["collected"].tolist() == [0]
    assert earned(outcome) == NOTHING
    assert after["level"] == 1.0


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("action", MOVES)
def test_a_move_into_a_stationary_seat_is_blocked(timing, action):
    rows = ["#####", "#A1B#", "#203#", "#C4D#", "#####"]
    game, state = board(*rows, timing=timing)
    after, outcome = turn(game, state, action, NOOP, MORE, NOOP, LESS)
    assert grid_of(game, after) == rows
    assert after["moved"].tolist() == [False] * 5
    assert after["collected"].tolist() == [0] * 5
    assert outcome.components["value"].tolist() == [0] * 5
    assert outcome.components["vote_cost"].tolist() == [0, 0, -0.1, 0, -0.1]


@pytest.mark.parametrize("timing", TIMINGS)
def test_a_move_onto_a_resource_takes_it_once_and_leaves_an_empty_cell(timing):
    game, state = lane("0AB", timing=timing)
    seen, taken = [lane_of(game, state)], []
    for action in (RIGHT, RIGHT, LEFT):
        state, _ = turn(game, state, action)
        seen.append(lane_of(game, state))
        taken.append(int(state["collected"][0]))
    assert seen == ["0AB", ".0B", "..0", ".0."]
    assert taken == [1, 2, 0]


# -- seats in each other's way ------------------------------------------------------------


@pytest.mark.parametrize(("before", "rest"), [("01.", "0.1"), ("10.", ".10")])
def test_one_by_one_only_a_later_seat_can_follow(before, rest):
    game, state = lane(before, timing="sequential")
    for order in ([0, 1], [1, 0]):
        after, _ = turn(game, state, RIGHT, RIGHT, order=order)
        assert lane_of(game, after) == rest


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_two_seats_cannot_swap_cells(order):
    game, state = lane("01")
    after, _ = turn(game, state, RIGHT, LEFT, order=order)
    assert lane_of(game, after) == "01"
    assert after["moved"].tolist() == [False, False]


@pytest.mark.parametrize(
    ("order", "rest", "taken"), [([0, 1], ".01", [2, 0]), ([1, 0], "01.", [0, 2])]
)
def test_of_two_seats_that_want_a_cell_the_first_in_order_gets_it(order, rest, taken):
    game, state = lane("0B1")
    after, outcome = turn(game, state, RIGHT, LEFT, order=order)
    assert lane_of(game, after) == rest
    assert after["collected"].tolist() == taken
    assert sorted(outcome.components["value"].tolist()) == [0, 7]
    # The seat that came too late only suffers the harm of the other's B.
    late = order[1]
    assert outcome.rewards[late] == -1


def test_the_drawn_order_is_used():
    game, state = lane("0A1")
    winners = []
    for seed in range(40):
        after, _ = turn(game, state, RIGHT, LEFT, seed=seed)
        winners.append(int(np.flatnonzero(after["collected"])[0]))
    assert winners == [int(game.draw_chance(seed, 0)["order"][0]) for seed in range(40)]
    assert set(winners) == {0, 1}


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_of_four_seats_around_a_resource_only_the_first_gets_it(order):
    game, state = board("#####", "#.0.#", "#2A3#", "#.1.#", "#####")
    after, _ = turn(game, state, DOWN, UP, RIGHT, LEFT, order=order)
    taken = [0, 0, 0, 0]
    taken[order[0]] = 1
    assert after["collected"].tolist() == taken
    assert after["moved"].tolist() == [bool(moved) for moved in taken]
    assert grid_of(game, after)[2][2] == str(order[0])


def test_a_third_seat_can_follow_once_the_second_has_moved():
    # Seat 2 goes first, then 1 into 2's cell, then 0 into 1's cell. In the reverse order only 2
    # moves.
    game, state = lane("012.")
    assert lane_of(game, turn(game, state, *[RIGHT] * 3, order=[2, 1, 0])[0]) == ".012"
    assert lane_of(game, turn(game, state, *[RIGHT] * 3, order=[0, 1, 2])[0]) == "01.2"
    assert lane_of(game, turn(game, state, *[RIGHT] * 3, order=[2, 0, 1])[0]) == "0.12"


# -- moves with a vote --------------------------------------------------------------------

# number: move of a seat with A above, B below, C to its left and D to its right
COMPOSITE = {
    0: ("up", 1, 0),
    1: ("down", 2, 0),
    2: ("left", 3, 0),
    3: ("right", 4, 0),
    4: ("up", 1, 1),
    5: ("down", 2, 1),
    6: ("left", 3, 1),
    7: ("right", 4, 1),
    8: ("up", 1, -1),
    9: ("down", 2, -1),
    10: ("left", 3, -1),
    11: ("right", 4, -1),
}
WENT = {
    "up": ["#####", "#.0.#", "#C.D#", "#.B.#", "#####"],
    "down": ["#####", "#.A.#", "#C.D#", "#.0.#", "#####"],
    "left": ["#####", "#.A.#", "#0.D#", "#.B.#", "#####"],
    "right": ["#####", "#.A.#", "#C.0#", "#.B.#", "#####"],
}


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("action", COMPOSITE)
def test_each_composite_action_has_exactly_its_effect(timing, action):
    rows = ["#####", "#.A.#", "#C0D#", "#.B.#", "#####"]
    game, state = board(*rows, actions="composite", timing=timing, vote_step=0.25)
    after, outcome = turn(game, state, action)
    where, taken, vote = COMPOSITE[action]
    assert grid_of(game, after) == WENT[where]
    assert after["collected"].tolist() == [taken]
    assert after["vote"].tolist() == [vote]
    assert after["level"] == 0.5 + 0.25 * vote
    assert (after["increases"], after["decreases"]) == (vote == 1, vote == -1)
    assert outcome.components["vote_cost"].tolist() == [-0.1 if vote else 0.0]


@pytest.mark.parametrize("timing", TIMINGS)
def test_the_composite_noop_does_nothing_at_all(timing):
    rows = ["#####", "#.A.#", "#C0D#", "#.B.#", "#####"]
    game, state = board(*rows, actions="composite", timing=timing)
    after, outcome = turn(game, state, 12)
    assert earned(outcome) == NOTHING
    assert after["period"] == 1
    for name in set(state) - {"period"}:
        assert np.array_equal(after[name], state[name]), name


@pytest.mark.parametrize(("action", "level"), [(0, 0.5), (4, 0.75), (8, 0.25)])
def test_a_vote_takes_effect_and_costs_although_its_move_is_blocked(action, level):
    game, state = lane("0A", actions="composite", vote_step=0.25)
    after, outcome = turn(game, state, action)
    assert lane_of(game, after) == "0A"
    assert after["level"] == level
    assert outcome.rewards.tolist() == [0.0 if action == 0 else -0.1]


# -- separate worlds ----------------------------------------------------------------------


@pytest.mark.parametrize("timing", TIMINGS)
def test_in_separate_worlds_seats_do_not_meet(timing):
    # On one grid they would block each other: 0 moves to 1's cell and 1 to 0's.
    edge = "####"
    game, state = boards((edge, "#0.#", edge), (edge, "#.1#", edge), timing=timing)
    after, _ = turn(game, state, RIGHT, LEFT)
    assert grid_of(game, after, 0) == [edge, "#.0#", edge]
    assert grid_of(game, after, 1) == [edge, "#1.#", edge]
    assert after["moved"].tolist() == [True, True]


def test_in_separate_worlds_each_seat_takes_its_own_resource_from_the_same_cell():
    edge = "####"
    game, state = boards((edge, "#0A#", edge), (edge, "#1B#", edge), (edge, "#2A#", edge))
    after, outcome = turn(game, state, RIGHT, RIGHT, NOOP)
    assert after["collected"].tolist() == [1, 2, 0]
    assert outcome.components["value"].tolist() == [3, 7, 0]
    # A resource taken by another seat is still there in the seat's own world.
    assert [grid_of(game, after, world)[1] for world in range(3)] == ["#.0#", "#.1#", "#2A#"]


# -- any actions --------------------------------------------------------------------------

STEPS = {UP: (-1, 0), DOWN: (1, 0), LEFT: (0, -1), RIGHT: (0, 1)}
action = st.integers(0, 6)
script = st.lists(st.lists(action, min_size=3, max_size=3), min_size=1, max_size=8)


@given(
    script,
    st.sampled_from(TIMINGS),
    st.sampled_from(["shared", "separate"]),
    st.sampled_from([0.0, 0.3]),
    st.integers(0, 1000),
)
@settings(max_examples=25)
def test_seats_stay_apart_walls_stay_and_a_seat_moves_as_intended_or_not_at_all(
    actions, timing, worlds, spawning, seed
):
    game = votes(
        height=4,
        width=5,
        initial_resources=2,
        turns=8,
        timing=timing,
        worlds=worlds,
        spawn_probability=spawning,
    )
    before, _ = game.reset(seed)
    walls = before["grid"] == 1
    for sent in actions:
        after, _ = turn(game, before, *sent, seed=seed)
        assert np.array_equal(after["grid"] == 1, walls)
        for seat, number in enumerate(sent):
            world = seat if worlds == "separate" else 0
            place = (world, int(after["row"][seat]), int(after["column"][seat]))
            # Code 7 + seat: after empty, wall and five kinds. Each seat is alone on its cell.
            assert np.argwhere(after["grid"] == 7 + seat).tolist() == [list(place)]
            down, right = STEPS.get(number, (0, 0)) if after["moved"][seat] else (0, 0)
            assert after["row"][seat] == before["row"][seat] + down
            assert after["column"][seat] == before["column"][seat] + right
            assert number in MOVES or not after["moved"][seat]
            assert after["moved"][seat] or not after["collected"][seat]
        if not spawning:
            left = int(((before["grid"] > 1) & (before["grid"] < 7)).sum())
            left -= int((after["collected"] > 0).sum())
            assert int(((after["grid"] > 1) & (after["grid"] < 7)).sum()) == left
        before = after
