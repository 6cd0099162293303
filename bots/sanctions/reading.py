"""Functions that read observations for the policies of the sanctions game."""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company.engine.contract.arrays import over_seats
from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.sanctions.core import SanctionsCore, per_seat
from mixed_company.policies.seats import Seats, mean_where


def own_endowment(seats: Seats, rules: SanctionsCore) -> Array:
    """Return the most that each seat may contribute, shape (K,)."""
    return _own(seats, rules.endowment, rules)


def own_baseline(seats: Seats, rules: SanctionsCore) -> Array:
    """Return the contribution expected of each seat, (K,); it is known from the rules."""
    return _own(seats, rules.baseline, rules)


def mean_of_others(seats: Seats) -> Array:
    """Return the mean contribution last period of visible other seats, (K,); NaN if there are
    none."""
    return mean_where(_shown(seats), seats.seen["contribution"])


def kept_to_the_baseline(seats: Seats, rules: SanctionsCore, tolerance: float) -> Array:
    """Return flags (K,): whether the others reached their baselines, within `tolerance`.

    The test compares sums over the visible others in the last period. If a seat sees no others,
    they are assumed to keep to their baselines.
    """
    shown = _shown(seats)
    contributed = over_seats(np.where(shown, seats.seen["contribution"], 0.0))
    expected = over_seats(np.where(shown, per_seat(rules.baseline, rules.seats), 0.0))
    return np.asarray(contributed >= expected * (1.0 - tolerance) - 1e-9 * expected)


def others_as_shown(seats: Seats, rules: SanctionsCore) -> Array:
    """Return every seat's contribution last period, (K, n); the baseline where it is not shown."""
    expected, contribution = per_seat(rules.baseline, rules.seats), seats.seen["contribution"]
    blind = np.isnan(contribution) | (seats.period == 0)[:, None]
    return np.where(blind, expected, contribution)


def mean_trust_in_others(seats: Seats, rules: SanctionsCore) -> Array:
    """Return each seat's mean trust in the others, (K,); the initial trust if it is not shown."""
    trust = seats.seen["trust"][seats.rows, seats.seat]
    shown = ~np.isnan(trust)
    shown[seats.rows, seats.seat] = False
    mean = mean_where(shown, trust)
    return np.where(np.isnan(mean), rules.initial_trust, mean)


def sanctioned(seats: Seats, rules: SanctionsCore) -> Array:
    """Return flags (K,) for the seats that see that reciprocity cost them points last period."""
    effects, rows, seat = seats.seen["reciprocity_effects"], seats.rows, seats.seat
    felt = effects[rows, :, seat] if rules.falls_on == "deviator" else effects[rows, seat]
    return np.asarray(over_seats(np.where(np.isnan(felt), 0.0, felt)) < 0.0)


def _own(seats: Seats, value: Any, rules: SanctionsCore) -> Array:
    return per_seat(value, rules.seats)[seats.seat]


def _shown(seats: Seats) -> Array:
    """Return flags (K, n) for the other seats whose last contribution is shown."""
    shown = ~np.isnan(seats.seen["contribution"]) & (seats.period > 0)[:, None]
    shown[seats.rows, seats.seat] = False
    return shown
