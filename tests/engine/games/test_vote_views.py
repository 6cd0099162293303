"""Observations in the punishment vote: the window, the votes and the account."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company.engine import Episode
from tests.engine.games.votes import (
    LEFT,
    LESS,
    MORE,
    NOOP,
    RIGHT,
    UP,
    after_noops,
    board,
    boards,
    lane,
    parts,
    picture,
    turn,
    turn_of_many,
    votes,
    window_of,
)

ROWS = ["#######", "#A...B#", "#.01..#", "#..2.C#", "#######"]


def windows(game, seen):
    """Return each seat's window, as rows."""
    return [window_of(game, window) for window in seen["window"]]


# -- windows ------------------------------------------------------------------------------


def test_a_window_is_one_hot_over_empty_wall_resources_and_seats():
    # Two seats, five kinds: 0 empty, 1 wall, 2 A, 3 B, 4 C, 5 D, 6 E, 7 seat 0, 8 seat 1.
    game, state = lane("A01E", vision=1)
    window = after_noops(game, state)["window"]
    assert window.shape == (2, 3, 3, 9)
    wall = [0, 1, 0, 0, 0, 0, 0, 0, 0]
    assert window[0].tolist() == [
        [wall, wall, wall],
        [[0, 0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0, 0, 0, 1]],
        [wall, wall, wall],
    ]
    assert window[1].tolist()[1] == [
        [0, 0, 0, 0, 0, 0, 0, 1, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 1],
        [0, 0, 0, 0, 0, 0, 1, 0, 0],
    ]


def test_a_seat_with_vision_0_sees_only_itself():
    game, state = lane("0.1", vision=0)
    window = after_noops(game, state)["window"]
    assert window.tolist() == [[[[0] * 7 + [1, 0]]], [[[0] * 7 + [0, 1]]]]


def test_the_window_shows_the_cells_around():
    game, state = board(*ROWS, vision=1)
    assert windows(game, after_noops(game, state)) == [
        ["A..", ".01", "..2"],
        ["...", "01.", ".2."],
        ["01.", ".2.", "###"],
    ]


def test_beyond_the_edge_a_window_shows_walls():
    game, state = board(*ROWS, vision=3)
    assert windows(game, after_noops(game, state)) == [
        ["#######", "#######", "##A...B", "##.01..", "##..2.C", "#######", "#######"],
        ["#######", "#######", "#A...B#", "#.01..#", "#..2.C#", "#######", "#######"],
        ["#######", "#A...B#", "#.01..#", "#..2.C#", "#######", "#######", "#######"],
    ]


@pytest.mark.parametrize("vision", [0, 1, 2, 4])
@pytest.mark.parametrize("worlds", ["shared", "separate"])
def test_each_seat_is_in_the_middle_of_its_own_window(vision, worlds):
    game = votes(seats=4, vision=vision, worlds=worlds)
    for seed in range(5):
        episode = Episode(game, seed)
        for actions in ([0, 1, 2, 3], [3, 2, 1, 0], [4, 0, 0, 3]):
            for seat in range(4):
                rows = window_of(game, episode.observation(seat)["window"])
                assert rows[vision][vision] == str(seat)
            episode.step({"action": actions})


def test_the_window_shows_the_state_after_the_turn():
    game, state = lane("0A.B", vision=1)
    _, outcome = turn(game, state, RIGHT)
    assert windows(game, outcome.observations) == [["###", ".0.", "###"]]


def test_composite_views_show_all_windows_with_the_seats_own_first():
    game, state = board(*ROWS, vision=1, views="composite")
    window = after_noops(game, state)["window"]
    assert window.shape == (3, 3, 3, 3, 10)
    zero, first, two = ["A..", ".01", "..2"], ["...", "01.", ".2."], ["01.", ".2.", "###"]
    seen = [[window_of(game, view) for view in views] for views in window]
    assert seen == [[zero, first, two], [first, zero, two], [two, zero, first]]


def test_in_separate_worlds_nobody_sees_another():
    edge = "####"
    game, state = boards((edge, "#0A#", edge), (edge, "#1.#", edge), vision=1)
    assert windows(game, after_noops(game, state)) == [["###", "#0A", "###"], ["###", "#1.", "###"]]


def test_composite_views_show_the_worlds_of_the_others():
    edge = "####"
    grids = (edge, "#0A#", edge), (edge, "#1.#", edge)
    game, state = boards(*grids, vision=1, views="composite")
    first, other = after_noops(game, state)["window"][0]
    assert window_of(game, first)[1] == "#0A"
    assert window_of(game, other)[1] == "#1."


# -- numbers ------------------------------------------------------------------------------


def test_a_blocked_move_shows_in_row_and_column():
    game, state = lane("0.1")
    state, outcome = turn(game, state, LEFT, LEFT)
    assert outcome.observations["column"].tolist() == [1, 2]


def test_the_votes_of_the_last_turn_are_counted():
    game, state = board(*ROWS, vote_step=0.125)
    state, outcome = turn(game, state, MORE, MORE, LESS)
    seen = outcome.observations
    assert (seen["increases"], seen["decreases"], seen["level"]) == (2, 1, 0.625)
    state, outcome = turn(game, state, NOOP, LESS, RIGHT)
    seen = outcome.observations
    assert (seen["increases"], seen["decreases"], seen["level"]) == (0, 1, 0.5)


def test_one_by_one_each_seat_sees_its_own_account():
    # 1 takes A (0.5) and 2 takes C (0.3). 0 has moved before both, and 1 before 2.
    game, state = board("####", "#.0#", "#1A#", "#2C#", "####", timing="sequential")
    state, outcome = turn(game, state, NOOP, RIGHT, RIGHT)
    assert outcome.observations["pending_harm"].tolist() == [0.8, 0.3, 0]
    state, outcome = turn(game, state, NOOP, NOOP, NOOP)
    assert parts(outcome, "harm") == [-0.8, -0.3, 0]
    assert outcome.observations["pending_harm"].tolist() == [0, 0, 0]


def test_the_first_observation():
    game = votes(initial_level=0.25)
    state, seen = game.reset(5)
    assert (seen["level"], seen["increases"], seen["decreases"]) == (0.25, 0, 0)
    assert (seen["period"], seen["ended"]) == (0, False)
    assert seen["seat"].tolist() == [0, 1, 2]
    assert seen["pending_harm"].tolist() == [0, 0, 0]
    assert seen["row"].tolist() == state["row"].tolist()
    assert seen["column"].tolist() == state["column"].tolist()
    grid = picture(game, state["grid"][0])
    for seat, rows in enumerate(windows(game, seen)):
        row, column = int(state["row"][seat]), int(state["column"][seat])
        assert grid[row][column] == str(seat)
        assert rows[2][2] == str(seat)
        assert rows[1][1:4] == grid[row - 1][column - 1 : column + 2]


def test_each_seat_sees_only_its_own_collection_in_the_last_turn():
    game, state = lane("A01C", vision=0)
    state, outcome = turn(game, state, LEFT, RIGHT)
    assert outcome.observations["collected"].tolist() == [1, 3]
    (field,) = [field for field in game.declaration.observations if field.name == "collected"]
    assert field.visibility == "private"
    state, outcome = turn(game, state, NOOP, NOOP)
    assert outcome.observations["collected"].tolist() == [0, 0]


@pytest.mark.parametrize("map_memory", [False, True])
def test_a_seat_sees_the_declared_fields_and_not_the_state(map_memory):
    seen = set(votes(map_memory=map_memory).reset(0)[1])
    names = {"window", "level", "pending_harm", "noise", "row", "column", "increases", "decreases"}
    assert names <= seen
    assert {"remembered", "last_seen"} <= seen or not map_memory
    assert not seen & {"grid", "harm", "vote", "moved", "punished", "harm_paid", "order", "lottery"}


# -- noise --------------------------------------------------------------------------------

PLAYS = 20_000


def noises(period=0):
    """Return the noise after a turn, over many seeds, shape (plays, 3)."""
    game, state = lane("012")
    _, outcome = turn_of_many(game, state, [NOOP] * 3, PLAYS, period)
    return outcome.observations["noise"]


def test_noise_is_uniform():
    # The mean is 1/2 with a standard error of sqrt(1/12 / N); each of 10 bins has N/10 with an sd
    # of sqrt(0.09 N).
    drawn = noises()
    assert drawn.min() >= 0
    assert drawn.max() < 1
    assert np.abs(drawn.mean(axis=0) - 0.5).max() < 4 * np.sqrt(1 / 12 / PLAYS)
    for numbers in drawn.T:
        bins = np.histogram(numbers, bins=10, range=(0, 1))[0]
        assert np.abs(bins - PLAYS / 10).max() < 4 * np.sqrt(0.09 * PLAYS)


def test_noise_is_independent_for_each_seat_and_turn():
    # The correlation of N independent pairs has standard error 1 / sqrt(N).
    related = np.corrcoef(np.hstack([noises(0), noises(1)]).T)
    assert np.abs(related[np.triu_indices(6, 1)]).max() < 4 / np.sqrt(PLAYS)


def test_noise_does_not_reveal_who_moves_first():
    # The smallest of three numbers belongs to the first mover in a third of the plays.
    chance = votes().draw_chance(np.arange(PLAYS), 0)
    same = (chance["noise"].argmin(axis=-1) == chance["order"][:, 0]).mean()
    assert abs(same - 1 / 3) < 4 * np.sqrt(2 / 9 / PLAYS)


def test_noise_does_not_reveal_who_is_punished():
    # The correlation of N independent pairs has standard error 1 / sqrt(N).
    chance = votes(punishment="lottery").draw_chance(np.arange(PLAYS), 0)
    related = np.corrcoef(chance["noise"].T, chance["lottery"].T)[:3, 3:]
    assert np.abs(related).max() < 4 / np.sqrt(PLAYS)


def test_looking_changes_nothing():
    game, state = lane("0A1", vision=1, map_memory=True)
    state, outcome = turn(game, state, UP, UP)
    again = game.observe(state, game.draw_chance(0, 0))
    for name, value in outcome.observations.items():
        assert np.array_equal(again[name], value), name
