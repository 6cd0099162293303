"""Targets computed for many windows in a batch equal those computed for each window alone."""

from __future__ import annotations

import numpy as np
import pytest

from bots.punishment_vote import targets
from bots.punishment_vote.targets import (
    Numbering,
    best_target,
    best_targets,
    first_of,
    last_of,
    shifted,
)
from mixed_company.engine.games.punishment_vote.sight import Around, gains
from mixed_company.engine.games.punishment_vote.tables import EMPTY, FIRST_RESOURCE, WALL

WORTHS = {
    "nothing is lost": [3.0, 5.0, 0.0],
    "losses that may pay": [3.0, 5.0, -1.0],
    "losses beyond all gains": [1.5, 0.7, -6.5],
    "thirds, which rounding makes larger and smaller": [1 / 3, 0.7, -0.1, 2.3],
    "nothing to go for": [-1.0, 0.0],
}


def windows(worths, side, count, seed, share=0.4, blocked=0.15):
    """Draw random windows surrounded by walls, and random values of each kind for each window."""
    rng = np.random.default_rng(seed)
    seat = FIRST_RESOURCE + len(worths)
    kinds = rng.integers(FIRST_RESOURCE, seat, (count, side, side))
    inner = np.where(rng.random(kinds.shape) < share, kinds, EMPTY)
    inner[rng.random(inner.shape) < blocked] = WALL
    codes = np.full((count, side + 2, side + 2), WALL, dtype=np.int8)
    codes[:, 1:-1, 1:-1] = inner
    codes[:, side // 2 + 1, side // 2 + 1] = seat
    width = side + 2
    around = Around(codes.reshape(count, -1), width, width * width // 2, side // 2)
    return around, np.tile(worths, (count, 1))


def alone(around, worths, idle=None):
    rows = gains(around, worths, idle).tolist()
    return [best_target(row, around.width, around.here) or (-1, 0, 0) for row in rows]


@pytest.mark.parametrize("worths", WORTHS.values(), ids=WORTHS)
@pytest.mark.parametrize(("side", "share"), [(3, 0.4), (5, 0.6), (7, 0.15), (7, 0.4), (13, 0.1)])
def test_many_windows_give_the_same_targets_as_each_alone(worths, side, share):
    around, worth = windows(worths, side, 400, side, share)
    worth[::2] += np.linspace(-0.5, 0.5, len(worth[::2]))[:, None]
    together = best_targets(around, worth)
    assert list(zip(*(part.tolist() for part in together), strict=True)) == alone(around, worth)


def test_nothing_is_gained_on_idle_cells():
    around, worths = windows([3.0, 5.0, -1.0], 7, 400, 3)
    idle = np.random.default_rng(0).random(around.codes.shape) < 0.3
    together = best_targets(around, worths, idle)
    assert list(zip(*(part.tolist() for part in together), strict=True)) == alone(
        around, worths, idle
    )
    assert together.move.tolist() != best_targets(around, worths).move.tolist()


def test_windows_with_too_many_cells_are_searched_one_by_one(monkeypatch):
    around, worths = windows([3.0, -1.0], 5, 40, 2)
    monkeypatch.setattr(targets, "LOOKED_AT", 24)
    monkeypatch.setattr(targets, "_Search", None)
    together = best_targets(around, worths)
    assert together.move.tolist() == [target[0] for target in alone(around, worths)]


def test_most_windows_need_no_search_of_their_own(monkeypatch):
    # Windows are searched one by one only if a 3 or 5 is behind a loss of 1 on all sides
    # and nothing as good is near.
    count = 0

    def counted(*arguments):
        nonlocal count
        count += 1
        return best_target(*arguments)

    monkeypatch.setattr(targets, "best_target", counted)
    best_targets(*windows([3.0, 5.0, -1.0], 7, 400, 1, 0.2))
    assert 0 < count < 40


def test_among_equally_short_ways_the_first_direction_is_chosen():
    # by hand: 3 is two steps away, up and right; up comes first. 9 cells in rows of 5
    codes = np.full((6, 25), WALL, dtype=np.int8)
    codes[:, [6, 7, 8, 11, 13, 16, 17, 18]] = EMPTY
    codes[:, 8] = FIRST_RESOURCE
    together = best_targets(Around(codes, 5, 12, 1), np.full((6, 1), 3.0))
    assert together.move.tolist() == [0] * 6
    assert (together.steps.tolist(), together.cell.tolist()) == ([2] * 6, [8] * 6)


def test_a_resource_behind_a_loss_is_worth_it_if_the_loss_is_small():
    # by hand: 3 in the corner, 1 lost on either way: (3 - 1) / 2 per step; nothing if 4 are lost
    codes = np.full((6, 25), WALL, dtype=np.int8)
    codes[:, 8] = FIRST_RESOURCE
    codes[:, [7, 13]] = FIRST_RESOURCE + 1
    worths = np.array([[3.0, -1.0], [3.0, -4.0]] * 3)
    together = best_targets(Around(codes, 5, 12, 1), worths)
    assert together.move.tolist() == [0, -1] * 3
    assert together.cell.tolist() == [8, 0] * 3


def test_sets_with_more_cells_than_bits_in_a_word():
    # by hand: 11 x 11 cells in rows of 12: the first is bit 0, the last 10 * 12 + 10 = 130
    numbering = Numbering(13)
    flags = np.zeros((1, 169), dtype=np.bool_)
    flags[0, [14, 84, 154]] = True  # the first cell, the one in the middle, the last
    cells = numbering.packed(numbering.inner(flags))
    assert cells.shape == (3, 1)
    assert (first_of(cells).tolist(), last_of(cells).tolist()) == ([0], [130])
    assert numbering.cell(first_of(shifted(cells, 1))).tolist() == [15]
    assert numbering.cell(last_of(shifted(cells, -12))).tolist() == [154 - 13]
    assert first_of(shifted(cells, -1)).tolist() == [numbering.bit(83)]
