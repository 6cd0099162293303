"""The log of a table: what happened, in order, as plain JSON.

Every entry has `kind` and `at_ms`, when it took effect:

start    seed, and what all seats see
seat     who sits down: an `Occupancy`
period   what was sent and used, what it gave, the state after it, who decided (`seats`)
event    what the rules, or people who come and go, let happen

What is `bulk` is left out: config, seed and actions give it again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.contract import space
from engine.contract.space import Arrays, Field
from engine.game import Game
from engine.play.episode import Episode, Step

__all__ = ["Entry", "period", "shown"]

Entry = dict[str, Any]
"""One row of a log: kind, at_ms, and what belongs to its kind."""


def period(episode: Episode, step: Step) -> Entry:
    """The world after a period, and why the play ended with it."""
    return {
        "state": _without_bulk(episode.game.declaration.state, episode.state_record()),
        "observations": shown(episode.game, step.observations),
        "ended": step.reason,
    }


def shown(game: Game[Any], observations: Arrays) -> Entry:
    """What all seats see."""
    return space.to_json(_without_bulk(game.declaration.observations, observations))


def _without_bulk(layout: Sequence[Field], values: Mapping[str, Any]) -> dict[str, Any]:
    bulk = {field.name for field in layout if field.bulk}
    return {name: value for name, value in values.items() if name not in bulk}
