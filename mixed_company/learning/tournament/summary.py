"""What a policy came to, over all mixes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mixed_company.learning.tournament.means import Mean, Measured, mean
from mixed_company.learning.tournament.mixes import Mix

__all__ = ["Standing", "standings"]

_CLOSE = 1e-9
"""Points nearer than this are the same: sums of floating point numbers."""


@dataclass(frozen=True)
class Standing:
    """A policy by itself and among others; NaN and "" where there were no others.

    alone          all seats follow it
    among_others   its points as the only one of its kind, mean over all fields
    gain           how much more than its field it has there
    exploits       the field it has most more than, "": it has more than none
    exploited_by   who has most more than it, as the only one in a field of it
    best_reply     what earns most in a field of it: itself, if nothing earns more
    """

    policy: str
    alone: Measured
    among_others: Mean
    gain: Mean
    exploits: str
    exploited_by: str
    best_reply: str


def standings(measures: Mapping[Mix, Measured], policies: Sequence[str]) -> list[Standing]:
    """The standing of every policy, the one that does best among others first."""
    every = [_standing(measures, policies, policy) for policy in policies]
    return sorted(
        every, key=lambda standing: (-np.nan_to_num(standing.among_others.value), standing.policy)
    )


def _standing(measures: Mapping[Mix, Measured], policies: Sequence[str], policy: str) -> Standing:
    others = [other for other in policies if Mix(policy, other) in measures and other != policy]
    alone = measures[Mix(policy, policy)]
    if not others:
        none = Mean(np.nan, np.nan, np.nan)
        return Standing(policy, alone, none, none, "", "", "")
    as_focal = [measures[Mix(policy, other)] for other in others]
    taken = {other: _gain(measures, policy, other) for other in others}
    lost = {other: _gain(measures, other, policy) for other in others}
    replies = {other: float(measures[Mix(other, policy)].own.mean()) for other in others}
    return Standing(
        policy,
        alone,
        mean(np.mean([measure.own for measure in as_focal], axis=0)),
        mean(np.mean([measure.gain for measure in as_focal], axis=0)),
        exploits=_most(taken, 0.0),
        exploited_by=_most(lost, 0.0),
        best_reply=_most(replies, alone.points.value) or policy,
    )


def _gain(measures: Mapping[Mix, Measured], focal: str, field: str) -> float:
    return float(measures[Mix(focal, field)].gain.mean())


def _most(values: Mapping[str, float], least: float) -> str:
    """The name with the largest value, if that is more than `least`."""
    best = max(values, key=values.__getitem__)
    return best if values[best] > least + _CLOSE * max(1.0, abs(least)) else ""
