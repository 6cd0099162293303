"""Who gets which seat, and what is paid."""

from __future__ import annotations

from collections import Counter

import pytest

from server.group import draw_seats, paid_points, play_seed, seated
from table.options import Options
from tests.table.plays import setup, table


def test_seats_are_drawn_without_favour() -> None:
    drawn = Counter(draw_seats(setup(), number, 1)[0] for number in range(2000))
    # 500 each are expected; the standard error is sqrt(2000 * 1/4 * 3/4) = 19.4
    assert set(drawn) == {0, 1, 2, 3}
    assert all(abs(count - 500) < 4 * 19.4 for count in drawn.values())


def test_nobody_shares_a_seat_and_the_draw_can_be_repeated() -> None:
    for number in range(20):
        seats = draw_seats(setup(), number, 4)
        assert sorted(seats) == [0, 1, 2, 3]
        assert seats == draw_seats(setup(), number, 4)


def test_every_group_plays_from_a_seed_of_its_own() -> None:
    seeds = {play_seed(setup(), number) for number in range(100)}
    assert len(seeds) == 100
    assert all(0 <= seed < 2**53 for seed in seeds)


def test_people_are_numbered_in_the_order_of_their_seats() -> None:
    assert seated(table([3, 1])) == {1: 1, 3: 2}


@pytest.mark.parametrize(
    ("points", "paid"), [(12.0, 12.0), (40.0, 30.0), (-3.0, 5.0), (5.0, 5.0), (30.0, 30.0)]
)
def test_pay_stays_between_floor_and_cap(points: float, paid: float) -> None:
    assert paid_points(points, Options(pay_floor=5, pay_cap=30)) == paid


def test_without_a_cap_everything_is_paid() -> None:
    assert paid_points(1e6, Options()) == 1e6
