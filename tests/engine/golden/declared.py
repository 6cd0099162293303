"""Declarations of every archetype of a game: names, units, ranges, visibility and endings.

Each line has one field and the archetypes that declare it this way. Numbers are rounded to nine
digits, because the last digit of numpy's functions depends on the processor.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from mixed_company import engine
from mixed_company.engine.contract.space import Field

PARTS = ("actions", "observations", "state", "components", "info")
TABLES = ("endings", "seat_endings", "sums")


def declared(game_id: str) -> str:
    """Return all declarations of the game and its archetypes, as JSON lines."""
    archetypes: dict[str, list[str | None]] = {}
    for archetype in (None, *sorted(engine.find(game_id).known_archetypes())):
        for line in _lines(engine.make(game_id, archetype=archetype)):
            archetypes.setdefault(json.dumps(line), []).append(archetype)
    return "".join(
        f"{json.dumps({'archetypes': names})[:-1]}, {line[1:]}\n"
        for line, names in archetypes.items()
    )


def _lines(game: engine.Game[Any]) -> Iterator[dict[str, Any]]:
    declaration = game.declaration
    for part in PARTS:
        for field in getattr(declaration, part):
            yield {"in": part, **_described(field)}
    for part in TABLES:
        for name, value in getattr(declaration, part).items():
            yield {"in": part, "name": name, "is": value}


def _described(field: Field) -> dict[str, Any]:
    """Return the non-default attributes of a field, without its meaning, which is prose."""
    names = [(part.name, part.default) for part in fields(field) if part.name != "meaning"]
    values = {name: (getattr(field, name), usual) for name, usual in names}
    return {name: _plain(value) for name, (value, usual) in values.items() if value != usual}


def _plain(value: Any) -> Any:
    return float(f"{value:.9g}") if isinstance(value, float) else value
