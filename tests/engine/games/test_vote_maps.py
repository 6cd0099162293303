"""Map of the cells that a seat in the punishment vote has seen."""

from __future__ import annotations

import numpy as np

from tests.engine.games.votes import (
    LEFT,
    NOOP,
    RIGHT,
    after_noops,
    boards,
    lane,
    picture,
    turn,
    votes,
)


def maps(game, seen, seat):
    """Return the remembered kinds, and the turns in which they were seen, as rows. `?` marks unseen
    cells.
    """
    when = seen["last_seen"][seat]
    rows = picture(game, seen["remembered"][seat])
    shown = [
        "".join(sign if time >= 0 else "?" for sign, time in zip(row, line, strict=True))
        for row, line in zip(rows, when, strict=True)
    ]
    return shown, when.tolist()


def test_before_the_first_turn_a_map_shows_the_first_window():
    game = votes(seats=2, vision=1, map_memory=True, height=6, width=7, initial_resources=9)
    for seed in range(20):
        state, seen = game.reset(seed)
        grid = picture(game, state["grid"][0])
        for seat in range(2):
            shown, when = maps(game, seen, seat)
            place = int(state["row"][seat]), int(state["column"][seat])
            for row, column in np.ndindex(6, 7):
                near = max(abs(row - place[0]), abs(column - place[1])) <= 1
                sign = grid[row][column].replace("0", ".").replace("1", ".") if near else "?"
                assert shown[row][column] == sign
                assert when[row][column] == (0 if near else -1)


def test_a_map_keeps_cells_that_left_the_window():
    game, state = lane("A0B.C", vision=1, map_memory=True)
    state, outcome = turn(game, state, NOOP)
    assert maps(game, outcome.observations, 0) == (
        ["?###???", "?A.B???", "?###???"],
        [[-1, 1, 1, 1, -1, -1, -1]] * 3,
    )
    state, outcome = turn(game, state, RIGHT)
    assert maps(game, outcome.observations, 0) == (
        ["?####??", "?A...??", "?####??"],
        [[-1, 1, 2, 2, 2, -1, -1]] * 3,
    )
    state, outcome = turn(game, state, RIGHT)
    assert maps(game, outcome.observations, 0) == (
        ["?#####?", "?A...C?", "?#####?"],
        [[-1, 1, 2, 3, 3, 3, -1]] * 3,
    )


def test_a_map_does_not_show_changes_out_of_sight():
    game, state = lane("1A0...", vision=1, map_memory=True)
    state, _ = turn(game, state, NOOP, NOOP)
    state, _ = turn(game, state, RIGHT, NOOP)
    state, outcome = turn(game, state, RIGHT, RIGHT)
    # Seat 1 has taken the A, which seat 0 last saw after the first turn.
    assert state["collected"].tolist() == [0, 1]
    shown, when = maps(game, outcome.observations, 0)
    assert (shown[1], when[1]) == ("??A....?", [-1, -1, 1, 2, 3, 3, 3, -1])
    # It walks back and sees that the A is gone. Seat 1 is there, which counts as empty.
    state, _ = turn(game, state, LEFT, NOOP)
    state, outcome = turn(game, state, LEFT, NOOP)
    shown, when = maps(game, outcome.observations, 0)
    assert (shown[1], when[1]) == ("??.....?", [-1, -1, 5, 5, 5, 4, 3, -1])


def test_in_separate_worlds_a_map_shows_the_seats_own_world():
    edge = "#####"
    grids = (edge, "#0A.#", edge), (edge, "#1.B#", edge)
    game, state = boards(*grids, vision=1, map_memory=True)
    seen = after_noops(game, state)
    assert [maps(game, seen, seat)[0][1] for seat in range(2)] == ["#.A??", "#..??"]


def test_a_map_forgets_nothing_over_a_whole_play():
    game = votes(seats=2, vision=2, map_memory=True, turns=12, height=8, width=8)
    rng = np.random.default_rng(3)
    state, seen = game.reset(3)
    for number in range(1, 13):
        before = seen
        state, outcome = turn(game, state, *rng.integers(0, 7, 2).tolist(), seed=3)
        seen = outcome.observations
        looked = seen["last_seen"] == number
        assert (looked | (seen["last_seen"] == before["last_seen"])).all()
        assert (looked | (seen["remembered"] == before["remembered"])).all()
        # The current view is the grid without seats (codes 7 and 8).
        walls = np.where(state["grid"] >= 7, 0, state["grid"])
        assert (~looked | (seen["remembered"] == walls)).all()
        assert looked.sum(axis=(1, 2)).min() >= 9


def test_looking_beyond_the_edge_does_not_reveal_the_first_corner():
    game, state = lane("...0", vision=2, map_memory=True)
    shown, when = maps(game, after_noops(game, state), 0)
    assert shown[0] == "??####"
    assert when[0] == [-1, -1, 1, 1, 1, 1]


def test_without_a_map_nothing_is_remembered():
    game, state = lane("0A")
    assert "remembered" not in state
    assert "last_seen" not in after_noops(game, state)
