"""Helpers that set up and play gem mining in tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from mixed_company import engine
from mixed_company.engine.contract.space import Arrays
from mixed_company.engine.games.gem_mining import Instance

PUBLISHED = json.loads((Path(__file__).parent / "reference/gem_mining.json").read_text())

# Three villages, C = 3, so five mines; two types.
REACH = [2, 3, 2]
WORKERS = [1, 2, 3]
BASE = [[0.25, 0.0], [0.5, 0.125], [0.0, 0.25], [0.125, 0.5], [0.0, 1.0]]
SMALL = {"reach": REACH, "workers": WORKERS, "base_probabilities": BASE}


def mining(**core: Any) -> engine.Game[Any]:
    return engine.make("gem_mining", **core)


def small(**core: Any) -> engine.Game[Any]:
    """Return a game of three villages that share the middle mines. Its bonus is exact in binary."""
    parameters = {"seats": 3, "max_connectivity": 3, "worker_bonus": 1.5, "instance": SMALL}
    return mining(**{**parameters, **core})


def published(seed: str) -> Instance:
    """Return the instance of the published game for a seed."""
    instance = PUBLISHED[seed]
    parts = (np.array(instance[name]) for name in ("reach", "workers", "base_probabilities"))
    return Instance(*parts, truncation=0.9, worker_bonus=1.03)


def with_luck(game: engine.Game[Any], mine: Any, luck: Any) -> tuple[Arrays, Any]:
    """Play the first period with these random numbers: an array of shape (m, K), or one number for
    all. Return the state and the outcome.
    """
    state, _ = game.reset(0)
    places = (game.core.mines, game.core.gem_types)
    return game.step(state, {"mine": mine}, {"luck": np.broadcast_to(luck, places)})
