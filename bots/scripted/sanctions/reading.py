"""How the policies of the sanctions game read their screen."""

from __future__ import annotations

from typing import Any

import numpy as np

from bots.policy import Observation
from engine.contract.space import Array
from engine.games.sanctions.core import SanctionsCore, per_seat

__all__ = [
    "kept_to_the_baseline",
    "mean_of_others",
    "mean_trust_in_others",
    "others_as_shown",
    "own_baseline",
    "own_endowment",
    "sanctioned",
]


def own_endowment(observation: Observation, rules: SanctionsCore) -> float:
    """The most this seat may contribute."""
    return _own(observation, rules.endowment)


def own_baseline(observation: Observation, rules: SanctionsCore) -> float:
    """What this seat is expected to contribute; everyone knows it from the rules."""
    return _own(observation, rules.baseline)


def mean_of_others(observation: Observation) -> float | None:
    """What the others whose numbers are shown gave last period, on average; None without any."""
    shown = _shown(observation)
    given = observation["contribution"][shown]
    return float(given.mean()) if given.size else None


def kept_to_the_baseline(observation: Observation, rules: SanctionsCore, tolerance: float) -> bool:
    """Did the others give their baselines last period, but for this share of them?

    Judged on the sums of the others that are shown. Who sees nobody has nothing to blame.
    """
    shown = _shown(observation)
    given = float(observation["contribution"][shown].sum())
    expected = float(per_seat(rules.baseline, rules.seats)[shown].sum())
    return given >= expected * (1.0 - tolerance) - 1e-9 * expected


def others_as_shown(observation: Observation, rules: SanctionsCore) -> Array:
    """(n,) what every seat gave last period; the baseline where that is not shown."""
    expected = per_seat(rules.baseline, rules.seats)
    given = np.asarray(observation["contribution"])
    blind = np.isnan(given) | (int(observation["period"]) == 0)
    return np.where(blind, expected, given)


def mean_trust_in_others(observation: Observation, rules: SanctionsCore) -> float:
    """Own trust in the other seats, on average; the initial trust if it is not shown."""
    seat = int(observation["seat"])
    trust = np.delete(observation["trust"][seat], seat)
    shown = trust[~np.isnan(trust)]
    return float(shown.mean()) if shown.size else rules.initial_trust


def sanctioned(observation: Observation, rules: SanctionsCore) -> bool:
    """Did reciprocity take points from this seat last period, as far as it is shown?"""
    seat = int(observation["seat"])
    effects = np.asarray(observation["reciprocity_effects"])
    own = effects[:, seat] if rules.falls_on == "deviator" else effects[seat]
    return float(np.nansum(own)) < 0.0


def _own(observation: Observation, value: Any) -> float:
    return float(value[int(observation["seat"])] if isinstance(value, tuple) else value)


def _shown(observation: Observation) -> Array:
    """(n,) flags: the other seats whose contribution of last period is shown."""
    shown = ~np.isnan(observation["contribution"]) & (int(observation["period"]) > 0)
    shown[int(observation["seat"])] = False
    return shown
