"""Choices that a state forbids are rejected if people send them. Silent seats and stand-ins never
send them."""

from __future__ import annotations

from typing import Any

import pytest

from bots.gem_mining.random import Random
from mixed_company import engine
from mixed_company.table.options import Options
from mixed_company.table.protocol import Message
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from tests.table.plays import SECOND, events, rows


def mining(**options: Any) -> Table:
    """Return a `lab` game of gem mining with a person in seat 1 and random villages elsewhere."""
    game = engine.make("gem_mining", archetype="lab_0_7")
    chosen = {"bot_delay": "instant", "bots": "random", "quiz": False, **options}
    setup = Setup(config=game.config.model_dump(mode="json"), options=Options(**chosen))
    table = Table.open(setup, [1], seed=7, now=0)
    table.hear(1, 0)
    return table


def goes(table: Table, mine: int) -> dict[str, Any]:
    return table.act(1, Message("act", f"to {mine}", 0, {"mine": mine}), SECOND).to_json()


@pytest.mark.parametrize("mine", [0, 6])
def test_a_person_who_chooses_out_of_reach_is_told_the_mines_in_reach(mine):
    table = mining()
    assert table.episode.allowed(1).to_json()["mine"] == [1, 4]
    answer = goes(table, mine)
    assert answer["kind"] == "refused"
    assert answer["reason"] == f"mine = {mine}: not allowed right now; choose one of 1, 2, 3, 4"
    assert table.episode.period == 0
    assert goes(table, 2)["kind"] == "ack"
    assert table.episode.period == 1


def test_a_silent_person_goes_to_the_first_mine_in_reach():
    table = mining(decision_seconds=5)
    table.advance(6 * SECOND)
    first = rows(table, "period")[0]
    assert first["seats"][1]["by"] == "default"
    assert first["sent"]["mine"][1] == 1


def test_a_policy_that_chooses_out_of_reach_gets_the_default(monkeypatch):
    monkeypatch.setattr(Random, "act_together", lambda *_: ({"mine": 6.0}, {}))
    table = mining()
    goes(table, 2)
    # Village 3 reaches mines 3 to 6 at most; 0 and 2 do not reach mine 6.
    assert rows(table, "period")[0]["sent"]["mine"][:3] == [0.0, 2.0, 2.0]
    fault = events(table, "policy_fault")[0]["detail"]
    assert "mine = 6.0: not allowed right now; choose one of" in fault
