"""Distances to resources through each neighbouring cell: around walls, and for each kind."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine import ConfigError
from mixed_company.learning.training.paths import SHARE, Paths, paths_over
from mixed_company.policies.flat.observations import FlatObservations

WALKED = (0, 2, 3)  # empty, and two resources; 1 is a wall


def looked(*rows):
    """Return distances from a window of codes around a seat, shape (side, side), preceded by one
    other number.
    """
    codes = np.array([[int(code) for code in row] for row in rows])
    seen = np.concatenate([[7.0], np.eye(5)[codes].ravel()])
    paths = Paths(1, len(rows), 5, WALKED)
    return paths.looked(np.array([seen, seen]))[0].reshape(3, 4)


def test_distances_go_around_walls():
    paths = looked("02000", "11100", "10400", "11100", "30000")
    # the first resource: up and down are walls; no way from the left; from the right: up, left,
    # left, left
    assert paths[1].tolist() == pytest.approx([0.0, 0.0, 0.0, SHARE**4])
    assert paths[2].tolist() == pytest.approx([0.0, 0.0, 0.0, SHARE**5])


def test_the_nearest_resource_of_each_kind_is_used():
    paths = looked("000", "240", "020")
    assert paths[1].tolist() == pytest.approx([SHARE**2, 1.0, 1.0, SHARE**2])
    assert paths[2].tolist() == [0.0] * 4
    # the neighbours above and to the right are empty
    assert paths[0].tolist() == pytest.approx([1.0, SHARE, SHARE, 1.0])


def test_a_window_that_is_not_square_is_refused():
    game = engine.make("punishment_vote", archetype="lab_0_7")
    flat = FlatObservations(game.declaration.observations, game.seats)
    observed = np.arange(flat.size)
    paths = paths_over(flat, observed, "window", WALKED)
    assert (paths.side, paths.codes, paths.size) == (7, 11, 12)
    assert paths.begin == flat.values["window"].start
    with pytest.raises(ConfigError, match="paths: remembered is not a square of cells"):
        paths_over(flat, observed, "remembered", WALKED)
    with pytest.raises(ConfigError, match=r"paths: window = \[11\]: should be from 0 to 10"):
        paths_over(flat, observed, "window", (11,))
    with pytest.raises(ConfigError, match="paths: window is not observed"):
        paths_over(flat, observed[:3], "window", WALKED)
