"""Planner and its map."""

from __future__ import annotations

import numpy as np
import pytest

from bots.punishment_vote.planner import Notebook
from mixed_company import engine
from tests.bots.scripted.punishment_vote.seat import NOTHING, UNSEEN, Seat

FREE = {"taboo": ()}


ROW = "..... ..... {} ..... .....".format
TO_THE_LEFT = ROW("B.@..")
"""View from (5, 5) with B at (5, 3)."""


def test_it_returns_to_a_resource_it_no_longer_sees():
    seat = Seat("planner", vision=2, **FREE)
    assert seat.sees(TO_THE_LEFT, cell=(5, 5)) == "left"
    assert seat.sees(ROW("..@.."), cell=(5, 7)) == "left"


def test_it_weighs_remembered_against_visible_resources():
    # From (5, 6) B is 7 / 3 a step: less than A next to it, more than C.
    for picture, way in {ROW("..@A."): "right", ROW("..@C."): "left"}.items():
        seat = Seat("planner:doubt=0", vision=2, **FREE)
        seat.sees(TO_THE_LEFT, cell=(5, 5))
        assert seat.sees(picture, cell=(5, 6)) == way


@pytest.mark.parametrize(
    ("doubt", "way"),
    [
        # After one turn B is worth 7 * 0.9 / 3 = 2.1, or 7 * 0.8 / 3 = 1.87 a step; C is worth 2.
        (0.1, "left"),
        (0.2, "right"),
    ],
)
def test_it_doubts_old_memories(doubt, way):
    seat = Seat(f"planner:doubt={doubt}", vision=2, **FREE)
    seat.sees(TO_THE_LEFT, cell=(5, 5))
    assert seat.sees(ROW("..@C."), cell=(5, 6)) == way


def test_it_forgets_a_resource_that_it_sees_is_gone():
    seat = Seat("planner", **FREE)
    seat.sees("... A@. ..B", cell=(5, 5))
    assert seat.memory["seen"] == {"5 4": [2, 0], "6 6": [3, 0]}
    seat.sees(NOTHING, cell=(5, 5))
    assert seat.memory["seen"] == {}


def test_it_forgets_memories_that_are_too_old():
    seat = Seat("planner:memory=2", **FREE)
    seat.sees("... A@. ...", cell=(5, 5))
    kept = []
    for _ in range(3):
        seat.sees(NOTHING, cell=(2, 2))
        kept.append(seat.memory["seen"])
    assert kept == [{"5 4": [2, 0]}, {"5 4": [2, 0]}, {}]


def test_it_does_not_remember_seats_and_walls():
    seat = Seat("planner", **FREE)
    seat.sees("### 1@2 ...", cell=(1, 5))
    assert seat.memory["seen"] == {}


@pytest.mark.parametrize(
    ("rows", "way"),
    [
        # Two steps to B, 3.5 a step, one to A, 3. Seat 1 needs three to B, then two.
        (".1... ..... B.@A.", "left"),
        ("1.... ..... B.@A.", "right"),
        # A two steps away, 1.5: less than half of 3.5. Then seat 1 is next to B.
        ("1.... ..... B.@.A", "left"),
        ("..... 1.... B.@.A", "right"),
    ],
)
def test_it_leaves_a_resource_to_a_nearer_seat(rows, way):
    assert Seat("planner", vision=2, **FREE).sees(f"{rows} ..... .....") == way


def test_without_known_resources_it_goes_where_it_has_not_looked_longest():
    # 10 x 10 and vision 2: four lookouts, at 3 and 7 in rows and columns. At (3, 3) the first is in
    # view. Those at (3, 7) and (7, 3) are equally near, and the first of them is chosen.
    seat = Seat("planner", vision=2, **FREE)
    empty = ROW("..@..")
    assert seat.policy.book.lookouts == [(3, 3), (3, 7), (7, 3), (7, 7)]
    assert seat.sees(empty, cell=(3, 3)) == "right"
    assert seat.memory["been"] == [0, -10, -10, -10]
    # At (3, 7), one turn later, the second has been in view too, and (7, 7) is nearest.
    assert seat.sees(empty, cell=(3, 7)) == "down"
    assert seat.memory["been"] == [0, 1, -10, -10]


def test_without_its_row_or_column_it_forages_by_the_window_only():
    seat = Seat("planner", vision=2, **FREE)
    seat.sees(TO_THE_LEFT, cell=(5, 5))
    for cell in ((UNSEEN, 7), (5, UNSEEN), (UNSEEN, UNSEEN)):
        assert seat.sees(ROW("..@.C"), cell=cell) == "right"


@pytest.mark.parametrize("cell", [(1, 1), (1, 8), (8, 1), (4, 5), (8, 8)])
@pytest.mark.parametrize("vision", [0, 1, 3, 10])
def test_its_map_matches_the_grid(cell, vision):
    # The whole grid as codes, and the window cut out of it by hand.
    core = engine.make("punishment_vote", vision=vision).core
    book = Notebook(core)
    grid = np.ones((10, 10), dtype=int)
    grid[1:-1, 1:-1] = np.random.default_rng(0).choice([0, 2, 3, 4, 5, 6], size=(8, 8))
    padded = np.pad(grid, 20, constant_values=1)
    middle = (cell[0] + 20, cell[1] + 20)
    rows, columns = (slice(place - vision, place + vision + 1) for place in middle)
    visible = book.visible(padded[rows, columns], cell)
    seen = book.noted({}, visible, cell, 0, 0)
    assert all(grid[tuple(map(int, key.split()))] == code for key, (code, _) in seen.items())
    map_drawn = book.drawn(seen, visible, cell)
    for row, line in enumerate(grid):
        for column, code in enumerate(line):
            cell_number = map_drawn.cell(row, column)
            near = abs(row - cell[0]) <= vision and abs(column - cell[1]) <= vision
            wall = 0 in (row, column) or 9 in (row, column)
            assert map_drawn.codes[cell_number] == (code if near else 1 if wall else 0)
            assert map_drawn.place(cell_number) == (row, column)


def test_its_map_of_a_large_grid_ends_fifteen_steps_from_it():
    book = Notebook(engine.make("punishment_vote", vision=10, height=60, width=60).core)
    map_drawn = book.drawn(
        {"30 50": [2, 0]}, book.visible(np.zeros((21, 21), dtype=int), (30, 30)), (30, 30)
    )
    assert (map_drawn.width, len(map_drawn.codes)) == (31, 31 * 31)
    assert map_drawn.cell(30, 50) is None
    assert map_drawn.codes[map_drawn.cell(30, 45)] == 1
    assert map_drawn.codes[map_drawn.cell(30, 44)] == 0


def test_it_remembers_at_most_a_hundred_resources():
    book = Notebook(engine.make("punishment_vote", vision=10, height=60, width=60).core)
    seen = book.noted({"1 1": [2, 0]}, np.full((21, 21), 2), (30, 30), 1, 0)
    assert len(seen) == 100
    assert {when for _, when in seen.values()} == {1}
