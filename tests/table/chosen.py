"""Session for tests in which a group chooses between a commons with a pool and one without."""

from __future__ import annotations

import json
from typing import Any

from mixed_company.table.protocol import Ack, Message, Refusal
from mixed_company.table.setup import Setup, resolve, session_config
from mixed_company.table.table import Table

RULES: dict[str, Any] = {
    "open": {"meaning": "Everybody takes what he or she likes."},
    "pool": {
        "meaning": "There is a pool that feeds the stock.",
        "changes": {"governance": "per_step", "pool_effect": 2.0},
    },
}
LIMITED: dict[str, Any] = {
    "low": {
        "meaning": "Nobody takes more than 1.",
        "changes": {
            "layers": {"power": {"intensity": 1.0, "limits": {"member": {"harvest": 1.0}}}}
        },
    },
    "open": RULES["open"],
}
BASE = session_config(
    "chosen",
    "commons_game",
    "lab",
    people_per_group=2,
    periods=3,
    bots="steward",
    bot_delay="instant",
    rules_seconds=60.0,
    grace_seconds=40.0,
    ready=False,
)


def setup(rules: Any = RULES, **changes: Any) -> Setup:
    return resolve("commons_game", {**BASE, "seed": "5", "rules": rules, **changes}, BASE)[0]


def open_table(
    people: list[int], settings: Setup | None = None, seed: int = 7, **changes: Any
) -> Table:
    """Return a table that was opened at time 0, before any page connected."""
    return Table.open(settings or setup(**changes), people, seed=seed, now=0)


def voting(people: list[int], **changes: Any) -> Table:
    """Return a table that everyone joined at time 0, so the vote has started."""
    table = open_table(people, **changes)
    for seat in people:
        table.hear(seat, 0)
    return table


def choose(table: Table, seat: int, rule: str, now: int, name: str = "") -> Ack | Refusal:
    return table.choose(seat, Message("choose", name or f"{seat} at {now}", rule=rule), now)


def entries(table: Table) -> list[dict[str, Any]]:
    """Return the journal as it is read from a database."""
    written: list[dict[str, Any]] = json.loads(json.dumps(table.rows))
    return written


def events(table: Table, name: str) -> list[dict[str, Any]]:
    return [row for row in table.rows if row["kind"] == "event" and row["event"] == name]
