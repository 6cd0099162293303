"""What a log names of a turn: punishments, votes that moved the level, cells two seats wanted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from mixed_company.engine.contract.arrays import ROUNDING
from mixed_company.engine.contract.declaration import EventKind
from mixed_company.engine.contract.space import Arrays
from mixed_company.engine.games.punishment_vote.tables import Tables
from mixed_company.engine.games.punishment_vote.turn import cell_of

__all__ = ["EVENT_KINDS", "events"]

EVENT_KINDS: Mapping[str, EventKind] = {
    "conflict": EventKind("a `seat` got the cell at `row`, `column` that `others` wanted too"),
    "penalty": EventKind("a `seat` lost `points` as a punishment"),
    "vote": EventKind("the votes moved the level of punishment from `from` to `to`", True),
}

Event = dict[str, Any]


def events(tables: Tables, before: Arrays, used: Arrays, after: Arrays) -> list[Event]:
    """The events of one turn of one play (`EVENT_KINDS`)."""
    happenings = [*_conflicts(tables, before, used, after)]
    for seat, points in enumerate(after["punished"].tolist()):
        if points > ROUNDING:
            happenings.append({"event": "penalty", "seat": seat, "points": points})
    if after["vote"].any() and abs(after["level"] - before["level"]) > ROUNDING:
        level = {"from": float(before["level"]), "to": float(after["level"])}
        happenings.append({"event": "vote", **level})
    return happenings


def _conflicts(tables: Tables, before: Arrays, used: Arrays, after: Arrays) -> Iterator[Event]:
    """One event for each cell that one seat entered and others tried to enter."""
    if tables.grids > 1:
        return  # everybody has a grid alone
    steps = tables.step_of[used["action"]]
    wanted = cell_of(tables, before) + steps
    moved = after["moved"]
    for seat in np.flatnonzero(moved).tolist():
        others = np.flatnonzero((wanted == wanted[seat]) & (steps != 0) & ~moved)
        if others.size:
            row, column = divmod(int(wanted[seat]), tables.core.width)
            place = {"row": row, "column": column}
            yield {"event": "conflict", "seat": seat, "others": others.tolist(), **place}
