"""The log of a table: what happened, in order, as plain JSON.

Every entry has `kind` and `at_ms`, when it took effect:

start    seed, and what all seats see
seat     who sits down: an `Occupancy`
period   what was sent and used, what it gave, the state after it, who decided (`seats`)
event    what the rules, or people who come and go, let happen

What is `bulk` is left out: config, seed and actions give it again.
"""

from __future__ import annotations

from typing import Any

from engine.contract import space
from engine.contract.space import Arrays
from engine.game import Game
from engine.play.period import Period

__all__ = ["Entry", "period", "shown"]

Entry = dict[str, Any]
"""One row of a log: kind, at_ms, and what belongs to its kind."""


def period(game: Game[Any], played: Period) -> Entry:
    """A period that is over."""
    declared = game.declaration
    bulk = {field.name for field in (*declared.state, *declared.observations) if field.bulk}
    return played.to_json(without=bulk)


def shown(game: Game[Any], observations: Arrays) -> Entry:
    """What all seats see."""
    kept = [field.name for field in game.declaration.observations if not field.bulk]
    return space.to_json({name: observations[name] for name in kept})
