"""Tables for tests: small, instant, and with a clock that the test sets."""

from __future__ import annotations

import json
from typing import Any

from mixed_company import engine
from mixed_company.table import view as shown
from mixed_company.table.options import Options
from mixed_company.table.protocol import Message
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table

SECOND = 1000


def setup(archetype: str = "lab_0_7", core: dict[str, Any] | None = None, **options: Any) -> Setup:
    """Return a setup with instant bots and without a quiz, unless the options say otherwise."""
    game = engine.make("commons_game", archetype=archetype, **(core or {}))
    chosen = {"bot_delay": "instant", "bots": "sustainable", "quiz": False, **options}
    return Setup(config=game.config.model_dump(mode="json"), options=Options(**chosen))


def open_table(people: list[int], **options: Any) -> Table:
    """Return a table that was opened at time 0, before any page connected."""
    return Table.open(setup(**options), people, seed=7, now=0)


def started(people: list[int], **options: Any) -> Table:
    """Return a table that everyone joined at time 0."""
    table = open_table(people, **options)
    for seat in people:
        table.hear(seat, 0)
    return table


def act(table: Table, chair: int, now: int, **more: Any) -> dict[str, Any]:
    """Send a person's decision. Period and id have defaults."""
    period = more.pop("period", table.episode.period)
    name = more.pop("id", f"seat {chair} period {period}")
    action = {"harvest": 1.0, "contribution": 0.0, **more}
    return table.act(chair, Message("act", name, period, action), now).to_json()


def view(table: Table, chair: int, now: int) -> dict[str, Any]:
    """Return the view for a seat's page."""
    return shown.view(table, chair, now).to_json()


def reopened(table: Table) -> Table:
    """Return the same table after storing and loading it."""
    return Table.from_json(table.setup, json.loads(json.dumps(table.to_json())))


def rows(table: Table, kind: str) -> list[dict[str, Any]]:
    return [row for row in table.rows if row["kind"] == kind]


def events(table: Table, name: str) -> list[dict[str, Any]]:
    return [row for row in rows(table, "event") if row["event"] == name]


def whole(table: Table) -> tuple[Any, list[dict[str, Any]]]:
    """Return a table's state and journal, for comparison."""
    data = json.loads(table.to_json())
    return {**data, "episode": json.loads(data["episode"])}, list(table.rows)
