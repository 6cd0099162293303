"""Unconditional policies: baseline keeper, free rider, fixed, one-time defector and random."""

from __future__ import annotations

import numpy as np
import pytest

from tests.bots.scripted.sanctions.seat import UNSEEN, Seat, points, table


@pytest.mark.parametrize("contributions", [0, 10, 20, UNSEEN])
@pytest.mark.parametrize(
    ("spec", "answer"),
    [("baseline_keeper", 10), ("free_rider", 0), ("fixed", 10), ("fixed:contribution=3", 3)],
)
def test_they_do_the_same_whatever_others_gave(spec, answer, contributions):
    seat = Seat(spec)
    assert [seat.gives(contributions) for _ in range(3)] == [answer] * 3


def test_every_seat_gives_its_own_baseline():
    lists = {"endowment": [20, 30, 40, 50], "baseline": [1, 2, 3, 4]}
    assert [Seat("baseline_keeper", seat=seat, **lists).gives() for seat in range(4)] == [
        1,
        2,
        3,
        4,
    ]


def test_fixed_gives_no_more_than_it_has():
    assert Seat("fixed:contribution=99").gives() == 20
    assert Seat("fixed:contribution=99", seat=2, endowment=[20, 30, 40, 50]).gives() == 40


def test_the_one_time_defector_defects_once():
    seat = Seat("one_time_defector")
    assert [seat.gives(10) for _ in range(8)] == [10] * 5 + [0] + [10] * 2


def test_the_period_of_the_defection_can_be_set():
    seat = Seat("one_time_defector:period=0")
    assert [seat.gives(10) for _ in range(3)] == [0, 10, 10]


def test_in_the_lab_keepers_earn_more_than_the_free_rider_would_among_them():
    # As worked out on the manual page: 520 and 481.7.
    keepers = table(*["baseline_keeper"] * 4)
    assert points(keepers, 0) == pytest.approx(520)
    assert points(table("free_rider", *["baseline_keeper"] * 3), 0) == pytest.approx(481.7, abs=0.1)


def test_random_gives_any_share_with_equal_chance():
    # Uniform on 0 .. 20: mean 10 with standard error 20 / sqrt(12 N).
    seat = Seat("random")
    drawn = np.array([seat.gives() for _ in range(4000)])
    assert 0 <= drawn.min() < 0.2
    assert 19.8 < drawn.max() <= 20
    assert abs(drawn.mean() - 10) < 4 * 20 / np.sqrt(12 * 4000)
