"""The declared layouts of the punishment vote: actions, observations, state and components."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from mixed_company.engine.contract.space import Field
from mixed_company.engine.game import Declaration
from mixed_company.engine.games.punishment_vote.core import ACTIONS, VoteCore
from mixed_company.engine.games.punishment_vote.tables import Tables


def declare(tables: Tables) -> Declaration:
    """Return the layouts for a configuration."""
    names = ACTIONS[tables.core.actions]
    last = len(names) - 1
    meaning = "; ".join(f"{mode}: {_numbered(names)}" for mode, names in ACTIONS.items())
    return Declaration(
        actions=(
            Field("action", meaning, kind="choice", low=0, high=last, default=last, names=names),
        ),
        observations=_observations(tables),
        state=_state(tables),
        components=_components(tables.core, tables),
        endings={},
    )


def _observations(tables: Tables) -> tuple[Field, ...]:
    core, side = tables.core, 2 * tables.core.vision + 1
    views = (core.seats,) if core.views == "composite" else ()
    return (
        Field(
            "window",
            f"the surrounding cells, one-hot over {', '.join(tables.names)}",
            kind="choice",
            low=0,
            high=1,
            shape=(*views, side, side, tables.codes),
            visibility="private",
            bulk=True,
            names=tuple(tables.names),
            reads=("grid", "row", "column"),
        ),
        Field("level", "punishment level", low=0.0, high=1.0, maskable=True),
        _votes("increases", core, maskable=True),
        _votes("decreases", core, maskable=True),
        replace(
            _own("pending_harm", "harm to you not yet deducted", np.inf, "points"), reads=("harm",)
        ),
        replace(
            _own("collected", _collected(core), float(len(core.resources))),
            names=_kinds(core),
        ),
        _own("row", "own row, from 0", core.height - 1.0),
        _own("column", "own column, from 0", core.width - 1.0),
        _own("noise", "a random number with no meaning", 1.0),
        *_memory(tables, "private"),
    )


def _state(tables: Tables) -> tuple[Field, ...]:
    core, n = tables.core, (tables.core.seats,)
    return (
        _map("grid", f"the whole field: {', '.join(tables.names)}", tables, tables.grids),
        Field("row", "row, from 0", kind="whole", low=0, high=core.height - 1, shape=n),
        Field("column", "column, from 0", kind="whole", low=0, high=core.width - 1, shape=n),
        Field("level", "punishment level", low=0.0, high=1.0),
        _votes("increases", core),
        _votes("decreases", core),
        Field(
            "harm",
            "harm not yet deducted, by player",
            "points",
            low=0.0,
            high=tables.most_harm if core.timing == "sequential" else 0.0,
            shape=n,
        ),
        Field(
            "collected",
            _collected(core),
            kind="whole",
            low=0,
            high=len(core.resources),
            shape=n,
            names=_kinds(core),
        ),
        Field(
            "vote",
            "vote, 1: increase, -1: decrease, 0: none",
            kind="whole",
            low=-1,
            high=1,
            shape=n,
            names=("decrease", "none", "increase"),
        ),
        Field(
            "moved", "whether the player moved to another cell", kind="flag", low=0, high=1, shape=n
        ),
        Field("punished", "size of the punishment", "points", low=0.0, shape=n),
        Field(
            "harm_paid",
            "points lost to harm",
            "points",
            low=0.0,
            high=2 * tables.most_harm,
            shape=n,
        ),
        *_memory(tables, "hidden"),
    )


def _components(core: VoteCore, tables: Tables) -> tuple[Field, ...]:
    values = [resource.value for resource in core.resources.values()]
    harm = 2 * tables.most_harm
    value = Field("value", "collected", "points", visibility="private", reads=("collected",))
    hurt = replace(value, name="harm", meaning="harmed by what others collected")
    return (
        replace(value, low=min(0.0, *values), high=max(0.0, *values)),
        Field("punishment", "punished", "points", low=-core.magnitude, high=0.0, reads=("level",)),
        Field("vote_cost", "paid for voting", "points", low=-core.vote_cost, high=0.0),
        replace(hurt, low=-harm, high=0.0, reads=("pending_harm",)),
    )


def _numbered(names: Iterable[str], first: int = 0) -> str:
    return ", ".join(f"{number} {name}" for number, name in enumerate(names, first))


def _collected(core: VoteCore) -> str:
    return f"kind collected in the last turn: 0 nothing, {_numbered(core.resources, 1)}"


def _kinds(core: VoteCore) -> tuple[str, ...]:
    return ("nothing", *core.resources)


def _own(name: str, meaning: str, high: float, unit: str = "") -> Field:
    """Return a field for a private number with a minimum of 0."""
    return Field(name, meaning, unit, low=0.0, high=high, visibility="private", maskable=True)


def _votes(name: str, core: VoteCore, maskable: bool = False) -> Field:
    meaning = f"votes to {name.removesuffix('s')} the level in the last turn"
    return Field(name, meaning, "votes", low=0.0, high=float(core.seats), maskable=maskable)


def _memory(tables: Tables, who: str) -> tuple[Field, ...]:
    """Return the fields of a seat's map: the cells that it has seen, as it last saw them.

    A cell occupied by a seat counts as empty.
    """
    if not tables.core.map_memory:
        return ()
    n = tables.core.seats if who == "hidden" else None
    return (
        _map("remembered", "cells as last seen, if last_seen is 0 or more", tables, n),
        _map("last_seen", "turn after which a cell was last seen; -1: never", tables, n),
    )


def _map(name: str, meaning: str, tables: Tables, count: int | None) -> Field:
    """Return the field for a map of the grid: a seat's own map or, in the state, `count` maps."""
    shape = () if count is None else (count,)
    last = name == "last_seen"
    return Field(
        name,
        meaning,
        kind="whole",
        low=-1 if last else 0,
        high=tables.core.turns if last else tables.codes - 1,
        shape=(*shape, *tables.grid.shape),
        visibility="hidden" if count is not None else "private",
        bulk=True,
        names=() if last else tuple(tables.names),
    )
