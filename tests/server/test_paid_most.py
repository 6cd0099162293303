"""The largest possible payment, in preflight."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company.server.preflight import pay
from mixed_company.table.setup import Setup, resolve
from tests.table.chosen import BASE


def setup(**changes: Any) -> Setup:
    return resolve("commons_game", {**BASE, **changes}, BASE)[0]


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        # 30 points at 0.10, and 2 minutes at 0.30: 3.60; twice the wait if it is extended
        ("bots", 3.6),
        ("extend", 4.2),
    ],
)
def test_the_largest_payment_includes_the_longest_wait(outcome, expected):
    config = {"lobby_outcome": outcome, "lobby_seconds": 120.0, "pay_waiting": 0.3, "pay_cap": 30.0}
    money = {"participation_fee": 2.0, "real_world_currency_per_point": 0.1}
    assert pay._most(setup(**config), money, 1) == pytest.approx(expected)
