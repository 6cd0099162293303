"""A table can be rebuilt after every manager action."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mixed_company.table.exchange import exchange
from mixed_company.table.protocol import Message
from mixed_company.table.rebuilding import rebuilt
from mixed_company.table.table import Table
from tests.table.managing.tables import manage
from tests.table.plays import SECOND, act, reopened, setup

BUSY: list[tuple[str, int | None, dict[str, Any]]] = [
    ("extend", None, {"ms": 7 * SECOND}),
    ("message", 1, {"text": "Hello."}),
    ("stand_in", 0, {}),
    ("pause", None, {}),
    ("go_on", None, {"ms": 50 * SECOND}),
    ("message", None, {"text": "All."}),
    ("give_back", 0, {}),
    ("stand_in", 1, {}),
    *[("skip", seat, {}) for seat in (0, 1, 0, 1)],
    ("release", 1, {}),
    ("end", None, {}),
]
"""All directives, one after the other. The person in seat 1 answers when asked."""


@pytest.mark.few(1)
@pytest.mark.parametrize("agents", [{}, {"timing": "sequential"}], ids=["together", "in turn"])
def test_a_table_can_be_rebuilt_after_every_possible_act_of_a_manager(agents):
    times = {"decision_seconds": 9, "grace_seconds": 20, "bot_delay": "fixed:seconds=2"}
    chosen = setup(core={"periods": 60}, **times)
    if agents:
        config = {**chosen.config, "agents": {**chosen.config["agents"], **agents}}
        chosen = type(chosen)(config=config, options=chosen.options)
    table = Table.open(chosen, [0, 1], seed=7, now=0)
    journal: list[dict[str, Any]] = []
    now = 0
    for kind, seat, more in BUSY:
        for _ in range(3):
            now = table.clock_ms(now + table.stood_ms + SECOND)
            for person in (0, 1):
                table.hear(person, now)
                if kind != "skip":
                    act(table, person, now)
        exchange(table, 1, Message("back", f"back {now}"), now)
        answer = manage(table, kind, now, seat, **more)
        assert answer == "ack" or kind == "skip", (kind, answer)
        journal += json.loads(json.dumps(table.take_rows()))
        again = rebuilt(chosen, journal)
        for restored in (again, reopened(table)):
            restored.advance(now)
            restored.take_rows()
            assert json.loads(restored.to_json()) == json.loads(table.to_json()), kind
    assert any(row["kind"] == "back" for row in journal)
    assert {row["what"] for row in journal if row["kind"] == "manager"} == {
        kind for kind, _, _ in BUSY
    }
    for length in range(1 + chosen.game.seats, len(journal), 5):
        restored = rebuilt(chosen, journal[:length])
        lacking = json.loads(json.dumps(restored.take_rows()))
        assert journal[:length] + lacking == journal[: length + len(lacking)]
