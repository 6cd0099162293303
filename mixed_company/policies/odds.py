"""Odds: the probabilities of a policy's actions, if it reports them, and their entropy.

Odds map action fields to the distributions before the draw:

    a choice or a flag   probabilities of the choices in ascending order, along the last axis;
                         0 for a choice that is not open
    an amount            `Normal`, in the field's unit, before it is clipped to its range

A choice that is not random has odds of 1. A policy whose amounts are not random returns None, but
an amount with only one open value has an sd of 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.space import Array

_ROUNDING = 1e-6


class Normal(NamedTuple):
    """Normal distribution of an amount: mean and standard deviation, in the field's shape."""

    mean: Array
    sd: Array


Odds = Mapping[str, Array | Normal]


def are_sound(odds: Odds, allowed: Allowed) -> bool:
    """Return whether odds have the right form for every action field, with 0 for closed choices."""
    if set(odds) != {field.name for field in allowed.fields}:
        return False
    for field in allowed.fields:
        likely = odds[field.name]
        if isinstance(likely, Normal):
            if np.shape(likely.sd) != field.shape or not np.all(np.asarray(likely.sd) >= 0):
                return False
            continue
        if field.kind not in ("choice", "flag"):
            return False
        shares, is_open = np.asarray(likely), allowed.open(field)
        if shares.shape != np.shape(is_open) or not (shares >= 0).all():
            return False
        if shares[~is_open].any() or np.abs(shares.sum(axis=-1) - 1.0).max() > _ROUNDING:
            return False
    return True


def even(allowed: Allowed) -> Odds:
    """Return equal odds for all open choices. All of the game's actions must be choices."""
    is_open = {field.name: allowed.open(field) for field in allowed.fields}
    return {name: flags / flags.sum(axis=-1, keepdims=True) for name, flags in is_open.items()}


def entropy(odds: Odds) -> float:
    """Return the entropy of a decision in bits, given that its fields are drawn independently.

    Choices: - sum of p log2 p (Shannon 1948, Bell System Technical Journal 27, eq. of section 6).
    Amounts: the differential entropy log2(sd sqrt(2 pi e)) (section 20), which depends on the unit
    and can be negative. An amount with an sd of 0 adds 0.
    """
    bits = 0.0
    for likely in odds.values():
        if isinstance(likely, Normal):
            sd = np.asarray(likely.sd)
            bits += float(np.log2(sd[sd > 0] * math.sqrt(2.0 * math.pi * math.e)).sum())
        else:
            shares = np.asarray(likely)
            chances = shares[shares > 0]
            bits -= float((chances * np.log2(chances)).sum())
    return bits + 0.0
