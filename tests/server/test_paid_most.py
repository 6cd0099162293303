"""What preflight and payments say of the most that is paid, and whom a panel calls somebody."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.server.open.arrivals import panel_id
from mixed_company.server.preflight import pay
from mixed_company.table.ledger import Terms
from mixed_company.table.setup import Setup, resolve
from tests.table.chosen import BASE


def setup(**changes: Any) -> Setup:
    return resolve("commons_game", {**BASE, **changes}, BASE)[0]


@pytest.mark.parametrize(
    ("outcome", "most"),
    [
        # 50 points at 0.10, and 2 minutes at 0.30: 5.60; as long again where it is extended
        ("bots", 5.6),
        ("extend", 6.2),
    ],
)
def test_the_most_that_is_paid_has_the_longest_wait(outcome: str, most: float) -> None:
    given = {"lobby_outcome": outcome, "lobby_seconds": 120.0, "pay_waiting": 0.3, "pay_cap": 50.0}
    own = setup(**given)
    terms = Terms.of(2.0, 0.1, own.options.model_dump())
    assert pay._most(own, terms) == pytest.approx(most)


@pytest.mark.parametrize(
    ("panel", "called"), [("", ""), ("PID", "p-1"), ("STUDY,PID", "s-1"), ("OTHER,PID", "")]
)
def test_a_panel_calls_a_person_by_the_first_parameter(panel: str, called: str) -> None:
    own = setup(panel_parameters=panel)
    player = SimpleNamespace(
        treatment="",
        subsession=SimpleNamespace(setup=own.model_dump_json(), plan=""),
        parameters=json.dumps({"PID": "p-1", "STUDY": "s-1"}),
    )
    assert panel_id(player) == called
