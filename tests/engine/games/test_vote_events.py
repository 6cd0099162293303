"""Events in the log of a turn of the punishment vote: conflicts, penalties, changes of the
level."""

from __future__ import annotations

import pytest

from tests.engine.games.votes import DOWN, LEFT, LESS, MORE, NOOP, RIGHT, board, boards, lane, turn


def events(game, state, *actions, **chance):
    after, outcome = turn(game, state, *actions, **chance)
    return game.events(state, outcome.used, after)


def test_a_turn_in_which_nothing_happens_has_no_event():
    game, state = lane("0..1")
    assert events(game, state, RIGHT, LEFT) == []
    assert events(game, state, NOOP, NOOP) == []


@pytest.mark.parametrize(("order", "winner", "loser"), [([0, 1], 0, 1), ([1, 0], 1, 0)])
def test_the_first_seat_gets_a_contested_cell(order, winner, loser):
    # the lane is row 1, its middle cell column 2
    game, state = lane("0.1")
    conflict = {"event": "conflict", "seat": winner, "others": [loser], "row": 1, "column": 2}
    assert events(game, state, RIGHT, LEFT, order=order) == [conflict]


def test_all_seats_that_wanted_the_cell_are_named():
    game, state = board("#####", "##0##", "#1.2#", "#####")
    (conflict,) = events(game, state, DOWN, RIGHT, LEFT, order=[2, 0, 1])
    assert conflict == {"event": "conflict", "seat": 2, "others": [0, 1], "row": 2, "column": 2}


def test_a_contested_resource_is_a_conflict_and_the_winner_is_penalised():
    # the expected loss is half of 10 at a level of one half
    game, state = lane("0A1", taboo=["A"])
    assert events(game, state, RIGHT, LEFT, order=[1, 0]) == [
        {"event": "conflict", "seat": 1, "others": [0], "row": 1, "column": 2},
        {"event": "penalty", "seat": 1, "points": 5.0},
    ]


@pytest.mark.parametrize(
    ("cells", "actions"),
    [
        ("01", (RIGHT, LEFT)),  # into each other
        ("01.", (RIGHT, NOOP)),  # into a seat that stays
        ("0.1", (LEFT, RIGHT)),  # into walls
        ("01.", (RIGHT, RIGHT)),  # into a cell that another seat leaves
    ],
)
def test_a_cell_wanted_by_one_seat_is_no_conflict(cells, actions):
    game, state = lane(cells)
    for order in ([0, 1], [1, 0]):
        assert events(game, state, *actions, order=order) == []


def test_a_seat_that_votes_next_to_a_cell_did_not_want_it():
    # the action of seat 1 keeps it in place; only the level moves
    game, state = lane("0.1")
    assert events(game, state, RIGHT, MORE) == [{"event": "vote", "from": 0.5, "to": 0.7}]


def test_a_vacated_cell_can_be_contested_by_two_others():
    # 1 leaves first, then 0 takes its place, and 2 comes too late
    game, state = board("#####", "##.##", "#012#", "#####")
    (conflict,) = events(game, state, RIGHT, 0, LEFT, order=[1, 0, 2])
    assert conflict == {"event": "conflict", "seat": 0, "others": [2], "row": 2, "column": 2}


def test_seats_in_turn_have_conflicts_too():
    game, state = lane("0.1", timing="sequential")
    (conflict,) = events(game, state, RIGHT, LEFT)
    assert (conflict["seat"], conflict["others"]) == (0, [1])


def test_seats_in_worlds_of_their_own_are_never_in_conflict():
    game, state = boards(("####", "#0.#", "####"), ("####", "#.1#", "####"))
    assert events(game, state, RIGHT, LEFT) == []
    game, state = boards(("####", "#0.#", "####"), ("####", "#1##", "####"))
    assert events(game, state, RIGHT, RIGHT) == []


def test_every_punished_seat_is_named_with_what_it_lost():
    game, state = lane("0AB1", level=0.3, taboo=["A"])
    assert events(game, state, RIGHT, LEFT) == [{"event": "penalty", "seat": 0, "points": 3.0}]
    game, state = lane("0AB1", level=0.3)
    listed = events(game, state, RIGHT, LEFT)
    assert [(event["seat"], event["points"]) for event in listed] == [(0, 3.0), (1, 3.0)]


def test_rounding_errors_of_a_level_are_no_penalty_and_no_move():
    # In binary, four votes to decrease by 0.1 take the level from 0.4 to 2.8e-17. A then costs
    # 2.8e-16 points, and a fifth vote moves the level by as little.
    game, state = lane("0A.1", level=0.4, vote_step=0.1)
    for _ in range(4):
        state, _ = turn(game, state, NOOP, LESS)
    assert 0 < state["level"] < 1e-16
    assert events(game, state, RIGHT, LESS) == []


def test_a_vote_is_an_event_if_the_level_moved():
    game, state = lane("0.1", level=0.25, vote_step=0.25)
    assert events(game, state, MORE, MORE) == [{"event": "vote", "from": 0.25, "to": 0.75}]
    assert events(game, state, LESS, NOOP) == [{"event": "vote", "from": 0.25, "to": 0.0}]
    assert events(game, state, MORE, LESS) == []


def test_a_level_that_moves_without_votes_is_no_vote_event():
    game, state = lane("0.1")
    after, outcome = turn(game, state, NOOP, NOOP)
    after["level"] = after["level"] + 0.1
    assert game.events(state, outcome.used, after) == []
