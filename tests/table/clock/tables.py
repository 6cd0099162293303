"""Tables that run on a clock: the commons and the punishment vote, and key presses."""

from __future__ import annotations

from typing import Any

from mixed_company import engine
from mixed_company.table.options import Options
from mixed_company.table.protocol import Message
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from tests.table.plays import rows, started

UP, DOWN, LEFT, RIGHT, MORE, NOOP = 0, 1, 2, 3, 4, 6


def clock(people: list[int], seconds: float = 2, **options: Any) -> Table:
    """Return a commons table that runs on a clock and that everyone joined at time 0."""
    return started(people, pace="clock", decision_seconds=seconds, **options)


def vote(
    people: list[int], seconds: float = 2, core: dict[str, Any] | None = None, **options: Any
) -> Table:
    """Return a punishment vote table that runs on a clock and that everyone joined at time 0."""
    game = engine.make("punishment_vote", archetype="source", **(core or {}))
    chosen = {
        "pace": "clock",
        "decision_seconds": seconds,
        "bot_delay": "instant",
        "bots": "forager",
        **options,
    }
    setup = Setup(config=game.config.model_dump(mode="json"), options=Options(**chosen))
    table = Table.open(setup, people, seed=7, now=0)
    for seat in people:
        table.hear(seat, 0)
    return table


def press(table: Table, chair: int, now: int, action: int, **more: Any) -> dict[str, Any]:
    """Choose an action in the punishment vote for a person. Every press has its own id."""
    period = more.get("period", table.episode.period)
    name = more.get("id", f"seat {chair} at {now}")
    return table.act(chair, Message("act", name, period, {"action": action}), now).to_json()


def settled(table: Table) -> list[int]:
    return [row["at_ms"] for row in rows(table, "period")]
