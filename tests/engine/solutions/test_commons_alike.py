"""Best requests if all seats request the same, calculated by hand."""

from __future__ import annotations

import pytest

from mixed_company import engine
from mixed_company.engine.solutions.commons_game import best_alike


def core(**changes):
    return engine.make("commons_game", archetype="lab_0_7", **changes).core


def test_the_lab_yields_six_fish_per_seat_in_every_period():
    # 0.7 * 50 * 110 / 160 = 24.06 grow back at first: 6 for each of four, in 20 periods
    result = best_alike(engine.make("commons_game", archetype="lab").core, range(13))
    assert (result.request, result.points, result.periods) == (6, pytest.approx(120.0), 20)


def test_a_collapsing_play_counts_until_its_collapse():
    # 40 of 100 are taken, then 40 of 60, while 9.6 grow back, then the 29.6 that are left
    result = best_alike(core(periods=3), [10])
    assert result.points == pytest.approx((40 + 40 + 29.6) / 4)


def test_the_smallest_of_equally_good_requests_is_returned():
    nothing = core(periods=1, initial_stock=8.0, collapse_stock=1.0)
    assert best_alike(nothing, [10, 2, 3]).request == 2  # the stock is 8, whatever they request
    with pytest.raises(ValueError, match="at least one"):
        best_alike(nothing, [])


def test_later_points_count_in_full():
    assert best_alike(core(periods=2, discount=0.5), [2]).points == pytest.approx(4.0)
