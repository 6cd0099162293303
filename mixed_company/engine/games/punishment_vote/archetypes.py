"""The archetypes of the punishment vote; the package's docstring explains them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mixed_company.engine.games.punishment_vote.core import SOURCE_RESOURCES, Resource

__all__ = ["ARCHETYPES", "SUPERSEDED"]

_LAB: Mapping[str, Any] = {
    "seats": 4,
    "turns": 100,
    "height": 12,
    "width": 12,
    "vision": 3,
    "map_memory": True,
    "initial_resources": 20,
    "spawn_probability": 0.02,
    "resources": {"A": Resource(value=3.0), "B": Resource(value=5.0, harm=3.0)},
    "spawn_weights": {"A": 4.0, "B": 1.0},
    "taboo": ("B",),
}

_LAB_0_7: Mapping[str, Any] = {
    "seats": 4,
    "turns": 80,
    "height": 12,
    "width": 12,
    "vision": 3,
    "map_memory": True,
    "initial_resources": 20,
    "spawn_probability": 0.01,
    "resources": {**SOURCE_RESOURCES, "B": Resource(value=7.0, harm=3.0)},
    "taboo": ("B",),
}

ARCHETYPES: Mapping[str, Mapping[str, Any]] = {
    "source": {},
    "sequential": {"timing": "sequential"},
    "composite": {"actions": "composite", "views": "composite"},
    "separate_worlds": {"worlds": "separate"},
    "lab": _LAB,
    "weighted_votes": {
        **_LAB_0_7,
        "agents": {
            "roles": {"elder": {}, "member": {}},
            "seats": ("elder", "member", "member", "member"),
        },
        "layers": {
            "power": {"intensity": 1.0, "weights": {"elder": 3.0}},
            "temporal": {"intensity": 1.0, "reputation_window": 10},
        },
    },
}

SUPERSEDED: Mapping[str, Mapping[str, Any]] = {"lab_0_7": _LAB_0_7}
