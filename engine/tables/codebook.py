"""The codebook: every column of every table, explained; as Markdown and as rows of a table."""

from __future__ import annotations

from typing import Any

import engine
from engine.game import Game
from engine.tables.columns import Column, columns, tables

__all__ = ["besides", "codebook", "whole"]


def codebook(game: Game[Any]) -> str:
    """All tables of a game as Markdown."""
    parts = [_written(table, columns(table, game)) for table in tables(game)]
    return "".join([f"# Codebook: {game.id}\n", *parts])


def besides() -> str:
    """The columns that layers, and seats that leave, add to any game; shown of one of them."""
    layers: dict[str, Any] = {
        "temporal": {"intensity": 1, "reward_delay": 1},
        "interaction": {"intensity": 1, "share": 0.5},
        "incentives": {"intensity": 1, "fee": {"harvest": 1}},
        "hierarchy": {"intensity": 1, "groups": [0, 0, 1, 1]},
    }
    plain = engine.make("commons_game")
    made = engine.make("commons_game", layers=layers, agents={"may_leave": True})
    parts = []
    for table in tables(plain):
        known = {each.name for each in columns(table, plain)}
        added = [each for each in columns(table, made) if each.name not in known]
        parts += [_written(table, added)] if added else []
    return "".join(["# Codebook: what layers and leaving add\n", *parts])


def _written(table: str, rows: list[Column]) -> str:
    head = f"\n## {table}\n\n| column | type | unit | meaning |\n|---|---|---|---|\n"
    lines = [f"| `{row.told()}` | {row.type} | {row.unit} | {row.meaning} |\n" for row in rows]
    return "".join([head, *lines])


def whole(games: list[str]) -> str:
    """The codebook of these games, or of all, with what layers add."""
    parts = [codebook(engine.make(game_id)) for game_id in games or engine.game_ids()]
    return "\n".join([*parts, besides()])
