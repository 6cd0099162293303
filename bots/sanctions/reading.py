"""How the policies of the sanctions game read their screens."""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company.engine.contract.arrays import over_seats
from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.sanctions.core import SanctionsCore, per_seat
from mixed_company.policies.seats import Seats, mean_where

__all__ = [
    "kept_to_the_baseline",
    "mean_of_others",
    "mean_trust_in_others",
    "others_as_shown",
    "own_baseline",
    "own_endowment",
    "sanctioned",
]


def own_endowment(seats: Seats, rules: SanctionsCore) -> Array:
    """(K,) the most that each seat may contribute."""
    return _own(seats, rules.endowment, rules)


def own_baseline(seats: Seats, rules: SanctionsCore) -> Array:
    """(K,) what each seat is expected to contribute; everyone knows it from the rules."""
    return _own(seats, rules.baseline, rules)


def mean_of_others(seats: Seats) -> Array:
    """(K,) what the others that are shown gave last period, on average; NaN without any."""
    return mean_where(_shown(seats), seats.seen["contribution"])


def kept_to_the_baseline(seats: Seats, rules: SanctionsCore, tolerance: float) -> Array:
    """(K,) flags: did the others give their baselines last period, but for this share of them?

    Judged on the sums of the others that are shown. Who sees nobody has nothing to blame.
    """
    shown = _shown(seats)
    given = over_seats(np.where(shown, seats.seen["contribution"], 0.0))
    expected = over_seats(np.where(shown, per_seat(rules.baseline, rules.seats), 0.0))
    return np.asarray(given >= expected * (1.0 - tolerance) - 1e-9 * expected)


def others_as_shown(seats: Seats, rules: SanctionsCore) -> Array:
    """(K, n) what every seat gave last period; the baseline where that is not shown."""
    expected, given = per_seat(rules.baseline, rules.seats), seats.seen["contribution"]
    blind = np.isnan(given) | (seats.period == 0)[:, None]
    return np.where(blind, expected, given)


def mean_trust_in_others(seats: Seats, rules: SanctionsCore) -> Array:
    """(K,) own trust in the other seats, on average; the initial trust if it is not shown."""
    trust = seats.seen["trust"][seats.rows, seats.seat]
    shown = ~np.isnan(trust)
    shown[seats.rows, seats.seat] = False
    mean = mean_where(shown, trust)
    return np.where(np.isnan(mean), rules.initial_trust, mean)


def sanctioned(seats: Seats, rules: SanctionsCore) -> Array:
    """(K,) flags: did reciprocity take points from the seat last period, as far as it is shown?"""
    effects, rows, own = seats.seen["reciprocity_effects"], seats.rows, seats.seat
    felt = effects[rows, :, own] if rules.falls_on == "deviator" else effects[rows, own]
    return np.asarray(over_seats(np.where(np.isnan(felt), 0.0, felt)) < 0.0)


def _own(seats: Seats, value: Any, rules: SanctionsCore) -> Array:
    return per_seat(value, rules.seats)[seats.seat]


def _shown(seats: Seats) -> Array:
    """(K, n) flags: the other seats whose contribution of last period is shown."""
    shown = ~np.isnan(seats.seen["contribution"]) & (seats.period > 0)[:, None]
    shown[seats.rows, seats.seat] = False
    return shown
