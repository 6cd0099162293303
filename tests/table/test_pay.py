"""Credits and payments, and the end of a person's part."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company.table.pay import MOST_PAID, bot_share, can_be_paid, is_paid, paid_points, status


@pytest.mark.parametrize(
    ("points", "paid"), [(12.0, 12.0), (40.0, 30.0), (-3.0, 5.0), (5.0, 5.0), (30.0, 30.0)]
)
def test_pay_stays_between_floor_and_cap(points: float, paid: float) -> None:
    assert paid_points(points, floor=5.0, cap=30.0) == paid


def test_without_a_cap_everything_is_paid() -> None:
    assert paid_points(1e6, floor=0.0, cap=0.0) == 1e6


def test_a_part_ends_for_the_person_who_has_the_seat_when_the_play_is_over() -> None:
    assert status("person", out=False) == status("policy", out=False) == "seated"
    assert status("person", out=True) == "finished"
    assert status("policy", out=True) == status("nobody", out=True) == "left"


def test_the_share_of_bots_refers_to_the_periods_that_were_played() -> None:
    assert (bot_share(1, 4), bot_share(0, 0)) == (0.25, 0.0)


@pytest.mark.parametrize("amount", [0, 0.0, "0", 2.5, "2.50", MOST_PAID, str(MOST_PAID)])
def test_an_amount_is_a_number_or_its_text_from_zero_to_the_maximum(amount: Any) -> None:
    assert can_be_paid(amount)


@pytest.mark.parametrize(
    "amount", [-0.01, "-1", MOST_PAID + 1, True, None, "", "much", [1], float("nan"), float("inf")]
)
def test_nothing_else_is_an_amount(amount: Any) -> None:
    assert not can_be_paid(amount)


@pytest.mark.parametrize(
    ("status", "seated", "paid"),
    [
        *(("finished", True, True), ("left", True, True), ("ended", True, True)),
        *(("released", True, True), ("released", False, True), ("seated", True, False)),
        *(("left", False, False), ("waiting", False, False), ("finished", False, False)),
    ],
)
def test_people_who_had_a_seat_are_paid_once_it_is_over_and_so_are_released_people(
    status, seated, paid
):
    assert is_paid(status, seated) is paid


def test_an_ended_play_ended_for_everybody_who_had_not_left():
    assert status("person", out=True, ended=True) == "ended"
    assert status("policy", out=True, ended=True) == "left"
    assert status("policy", out=True, ended=True, handed=True) == "ended"
    assert status("policy", out=True, handed=True) == "left"
    assert status("person", out=False, ended=True) == "seated"
    assert status("person", out=False, released=True) == "released"
