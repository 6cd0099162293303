"""Group formation at a table."""

from __future__ import annotations

from mixed_company.server.open.group import seated
from tests.table.plays import open_table


def test_people_are_numbered_in_the_order_of_their_seats():
    assert seated(open_table([3, 1])) == {1: 1, 3: 2}
