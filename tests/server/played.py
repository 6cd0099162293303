"""Tables without a server, for testing the data that pages get."""

from __future__ import annotations

from typing import Any

from mixed_company import engine
from mixed_company.server.pages.guide import guide_of
from mixed_company.table.options import Options
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from mixed_company.table.view import view

__all__ = ["first_view", "opened", "shown_now"]


def opened(game: Any, people: tuple[int, ...] = (0,)) -> Table:
    """Open a table of this game with people in some seats and `random` bots in the others."""
    options = Options(people_per_group=len(people), bots="random", bot_delay="instant")
    setup = Setup(config=game.config.model_dump(mode="json"), options=options)
    table = Table.open(setup, people, 7, 0)
    for seat in people:
        table.hear(seat, 0)
    return table


def shown_now(table: Table, seat: int, seen: list[Any]) -> dict[str, Any]:
    """Return the data of a seat's page, given its earlier observations."""
    sent = view(table, seat, 0).to_json()
    guide, seen = guide_of(table.game.id), [*seen, sent["observation"]]
    parts = (guide.counted(table.game, seat, observation) for observation in seen)
    counts = [sum(part) for part in zip(*parts, strict=True)]
    derived = guide.derived(table.game, seat, seen)
    return {**sent, "shown": derived | guide.tallied(table.game, counts)}


def first_view(game_id: str) -> dict[str, Any]:
    return shown_now(opened(engine.make(game_id, archetype="lab")), 0, [])
