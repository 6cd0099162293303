"""Configuration keys that a paper leaves out as idle have no effect on a play."""

from __future__ import annotations

import typing
from typing import Any

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.game import Game

PERIODS = 8


def trace(game: Game[Any]) -> list[Any]:
    """Return the rewards and observations of a play with random actions."""
    episode, rng = engine.Episode(game, seed=3), np.random.default_rng(0)
    seen: list[Any] = []
    while not episode.done and len(seen) < PERIODS:
        draws = {
            field.name: (
                field.low + (game.most(field) - field.low) * rng.random(game.seats).round(1)
            ).tolist()
            for field in game.declaration.actions
        }
        rewards = episode.play_period(draws).rewards
        seen.append((np.asarray(rewards).tolist(), episode.observations_json))
    return seen


def others(game: Game[Any], key: str) -> list[Any]:
    """Return other values for a parameter. Some of them may be invalid."""
    value = getattr(game.core, key)
    if key == "share":
        return [[1.0, *[0.0] * (game.seats - 1)]]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, float):
        return [value * 0.9 + 0.01, value * 0.5, value + 0.05]
    names = typing.get_args(type(game.core).model_fields[key].annotation)
    return [name for name in names if isinstance(name, str) and name != value]


CASES: list[tuple[str, str, dict[str, Any]]] = [
    ("sanctions", "source", {}),
    ("sanctions", "source", {"production": "power", "lambda_R": 0.0}),
    ("sanctions", "source", {"form": "multiplier", "lambda_R": 0.0}),
    ("sanctions", "lab", {}),
    ("sanctions", "reputation", {"lambda_R": 0.0}),
    ("sanctions", "unsanctioned", {}),
    ("commons_game", "governed", {}),
    ("commons_game", "governed_savings", {"governance": "none"}),
    ("commons_game", "local_view", {}),
]


@pytest.mark.parametrize(("name", "archetype", "changes"), CASES)
def test_idle_keys_change_nothing(name: str, archetype: str, changes: dict[str, Any]) -> None:
    game = engine.make(name, archetype=archetype, **changes)
    before, tried = trace(game), set()
    for key in sorted(game.core.idle()):
        for value in others(game, key):
            try:
                changed = engine.make(name, archetype=archetype, **{**changes, key: value})
            except ConfigError:
                continue  # another rule refuses the value
            tried.add(key)
            assert trace(changed) == before, key
    assert len(tried) >= 2


def test_keys_in_force_are_not_idle() -> None:
    savings = engine.make("commons_game", archetype="governed_savings", governance="accumulating")
    assert not {"pool_decay", "pool_effect"} & savings.core.idle()
    lab = engine.make("sanctions", archetype="lab")
    assert {"synergy", "theta", "beta", "share", "xi"} <= lab.core.idle()
    assert not {"mpcr", "lambda_R", "rho_0"} & lab.core.idle()
