"""What the picture of the punishment vote needs: what codes and actions stand for."""

from __future__ import annotations

from engine.games.punishment_vote import PunishmentVote
from engine.games.punishment_vote.core import ACTIONS, MOVES, VoteCore
from engine.games.punishment_vote.tables import FIRST_RESOURCE, WALL, Tables
from server.guide import Row

__all__ = ["setting"]


def setting(game: PunishmentVote, seat: int) -> Row:
    """The field, what lies on it by code, and what the action numbers do.

    means      per code of a cell {type, free}, of a resource also {kind, name, taboo, value, harm},
               of a seat {seat}
    moves      per action number {step, vote}: up, down, left, right or None; 1, -1 or 0
    collected  per number of what was collected its kind; None for nothing
    """
    core, tables = game.core, Tables(game.core)
    return {
        "height": core.height,
        "width": core.width,
        "vision": core.vision,
        "seats": core.seats,
        "sees_views": core.views == "composite",
        "has_map": core.map_memory,
        "means": [_meaning(core, tables, code) for code in range(tables.codes)],
        "moves": _moves(core, tables),
        "collected": [None, *core.resources],
    }


def _moves(core: VoteCore, tables: Tables) -> list[Row]:
    steps = [name.split("_")[0] for name in ACTIONS[core.actions]]
    return [
        {"step": step if step in MOVES else None, "vote": int(vote)}
        for step, vote in zip(steps, tables.vote_of, strict=True)
    ]


def _meaning(core: VoteCore, tables: Tables, code: int) -> Row:
    meaning: Row = {"free": bool(tables.free[code])}
    if code >= tables.first_seat:
        return {**meaning, "type": "seat", "seat": code - tables.first_seat}
    if code < FIRST_RESOURCE:
        return {**meaning, "type": "wall" if code == WALL else "empty"}
    name = tables.names[code]
    return {
        **meaning,
        "type": "resource",
        "kind": code - FIRST_RESOURCE,
        "name": name,
        "taboo": name in core.tabooed,
        "value": core.resources[name].value,
        "harm": core.resources[name].harm,
    }
