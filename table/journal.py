"""The log of a table: what happened, in order, as plain JSON.

Every entry has `kind` and `at_ms`, when it took effect:

start    seed, and what all seats see
seat     who sits down: an `Occupancy`
period   what was sent and used, what it gave, the state after it, who decided (`seats`)
event    what the rules, or people who come and go, let happen

What is `bulk` is left out: config, seed and actions give it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.contract import space
from engine.contract.space import Arrays, Field
from engine.game import Game
from engine.play.period import Period

__all__ = ["Entry", "period", "shown"]

Entry = dict[str, Any]
"""One row of a log: kind, at_ms, and what belongs to its kind."""


def period(game: Game[Any], played: Period) -> Entry:
    """A period that is over."""
    state = _without_bulk(game.declaration.state, played.state)
    seen = shown(game, played.observations)
    return {**played.to_json(world=False), "state": state, "observations": seen}


def shown(game: Game[Any], observations: Arrays) -> Entry:
    """What all seats see."""
    return _without_bulk(game.declaration.observations, observations)


def _without_bulk(layout: Sequence[Field], values: Arrays) -> dict[str, Any]:
    return space.to_json({field.name: values[field.name] for field in layout if not field.bulk})
