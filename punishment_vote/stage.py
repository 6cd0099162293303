"""What the picture of the punishment vote needs: what codes and actions stand for, and what a seat
would earn now with what it might collect."""

from __future__ import annotations

from collections.abc import Sequence

from mixed_company.engine.games.punishment_vote import PunishmentVote
from mixed_company.engine.games.punishment_vote.core import ACTIONS, MOVES, VoteCore
from mixed_company.engine.games.punishment_vote.tables import FIRST_RESOURCE, WALL, Tables
from mixed_company.server.pages import plain
from mixed_company.server.pages.guide import Observation, Row

__all__ = ["derived", "setting"]


def setting(game: PunishmentVote, seat: int) -> Row:
    """The field, what lies on it by code, and what the action numbers do.

    means      per code of a cell {type, free}, of a resource also {kind, name, taboo, value, harm},
               of a seat {seat}
    moves      per action number {step, vote}: up, down, left, right or None; 1, -1 or 0
    collected  per number of what was collected its kind; None for nothing
    placed     is every seat shown where on the field it is, and what lies around it, as it is
    lottery    is a punishment drawn by chance
    """
    core, tables = game.core, Tables(game.core)
    return {
        "height": core.height,
        "width": core.width,
        "vision": core.vision,
        "seats": core.seats,
        "sees_views": core.views == "composite",
        "placed": plain.is_seen(game, "row", "column", "window"),
        "lottery": core.punishment == "lottery",
        "means": [_meaning(core, tables, code) for code in range(tables.codes)],
        "moves": _moves(core, tables),
        "collected": [None, *core.resources],
    }


def derived(game: PunishmentVote, seat: int, seen: Sequence[Observation]) -> Row:
    """What collecting brings at the level the seat sees.

    net  points per kind, less the punishment (of a lottery: its mean); None where the level is not
         shown as it is, where seats before this one vote first, or where layers pay otherwise
    """
    level = seen[-1]["level"]
    if level is None or not _is_plain(game, seat):
        return {"net": None}
    tables = game.tables
    return {"net": (tables.value_of - tables.penalty_of * level)[1:].tolist()}


def _is_plain(game: PunishmentVote, seat: int) -> bool:
    """Is a seat paid at once, by the core alone, at the level that it sees?"""
    paid = {field.name for field in game.declaration.components}
    by_core = paid <= {"value", "punishment", "vote_cost", "harm"} and not plain.is_shared(game)
    last_seen = game.core.timing == "simultaneous" or seat == 0  # nobody votes before it moves
    return by_core and last_seen and plain.is_seen(game, "level")


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
