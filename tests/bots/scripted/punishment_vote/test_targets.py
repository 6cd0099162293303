"""Where to go: of many windows at once what each comes to by itself."""

from __future__ import annotations

import numpy as np
import pytest

from bots.scripted.punishment_vote import targets
from bots.scripted.punishment_vote.targets import BLOCKED, best_target, best_targets

WORTHS = {
    "nothing is lost": [3.0, 5.0, 0.0],
    "losses that may pay": [3.0, 5.0, -1.0],
    "losses beyond all gains": [1.5, 0.7, -6.5],
    "thirds, which rounding makes larger and smaller": [1 / 3, 0.7, -0.1, 2.3],
    "nothing to go for": [-1.0, 0.0],
}


def windows(worths, side, count, seed, share=0.4, blocked=0.15):
    """(count, C) gains of cells in windows framed by walls, drawn by chance."""
    rng = np.random.default_rng(seed)
    inner = np.where(
        rng.random((count, side, side)) < share, rng.choice(worths, (count, side, side)), 0.0
    )
    inner[rng.random(inner.shape) < blocked] = BLOCKED
    gains = np.full((count, side + 2, side + 2), BLOCKED)
    gains[:, 1:-1, 1:-1] = inner
    gains[:, side // 2 + 1, side // 2 + 1] = BLOCKED  # the seat itself
    return gains.reshape(count, -1)


def alone(gains, width, here):
    return [best_target(row.tolist(), width, here) or (-1, 0, 0) for row in gains]


@pytest.mark.parametrize("worths", WORTHS.values(), ids=WORTHS)
@pytest.mark.parametrize(("side", "share"), [(3, 0.4), (5, 0.6), (7, 0.15), (7, 0.4), (13, 0.1)])
def test_many_windows_come_to_what_each_comes_to_by_itself(worths, side, share):
    width = side + 2
    here = width * width // 2
    gains = windows(worths, side, 400, side, share)
    together = best_targets(gains, width, here)
    assert list(zip(*(part.tolist() for part in together), strict=True)) == alone(
        gains, width, here
    )


def test_windows_of_more_cells_than_are_looked_at_are_searched_by_themselves(monkeypatch):
    gains = windows([3.0, -1.0], 5, 40, 2)
    monkeypatch.setattr(targets, "LOOKED_AT", 24)
    monkeypatch.setattr(targets, "_without_loss", None)
    together = best_targets(gains, 7, 24)
    assert together.move.tolist() == [target[0] for target in alone(gains, 7, 24)]


def test_most_windows_need_no_search_of_their_own(monkeypatch):
    # Only those are searched alone in which a loss of 1 lies on a way that could pay: those where
    # nothing worth 3 or 5 is as near.
    count = 0

    def counted(*arguments):
        nonlocal count
        count += 1
        return best_target(*arguments)

    monkeypatch.setattr(targets, "best_target", counted)
    best_targets(windows([3.0, 5.0, -1.0], 7, 400, 1, 0.2), 9, 40)
    assert 0 < count < 100


def test_the_way_to_what_is_as_far_by_several_is_the_first_in_order():
    # by hand: 3 is two steps off, up and right; up comes first. 9 cells in rows of 5
    gains = np.full((6, 25), BLOCKED)
    gains[:, [6, 7, 8, 11, 13, 16, 17, 18]] = 0.0
    gains[:, 8] = 3.0
    together = best_targets(gains, 5, 12)
    assert together.move.tolist() == [0] * 6
    assert (together.steps.tolist(), together.cell.tolist()) == ([2] * 6, [8] * 6)
