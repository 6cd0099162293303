"""Helpers that set up and play the commons game in tests."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.period import Period


def commons(**core: Any) -> engine.Game[Any]:
    return engine.make("commons_game", **core)


def acts(harvest: Any, contribution: Any = 0, seats: int = 4) -> dict[str, list[float]]:
    """Return the actions of all seats; a single number applies to every seat."""

    def each(value: Any) -> list[float]:
        return list(value) if isinstance(value, list | tuple) else [value] * seats

    return {"harvest": each(harvest), "contribution": each(contribution)}


def play(game: engine.Game[Any], *actions: dict[str, Any], seed: int = 0) -> list[Period]:
    """Play these actions, one per period, and return the steps."""
    episode = Episode(game, seed)
    return [episode.step(actions_of_period) for actions_of_period in actions]


def state(episode: Episode) -> dict[str, Any]:
    """Return the true state of a play, which no seat sees."""
    return dict(json.loads(episode.state_json())["state"])


def states(game: engine.Game[Any], *actions: dict[str, Any], seed: int = 0) -> list[dict[str, Any]]:
    """Return the true state after each period."""
    episode = Episode(game, seed)
    reached = []
    for actions_of_period in actions:
        episode.step(actions_of_period)
        reached.append(state(episode))
    return reached


def stocks(game: engine.Game[Any], *actions: dict[str, Any]) -> list[float]:
    """Return the true stock after each period."""
    return [state["stock"] for state in states(game, *actions)]


DIFFERENT = {
    "commons_game": {"local_view", "subsistence", "unequal"},
    "punishment_vote": {"composite", "separate_worlds", "sequential"},
    "sanctions": {"graduated"},
}
"""Archetypes whose seats, views, endings or turns differ from the reference archetype."""


def every_archetype() -> list[Any]:
    """List (game id, archetype) as parameters. Archetypes that resemble the reference archetype are
    marked `long`."""
    return [
        pytest.param(
            game_id,
            archetype,
            id=f"{game_id}-{archetype}",
            marks=[]
            if archetype in {engine.find(game_id).reference, *DIFFERENT.get(game_id, ())}
            else pytest.mark.long,
        )
        for game_id in engine.game_ids()
        for archetype in {engine.find(game_id).reference: True, **engine.find(game_id).archetypes}
    ]
