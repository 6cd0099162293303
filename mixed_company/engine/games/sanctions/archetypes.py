"""The archetypes of the sanctions game; the package's docstring explains them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["ARCHETYPES", "SUPERSEDED"]

_LAB: Mapping[str, Any] = {
    "seats": 4,
    "periods": 20,
    "endowment": 20.0,
    "baseline": 20.0,
    "production": "public_good",
    "reward": "private",
    "memory": 2,
    "kappa": 0.05,
    "kappa_T": 0.0,
    "lambda_R": 120.0,
}

_LAB_0_7: Mapping[str, Any] = {
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
    "unsanctioned": {**_LAB, "lambda_R": 0.0},
    "graduated": {
        "baseline": 100.0,
        "production": "public_good",
        "reward": "private",
        "window": "full",
        "kappa": 0.01,
        "kappa_T": 0.0,
        "lambda_R": 470.0,
    },
    "reputation": {
        **_LAB_0_7,
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

SUPERSEDED: Mapping[str, Mapping[str, Any]] = {"lab_0_7": _LAB_0_7}
