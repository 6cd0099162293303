"""The archetypes of the sanctions game; the package's docstring explains them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["ARCHETYPES"]

_LAB: Mapping[str, Any] = {
    "seats": 4,
    "periods": 20,
    "endowment": 20.0,
    "baseline": 10.0,
    "production": "public_good",
    "reward": "private",
    "lambda_R": 40.0,
    "lambda_minus": 0.02,
    "mu_R": 0.02,
}

ARCHETYPES: Mapping[str, Mapping[str, Any]] = {
    "source": {},
    "tr4": {"signal": "deviation", "window": "prior", "falls_on": "observer"},
    "coopetition_gym": {
        "signal": "deviation",
        "window": "peer",
        "falls_on": "observer",
        "form": "multiplier",
    },
    "lab": _LAB,
    "reputation": {
        **_LAB,
        "layers": {
            "temporal": {"intensity": 1.0, "reputation_window": 5, "reward_delay": 2},
            "information": {
                "intensity": 1.0,
                "hide": (
                    "contribution",
                    "memory_averages",
                    "trust",
                    "reputation",
                    "reciprocity_effects",
                ),
            },
        },
    },
}
