"""Codebook: explains every column of every table, and every parameter of a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from mixed_company import engine
from mixed_company.engine.contract.describe import declared
from mixed_company.engine.contract.peer_core import PeerCore
from mixed_company.engine.game import Game
from mixed_company.table.export.column import Column, with_iso
from mixed_company.table.export.columns import OPTIONAL, TABLES, columns
from mixed_company.table.export.columns import tables as tables_of
from mixed_company.table.export.participants import PARTICIPANTS, participant_columns

ADDED = "columns added by layers, leaving, questions, talk and peer points"
"""Title of the section about columns that only some sessions have."""


def codebook(game: Game[Any]) -> str:
    """Return all tables of a game as Markdown."""
    return document(game.id, {table: columns(table, game) for table in tables_of(game)})


def document(title: str, tables: Mapping[str, Iterable[Column]]) -> str:
    """Return the columns of some tables as Markdown; shared columns are listed once.

    If `title` is a game, its parameters follow.
    """
    parts = [_written(table, _once(with_iso(rows))) for table, rows in tables.items()]
    core = [_parameters(title)] if title in engine.game_ids() else []
    return "".join([f"# Codebook: {title}\n", *parts, *core])


def besides() -> str:
    """Return the additional columns and tables, using one game as an example.

    The columns come from layers, seats that drop out, and peer points. The tables come from talk,
    questions and peer points.
    """
    game_id = engine.game_ids()[0]
    plain = engine.make(game_id)
    layers: dict[str, Any] = {
        "temporal": {"intensity": 1, "reward_delay": 1},
        "interaction": {"intensity": 1, "share": 0.5},
        "incentives": {"intensity": 1, "fee": {plain.declaration.actions[0].name: 1}},
        "hierarchy": {"intensity": 1, "groups": [seat % 2 for seat in range(plain.seats)]},
    }
    layered = engine.make(game_id, layers=layers, agents={"may_leave": True})
    parts = [_written(table, list(with_iso(columns(table, plain)))) for table in OPTIONAL]
    for table in TABLES:
        added = [*_added(table, plain, layered), *_added(table, plain, _with_points())]
        parts += [_written(table, list(with_iso(added)))] if added else []
    return "".join([f"# Codebook: {ADDED}\n", *parts])


def _with_points() -> Game[Any]:
    """Return the first game that can have peer points, with peer points of both kinds."""
    game_id = next(
        name for name in engine.game_ids() if issubclass(engine.find(name).Core, PeerCore)
    )
    return engine.make(game_id, peer="both", peer_names="shuffled")


def _added(table: str, plain: Game[Any], game: Game[Any]) -> list[Column]:
    """Return the columns that a table of the game has only because of its additions."""
    if table not in tables_of(game):
        return []
    usual = columns(table, plain) if table in tables_of(plain) else []
    names = {column.name for column in usual}
    return [column for column in columns(table, game) if column.name not in names]


def _once(rows: Iterable[Column]) -> list[Column]:
    """Merge columns with the same name into one column, with the largest of their shapes."""
    once: dict[str, Column] = {}
    for row in rows:
        earlier = once.setdefault(row.name, row)
        if len(earlier.shape) == len(row.shape):
            shape = tuple(map(max, earlier.shape, row.shape))
            once[row.name] = replace(earlier, shape=shape)
    return list(once.values())


def _written(table: str, rows: list[Column]) -> str:
    head = f"\n## {table}\n\n| column | type | unit | meaning |\n|---|---|---|---|\n"
    lines = [f"| `{row.span()}` | {row.type} | {row.unit} | {row.meaning} |\n" for row in rows]
    return "".join([head, *lines])


def _parameters(game_id: str) -> str:
    """Return a game's parameters, as declared by its model."""
    head = (
        "\n## core\n\nThe parameters of the game: `core` in the column `config` of the table "
        "`config`.\n\n"
        "| parameter | symbol | type | unit | range | meaning |\n|---|---|---|---|---|---|\n"
    )
    rows = (
        f"| `{key}` | {' | '.join(about)} |\n"
        for key, *about in declared(engine.find(game_id).Core)
    )
    return "".join([head, *rows])


def whole(games: list[str]) -> str:
    """Return the codebook of these games or, if none are named, of all games.

    The codebook includes the columns that layers add. The table for all games is described for a
    session with two blocks.
    """
    parts = [codebook(engine.make(game_id)) for game_id in games or engine.game_ids()]
    common = document("all games", {PARTICIPANTS: participant_columns(2)})
    return "\n".join([*parts, besides(), common])
