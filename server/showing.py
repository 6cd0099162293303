"""What a view is sent with: as `shown`, what follows for a seat from what it saw.

The rules stay here: `derived` of a game's guide asks the engine, and a page draws what it is sent.
It is given observations of one seat and nothing else, so it cannot tell more than the seat sees.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import Any

from engine.contract.space import of_seat
from server import storage
from server.guide import Observation, Row, guide_of
from table import journal
from table.protocol import View
from table.table import Table

__all__ = ["shown", "with_shown"]

MOST_GROUPS = 1000

_lately: OrderedDict[tuple[str, int], tuple[int, list[Row]]] = OrderedDict()
"""App and group -> its period, and what all seats saw up to then, as far back as its game looks."""


def with_shown(player: Any, table: Table, seat: int, view: View) -> View:
    """The view of one seat of a player's group, with what follows from it; `table` is saved."""
    seen: list[Observation] = []
    before = guide_of(table.game.id).look_back(table.game.core)
    if before:
        layout = [field for field in table.game.declaration.observations if not field.bulk]
        rows = _looked_back(player, table, before)
        seen = [of_seat(layout, row, seat) for row in rows[:-1]]
    return replace(view, shown=shown(table, seat, [*seen, view.observation]))


def shown(table: Table, seat: int, seen: list[Observation]) -> Row:
    """What follows for a seat from what it saw, the present last."""
    return guide_of(table.game.id).derived(table.game, seat, seen)


def _looked_back(player: Any, table: Table, before: int) -> list[Row]:
    """What all seats saw in so many periods before the present, and now."""
    group, period = player.group, table.episode.period
    key = player.get_folder_name(), group.id
    known, rows = _lately.get(key, (None, []))
    if known == period:
        return rows
    if known is not None and known == period - 1:
        now = journal.shown(table.game, table.episode.observations)
        rows = [*rows, now][-before - 1 :]
    else:
        log = storage.last_of(storage.log_class(player), group, before + 1)
        rows = [row["observations"] for row in log]
    _lately[key] = period, rows
    _lately.move_to_end(key)
    if len(_lately) > MOST_GROUPS:
        _lately.popitem(last=False)
    return rows
