"""Randomness in the punishment vote: spawns, start positions and the order of moves.

A share of N independent draws has a standard error of sqrt(p (1 - p) / N). The tests allow four
standard errors.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2

from mixed_company.engine import Episode
from tests.engine.games.votes import (
    DOWN,
    LEFT,
    NOOP,
    RIGHT,
    UP,
    board,
    boards,
    grid_of,
    lane,
    lane_of,
    turn,
    turn_of_many,
    votes,
)

PLAYS = 4000
ROOM = (
    "########",
    *["#......#"] * 5,
    "#.....0#",
    "########",
)  # 6 x 6 cells with a seat on one of them
TURNS = range(5)


def error(share, count):
    return 4 * np.sqrt(share * (1 - share) / count)


def resources(grid):
    """Return the mask of resources: codes 2 to 6, after empty and wall and before the seats."""
    return (grid >= 2) & (grid <= 6)


def grown(*rows, plays=PLAYS, period=0, **core):
    """Return the grids of many plays after a turn without actions."""
    game, state = board(*rows, **core)
    after, _ = turn_of_many(game, state, [NOOP] * game.seats, plays, period)
    return after["grid"][:, 0]


# -- spawning -----------------------------------------------------------------------------


@pytest.mark.parametrize("chance", [0.01, 0.05, 0.5])
def test_an_empty_cell_gets_a_resource_as_often_as_it_should(chance):
    # 36 cells minus the seat's cell.
    count = PLAYS * 35
    share = resources(grown(*ROOM, spawn_probability=chance)).sum() / count
    assert abs(share - chance) < error(chance, count)


def test_every_empty_cell_is_as_likely_as_any_other():
    counts = resources(grown(*ROOM, spawn_probability=0.5)).mean(axis=0)[1:-1, 1:-1]
    shares = np.delete(counts.ravel(), 35)
    # The sum of 35 squared standard scores is a chi-square with 35 degrees of freedom.
    scores = (shares - 0.5) / np.sqrt(0.25 / PLAYS)
    assert chi2.ppf(0.0001, 35) < (scores**2).sum() < chi2.ppf(0.9999, 35)


def test_cells_spawn_independently():
    # The number on 35 cells has a variance of 35 * 0.25. A variance v has a standard error of about
    # v * sqrt(2 / N).
    numbers = resources(grown(*ROOM, spawn_probability=0.5)).sum(axis=(1, 2))
    variance = 35 * 0.25
    assert abs(numbers.var() - variance) < 4 * variance * np.sqrt(2 / PLAYS)


def test_spawns_differ_from_turn_to_turn():
    first, second = (
        grown(*ROOM, spawn_probability=0.5, plays=50, period=period) for period in (0, 1)
    )
    # In each of 50 plays, all 35 cells are alike in both turns with a chance of (1/2)^35.
    assert (first != second).any(axis=(1, 2)).all()


@pytest.mark.parametrize(
    ("weights", "shares"),
    [
        (None, [0.2, 0.2, 0.2, 0.2, 0.2]),
        ({"A": 1, "B": 3, "C": 4, "D": 2, "E": 10}, [0.05, 0.15, 0.2, 0.1, 0.5]),
        # Listed in another order, weights still belong to their kinds.
        ({"E": 10, "D": 2, "C": 4, "B": 3, "A": 1}, [0.05, 0.15, 0.2, 0.1, 0.5]),
        ({"A": 0, "B": 1, "C": 0, "D": 3, "E": 0}, [0, 0.25, 0, 0.75, 0]),
        ({"A": 1, "B": 0, "C": 0, "D": 0, "E": 0}, [1, 0, 0, 0, 0]),
        ({"A": 0, "B": 0, "C": 0, "D": 0, "E": 0.001}, [0, 0, 0, 0, 1]),
    ],
)
@pytest.mark.parametrize("when", ["turn", "start"])
def test_kinds_appear_by_their_weights_and_never_at_weight_zero(weights, shares, when):
    if when == "turn":
        grid = grown(*ROOM, spawn_probability=0.5, spawn_weights=weights)
    else:
        game = votes(initial_resources=18, spawn_weights=weights, spawn_probability=0)
        grid = game.reset(np.arange(PLAYS))[0]["grid"]
    codes = grid[resources(grid)]
    for kind, share in enumerate(shares):
        assert abs((codes == 2 + kind).mean() - share) <= error(share, codes.size)


def test_at_chance_one_every_empty_cell_gets_a_resource_and_nothing_else_does():
    rows = "#####", "#B.0#", "#.1A#", "#C..#", "#####"
    weights = {"A": 0, "B": 0, "C": 0, "D": 1, "E": 0}
    game, state = board(*rows, spawn_probability=1, spawn_weights=weights)
    for seed in range(20):
        after, _ = turn(game, state, NOOP, NOOP, seed=seed)
        assert grid_of(game, after) == ["#####", "#BD0#", "#D1A#", "#CDD#", "#####"]


@pytest.mark.parametrize("timing", ["simultaneous", "sequential"])
def test_resources_spawn_before_the_seats_act(timing):
    # A resource beside the seat is taken in the same turn; the cell it leaves stays empty.
    weights = {"A": 0, "B": 1, "C": 0, "D": 0, "E": 0}
    game, state = lane("0..", spawn_probability=1, spawn_weights=weights, timing=timing)
    after, outcome = turn(game, state, RIGHT)
    assert lane_of(game, after) == ".0B"
    assert outcome.components["value"].tolist() == [7]


def test_in_separate_worlds_each_grid_has_its_own_chance():
    edge = "########"
    grids = [(edge, f"#{seat}.....#", edge) for seat in range(2)]
    game, state = boards(*grids, spawn_probability=0.5)
    after, _ = turn_of_many(game, state, [NOOP] * 2, PLAYS)
    grown_on = resources(after["grid"][:, :, 1, 2:7])
    assert np.abs(grown_on.mean(axis=(0, 2)) - 0.5).max() < error(0.5, PLAYS * 5)
    # Cells of the two worlds are alike in half of the cases.
    alike = (grown_on[:, 0] == grown_on[:, 1]).mean()
    assert abs(alike - 0.5) < error(0.5, PLAYS * 5)


# -- the start ----------------------------------------------------------------------------


@pytest.mark.parametrize("worlds", ["shared", "separate"])
@pytest.mark.parametrize(("count", "seats"), [(0, 1), (15, 3), (5, 7), (13, 7)])
def test_a_play_starts_with_its_resources_and_every_seat_on_its_own_cell(worlds, count, seats):
    # 4 x 5 cells inside the walls: the last case fills all 20 of a shared grid.
    game = votes(seats=seats, height=6, width=7, initial_resources=count, worlds=worlds)
    state, _ = game.reset(np.arange(200))
    grid = state["grid"]
    grids = seats if worlds == "separate" else 1
    assert grid.shape == (200, grids, 6, 7)
    assert (resources(grid).sum(axis=(2, 3)) == count).all()
    inside = np.zeros((6, 7), dtype=bool)
    inside[1:5, 1:6] = True
    assert ((grid == 1) == ~inside).all()
    for seat in range(seats):
        where = np.argwhere(grid == 7 + seat)
        world = seat if worlds == "separate" else 0
        place = np.stack([state["row"][:, seat], state["column"][:, seat]], axis=1)
        assert where.tolist() == [[play, world, *place[play].tolist()] for play in range(200)]


STARTS = 9000


@pytest.mark.parametrize("code", [2, 3, 4, 5, 6, 7, 8])
def test_every_cell_is_equally_likely_at_the_start(code):
    # 3 x 3 cells; codes 2 to 6 are the kinds, 7 and 8 the seats.
    game = votes(seats=2, height=5, width=5, initial_resources=2)
    grid = game.reset(np.arange(STARTS))[0]["grid"][:, 0, 1:-1, 1:-1]
    counts = (grid == code).sum(axis=0)
    expected = counts.sum() / 9
    assert ((counts - expected) ** 2 / expected).sum() < chi2.ppf(0.9999, 8)


def test_two_seats_start_on_every_pair_of_cells_equally_often():
    game = votes(seats=2, height=4, width=4, initial_resources=0)
    state, _ = game.reset(np.arange(STARTS))
    cell = 2 * (state["row"] - 1) + state["column"] - 1
    pairs, counts = np.unique(4 * cell[:, 0] + cell[:, 1], return_counts=True)
    assert len(pairs) == 12
    assert ((counts - STARTS / 12) ** 2 / (STARTS / 12)).sum() < chi2.ppf(0.9999, 11)


def test_in_separate_worlds_starts_are_independent():
    game = votes(seats=2, height=4, width=4, initial_resources=0, worlds="separate")
    state, _ = game.reset(np.arange(STARTS))
    cell = 2 * (state["row"] - 1) + state["column"] - 1
    counts = np.bincount(4 * cell[:, 0] + cell[:, 1], minlength=16)
    assert ((counts - STARTS / 16) ** 2 / (STARTS / 16)).sum() < chi2.ppf(0.9999, 15)


def test_the_start_depends_on_the_seed():
    game = votes()
    assert np.array_equal(game.reset(4)[0]["grid"], game.reset(4)[0]["grid"])
    starts = {game.reset(seed)[0]["grid"].tobytes() for seed in range(50)}
    assert len(starts) == 50


# -- the order of moves -------------------------------------------------------------------

AROUND = ("#####", "#.0.#", "#2A3#", "#.1.#", "#####")


def test_no_seat_wins_a_contested_cell_more_often_than_another():
    game, state = board(*AROUND)
    won = np.zeros(4)
    for period in TURNS:
        after, _ = turn_of_many(game, state, [DOWN, UP, RIGHT, LEFT], PLAYS, period)
        assert ((after["collected"] > 0).sum(axis=1) == 1).all()
        won += (after["collected"] > 0).sum(axis=0)
    count = PLAYS * len(TURNS)
    assert np.abs(won / count - 0.25).max() < error(0.25, count)


def test_in_a_single_play_the_winners_change_from_turn_to_turn():
    # In a play with one order for all turns the same seat would win twice every time.
    game, state = lane("0A1")
    first, second = (
        turn_of_many(game, state, [RIGHT, LEFT], PLAYS, period)[0]["collected"][:, 0] > 0
        for period in (3, 4)
    )
    assert abs((first == second).mean() - 0.5) < error(0.5, PLAYS)


def test_every_order_of_three_is_equally_likely():
    order = votes().draw_chance(np.arange(PLAYS), 0)["order"]
    assert (np.sort(order, axis=1) == [0, 1, 2]).all()
    _, counts = np.unique(order @ [100, 10, 1], return_counts=True)
    assert len(counts) == 6
    assert np.abs(counts / PLAYS - 1 / 6).max() < error(1 / 6, PLAYS)


def test_the_order_of_moves_is_independent_of_spawns():
    chance = votes(spawn_probability=0.5).draw_chance(np.arange(PLAYS), 0)
    first = chance["order"][:, 0] == 0
    spawned = (chance["spawned"] > 0).reshape(PLAYS, -1)
    # There are 100 correlations with a standard error of 1 / sqrt(N). Five standard errors are
    # allowed, because there are so many correlations.
    related = [np.corrcoef(first, cell)[0, 1] for cell in spawned.T]
    assert np.abs(related).max() < 5 / np.sqrt(PLAYS)


# -- one play and many --------------------------------------------------------------------


@pytest.mark.parametrize(
    "core",
    [
        {},
        {"timing": "sequential", "punishment": "lottery", "map_memory": True},
        {"actions": "composite", "views": "composite", "punishment": "lottery"},
        {"worlds": "separate", "map_memory": True, "height": 5, "width": 7},
        {"worlds": "separate", "timing": "sequential", "views": "composite"},
    ],
)
def test_a_batch_equals_its_plays_one_by_one(core):
    size = {"height": 6, "width": 7, "initial_resources": 6, "turns": 15}
    game = votes(**{**size, "spawn_probability": 0.2, **core})
    seeds = np.arange(6) * 1_000_003
    states, _ = game.reset(seeds)
    episodes = [Episode(game, int(seed)) for seed in seeds]
    rng = np.random.default_rng(1)
    high = 13 if core.get("actions") == "composite" else 7
    for period in range(15):
        actions = rng.integers(0, high, (6, 3))
        states, outcome = game.step(states, {"action": actions}, game.draw_chance(seeds, period))
        for play, episode in enumerate(episodes):
            step = episode.step({"action": actions[play]})
            assert np.array_equal(step.rewards, outcome.rewards[play])
            for name, value in episode.observations.items():
                assert np.array_equal(value, outcome.observations[name][play]), name
            for name, value in episode.state_record().items():
                assert value == states[name][play].tolist(), name
