"""The largest possible payment, in preflight and payments, and a panel's name for a person."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.server.open.arrivals import panel_id
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


@pytest.mark.parametrize(
    ("panel", "called"), [("", ""), ("PID", "p-1"), ("STUDY,PID", "s-1"), ("OTHER,PID", "")]
)
def test_a_panel_identifies_a_person_by_the_first_parameter(panel, called):
    resolved = setup(panel_parameters=panel)
    player = SimpleNamespace(
        treatment="",
        subsession=SimpleNamespace(setup=resolved.model_dump_json(), plan=""),
        parameters=json.dumps({"PID": "p-1", "STUDY": "s-1"}),
    )
    assert panel_id(player) == called
