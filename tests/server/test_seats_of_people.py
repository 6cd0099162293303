"""Seats of the people in a new group: drawn at random, the first seats, or the seats that people
keep."""

from __future__ import annotations

import pytest

from mixed_company.server.open.group import new_group
from mixed_company.table.setup import resolve
from settings import SESSION_CONFIG_DEFAULTS, SESSION_CONFIGS

PEOPLE = [71, 72]
GEMS = next(config for config in SESSION_CONFIGS if config["name"] == "gems")


def seats(people_seats: str, number: int, kept: list[int] | None = None) -> list[int]:
    """Return the seats of two people in a group with this number."""
    values = {**SESSION_CONFIG_DEFAULTS, **GEMS, "seed": "1", "people_per_group": 2}
    setup, _ = resolve("gem_mining", {**values, "people_seats": people_seats}, values)
    taken = new_group(setup, number, PEOPLE, 0, 0, seats=kept).seats
    return [taken[person] for person in PEOPLE]


@pytest.mark.parametrize("number", range(1, 6))
def test_the_first_seats_are_given_in_the_order_of_arrival(number):
    assert seats("first", number) == [0, 1]


def test_drawn_seats_differ_from_group_to_group():
    assert len({tuple(seats("drawn", number)) for number in range(1, 6)}) > 1


@pytest.mark.parametrize("people_seats", ["drawn", "first"])
def test_people_of_a_later_block_keep_their_seats(people_seats):
    assert seats(people_seats, 2, kept=[3, 1]) == [3, 1]
