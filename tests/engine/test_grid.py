"""Grids calculated by hand: cell numbers, steps, walls, windows and one-hot pictures."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company.engine.games.punishment_vote.tables import Grid, one_hot, replaced

# The cells of a grid of 3 x 4:
#
#     0  1  2  3
#     4  5  6  7
#     8  9 10 11
GRID = Grid(3, 4)


def test_a_grid_has_height_times_width_cells():
    assert (GRID.cells, GRID.shape) == (12, (3, 4))


def test_cells_are_numbered_row_by_row():
    assert GRID.row_of.tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]
    assert GRID.column_of.tolist() == [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]


def test_steps_go_up_down_left_and_right():
    # From 5: 1 above, 9 below, 4 to the left, 6 to the right.
    assert [5 + step for step in GRID.steps] == [1, 9, 4, 6]


@pytest.mark.parametrize(("step", "row", "column"), [(0, -1, 0), (1, 1, 0), (2, 0, -1), (3, 0, 1)])
def test_from_every_inner_cell_a_step_leads_to_the_next_cell(step, row, column):
    grid = Grid(5, 7)
    cells = grid.inside + grid.steps[step]
    assert (grid.row_of[cells] - grid.row_of[grid.inside] == row).all()
    assert (grid.column_of[cells] - grid.column_of[grid.inside] == column).all()


def test_the_outermost_cells_are_walls():
    assert GRID.inside.tolist() == [5, 6]
    assert GRID.wall.tolist() == [
        [True, True, True, True],
        [True, False, False, True],
        [True, True, True, True],
    ]


def test_the_smallest_grid_has_one_cell_inside():
    assert Grid(3, 3).inside.tolist() == [4]
    assert Grid(3, 3).wall.sum() == 8


def test_a_window_of_radius_0_is_the_cell_itself():
    assert GRID.windows(0).tolist() == [[cell] for cell in range(12)]


def test_a_window_holds_the_surrounding_cells_row_by_row():
    windows = GRID.windows(1)
    assert windows.shape == (12, 9)
    assert windows[5].tolist() == [0, 1, 2, 4, 5, 6, 8, 9, 10]
    assert windows[6].tolist() == [1, 2, 3, 5, 6, 7, 9, 10, 11]


def test_cells_beyond_the_edge_are_cell_zero():
    windows = GRID.windows(1)
    assert windows[0].tolist() == [0, 0, 0, 0, 0, 1, 0, 4, 5]
    assert windows[3].tolist() == [0, 0, 0, 2, 3, 0, 6, 7, 0]
    assert windows[8].tolist() == [0, 4, 5, 0, 8, 9, 0, 0, 0]
    assert windows[11].tolist() == [6, 7, 0, 10, 11, 0, 0, 0, 0]


def test_a_wide_window_reaches_over_every_edge():
    assert GRID.windows(2)[6].reshape(5, 5).tolist() == [
        [0, 0, 0, 0, 0],
        [0, 1, 2, 3, 0],
        [4, 5, 6, 7, 0],
        [8, 9, 10, 11, 0],
        [0, 0, 0, 0, 0],
    ]


def test_only_window_cells_on_the_grid_are_in_view():
    in_view = GRID.in_view(1)
    assert np.flatnonzero(in_view[3]).tolist() == [2, 3, 6, 7]
    assert np.flatnonzero(in_view[8]).tolist() == [4, 5, 8, 9]
    assert np.flatnonzero(in_view[5]).tolist() == GRID.windows(1)[5].tolist()


def test_one_hot_puts_a_one_at_the_code():
    hot = one_hot(np.array([[0, 2], [1, 1]], dtype=np.int8), 3)
    assert hot.tolist() == [[[1, 0, 0], [0, 0, 1]], [[0, 1, 0], [0, 1, 0]]]
    assert hot.dtype == np.int8


@pytest.mark.parametrize("shape", [(4,), (2, 3), (2, 3, 5, 5)])
@pytest.mark.parametrize("kinds", [1, 3, 57])
def test_one_hot_keeps_the_shape_and_has_a_single_one_per_cell(shape, kinds):
    codes = np.random.default_rng(0).integers(0, kinds, shape)
    hot = one_hot(codes, kinds)
    assert hot.shape == (*shape, kinds)
    assert (hot.sum(axis=-1) == 1).all()
    assert (hot.argmax(axis=-1) == codes).all()


@pytest.mark.parametrize("kind", [np.int8, np.int16])
def test_only_flagged_numbers_are_replaced(kind):
    old = np.array([[-1, 100], [7, 0]], dtype=kind)
    new = np.array([[3], [-128]], dtype=kind)
    where = np.array([[True, False], [True, True]])
    after = replaced(old, new, where)
    assert after.tolist() == [[3, 100], [-128, -128]]
    assert after.dtype == kind
    assert old.tolist() == [[-1, 100], [7, 0]]
