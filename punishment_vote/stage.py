"""Data for the punishment vote's picture: codes, actions, and the points for collecting a resource
now."""

from __future__ import annotations

from collections.abc import Sequence

from mixed_company.engine.games.punishment_vote import PunishmentVote
from mixed_company.engine.games.punishment_vote.core import ACTIONS, MOVES, VoteCore
from mixed_company.engine.games.punishment_vote.tables import FIRST_RESOURCE, WALL, Tables
from mixed_company.server.pages import plain
from mixed_company.server.pages.guide import Observation, Row
from punishment_vote.words import voting


def setting(game: PunishmentVote, seat: int) -> Row:
    """Return the size of the field, the meaning of every code and the effect of every action.

    means      per code of a cell {type, free}, and for a resource {kind, name, taboo, value, harm},
               for a seat {seat}
    moves      per action number {step, vote}: up, down, left, right or None; 1, -1 or 0
    collected  kind per number of a collected resource; None for nothing
    placed     whether every seat sees exactly where it is and what surrounds it
    lottery    whether punishments are drawn at random
    size       size of a punishment in points; None if no kind is taboo
    vote       effect and cost of a vote, in sentences
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
        "size": core.magnitude if core.tabooed else None,
        "vote": voting(game),
        "means": [_meaning(core, tables, code) for code in range(tables.codes)],
        "moves": _moves(core, tables),
        "collected": [None, *core.resources],
    }


def derived(game: PunishmentVote, seat: int, seen: Sequence[Observation]) -> Row:
    """Return the points for collecting each kind at the visible level.

    net  points per kind minus the expected punishment; None if the level is hidden or inexact, if
         earlier seats can still vote, or if layers change the payment
    """
    level = seen[-1]["level"]
    if level is None or not _is_plain(game, seat):
        return {"net": None}
    tables = game.tables
    return {"net": (tables.value_of - tables.penalty_of * level)[1:].tolist()}


def _is_plain(game: PunishmentVote, seat: int) -> bool:
    """Return whether a seat's points depend only on the core and on the level that the seat
    sees."""
    paid = {field.name for field in game.declaration.components}
    by_core = paid <= {"value", "punishment", "vote_cost", "harm"} and not plain.is_shared(game)
    last_seen = game.core.timing == "simultaneous" or seat == 0  # no seat votes before it moves
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
