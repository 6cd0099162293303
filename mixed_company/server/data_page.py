"""Tables on oTree's Data page, which looks for functions named `custom_export_<table>` in an app.

Every row is derived from the players that oTree passes, because the export of a session must
contain nothing from other sessions.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from mixed_company import engine
from mixed_company.engine.contract.peer_core import PeerCore
from mixed_company.server.export import ROWS, answers, asks, declared, outcome
from mixed_company.server.keeping import storage
from mixed_company.server.played import Played, played, seated
from mixed_company.table.export import OPTIONAL, TABLES, Column, Row, spread, tables


def offer(app: str) -> None:
    """Add a function `custom_export_<table>` to an app's module for every table of its game."""
    module = sys.modules[app]
    plain = engine.make(module.C.GAME)
    for name in (*(TABLES if isinstance(plain.core, PeerCore) else tables(plain)), *OPTIONAL):
        function = partial(table, name, log=module.Log, game_id=module.C.GAME)
        setattr(module, f"custom_export_{name}", function)


def table(name: str, players: Iterable[Any], log: Any, game_id: str) -> Iterator[list[Any]]:
    """Yield the header and the rows of a game's table for these players."""
    players = list(players)
    groups = seated(players)
    if name in ROWS:
        kinds = () if name == "journal" else storage.EXPORTED
        rows = (row for group in played(groups, log, kinds) for row in ROWS[name](group))
        return _lines(declared(name, groups, game_id), rows)
    rows_of = _outcome if name == "outcomes" else answers
    of_seated = {
        id(player): list(rows_of(player, group))
        for group in played(groups, log)  # free each group once its rows are written
        for player in group.people.values()
    }
    rows = (row for player in players for row in of_seated.get(id(player)) or rows_of(player, None))
    asking = name == "outcomes" and asks(players)
    return _lines(declared(name, [], game_id, asking), rows)


def _outcome(player: Any, group: Played | None) -> Iterator[Row]:
    yield outcome(player, group)


def _lines(columns: Sequence[Column], rows: Iterable[Row]) -> Iterator[list[Any]]:
    """Yield the header, then the rows, each in the order of the columns and with "" for missing
    values.
    """
    names = list(spread(columns))
    yield names
    for row in rows:
        yield [row.get(key, "") for key in names]
