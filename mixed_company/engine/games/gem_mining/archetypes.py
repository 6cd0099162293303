"""The archetypes of gem mining; the package's docstring explains them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mixed_company.engine.games.gem_mining.published import MOMALAND_42

__all__ = ["ARCHETYPES", "SUPERSEDED"]

_RED, _GREEN = (0.01, 0.0), (0.0, 0.01)
"""Poor mines, which have a little of one kind of gems."""
_ONE_RICH_MINE: Mapping[str, Any] = {
    "reach": (4, 4, 4, 4),
    "workers": (1, 1, 1, 1),
    "base_probabilities": (_RED, (0.9, 0.8), _RED, (0.9, 0.9), _GREEN, (0.8, 0.9), _GREEN),
}

ARCHETYPES: Mapping[str, Mapping[str, Any]] = {
    "source": {},
    "momaland_42": {"instance": MOMALAND_42},
    "lab": {
        "seats": 4,
        "periods": 20,
        "information": "all",
        "known_probabilities": True,
        "worker_bonus": 0.5,
        "instance": _ONE_RICH_MINE,
    },
    "open_book": {
        "seats": 4,
        "periods": 20,
        "information": "own",
        "layers": {
            "information": {"intensity": 1.0, "show": ("base_probabilities", "workers_at")},
            "uncertainty": {"intensity": 1.0, "shocks": {"base_probabilities": 0.02}},
        },
    },
}

SUPERSEDED: Mapping[str, Mapping[str, Any]] = {
    "lab_0_7": {"seats": 4, "periods": 20, "information": "all"}
}
