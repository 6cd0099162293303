"""Imitation of people: the distribution of a reply depends on the gift, the person's last choice
and the period.

A reply is a normal number, clipped to the range of the gifts: -1 gives nothing, 1 gives everything,
and anything in between means the middle gift. The mean and the standard deviation follow from two
numbers, both linear in the features:

    edge    standard deviations from the mean up to -1, so giving nothing has probability Phi(edge)
    width   logarithm of the standard deviations from -1 to 1

The features are shares of the range, expanded into triangular functions ("hats") at 0, 0.5 and 1,
so shares between two gifts are interpolated. This allows any probabilities of the three gifts, and
a model in bots/trained can draw from them (`policies.trained.model`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_ndtr

from docs.judged.reading import People
from mixed_company.engine.contract.space import Array

PERIODS = 10
RIDGE = 0.05
"""Penalty on the squared weights, equivalent to a normal prior with this precision."""
HATS = np.array([0.0, 0.5, 1.0])
_BY_LOW, _BY_HIGH = np.array([1, -1, 0]), np.array([0, 1, -1])
"""Sign of the change in each gift's probability when the lower or the upper end rises."""
_ROOT = np.log(2 * np.pi) / 2


@dataclass(frozen=True)
class Imitation:
    """Probabilities of replies; weights (2, F) of the features for the edge and the width."""

    weights: Array

    def logs(self, features: Array) -> Array:
        """Return the log probabilities (..., 3) of the three gifts."""
        return gift_logs(*_ends(self.weights, features))

    def scores(self, features: Array, replies: Array) -> Array:
        """Return the log probabilities (...) of replies."""
        return np.take_along_axis(self.logs(features), replies[..., None], axis=-1)[..., 0]


def features(gifts: Array, before: Array, period: Array) -> Array:
    """Return the features (..., 15) of decisions.

    gifts    the other's gift as a share of the range
    before   the person's last choice as a share of the range, NaN in the first period
    period   from 0; periods after the last one that people played count as the last
    """
    gift, first = hats(gifts), np.isnan(before)[..., None]
    last = np.concatenate([np.where(first, 0.0, hats(np.nan_to_num(before))), first], axis=-1)
    cells = (gift[..., :, None] * last[..., None, :]).reshape(*gift.shape[:-1], -1)
    passed = np.minimum(period, PERIODS - 1) / (PERIODS - 1)
    return np.concatenate([cells, gift * np.asarray(passed)[..., None]], axis=-1)


def hats(shares: Array) -> Array:
    """Return the values (..., 3) at these shares of the hats at 0, 0.5 and 1: 1 at the hat's
    centre, and 0 at a distance of 0.5 or more.
    """
    distance = np.abs(np.asarray(shares)[..., None] - HATS)
    return np.asarray(np.maximum(1 - 2 * distance, 0.0))


def of_tables(people: People, same: bool = False) -> Array:
    """Return the features (T, P, 3, 15) of all replies.

    The last choice is what the person played in the previous period. With `same`, it is the
    person's last reply to the same gift, which is usually unknown during play.
    """
    periods, count, gifts = people.replies.shape
    before = np.full((periods, count, gifts), np.nan)
    played = people.replies if same else people.actions[..., None]
    before[1:] = played[:-1] / 2
    others = np.broadcast_to(HATS, before.shape)
    period = np.broadcast_to(np.arange(periods)[:, None, None], before.shape)
    return features(others, before, period)


def fitted(seen: Array, replies: Array) -> Imitation:
    """Return the imitation with the largest penalised likelihood for replies (...) with features
    (..., F).
    """
    size = seen.shape[-1]
    seen, replies = seen.reshape(-1, size), replies.ravel()

    def loss(numbers: Array) -> tuple[float, Array]:
        weights = numbers.reshape(2, size)
        value, slope = _loss(weights, seen, replies)
        value += RIDGE * float((weights**2).sum()) / 2
        return value, (slope + RIDGE * weights).ravel()

    end = minimize(loss, np.zeros(2 * size), jac=True, method="BFGS", options={"gtol": 1e-4})
    return Imitation(end.x.reshape(2, size))


def opening(gifts: Array) -> Array:
    """Return the edge and width that reproduce the frequencies of first gifts (N,)."""
    return fitted(np.ones((len(gifts), 1)), gifts).weights[:, 0]


def _ends(weights: Array, seen: Array) -> tuple[Array, Array]:
    """Return the lower and upper ends of the range, in standard deviations from the mean."""
    low, width = np.moveaxis(seen @ weights.T, -1, 0)
    return low, low + np.exp(width)


def gift_logs(low: Array, high: Array) -> Array:
    """Return the log probabilities (..., 3) of the three gifts, from the ends of the range in
    standard deviations from the mean."""
    below, up_to = log_ndtr(low), log_ndtr(high)
    middle = up_to + np.log(-np.expm1(below - up_to))
    return np.stack([below, middle, log_ndtr(-high)], axis=-1)


def _loss(weights: Array, seen: Array, replies: Array) -> tuple[float, Array]:
    """Return the negative log likelihood and its gradient, shape (2, F)."""
    low, high = _ends(weights, seen)
    logs = np.take_along_axis(gift_logs(low, high), replies[:, None], axis=-1)[:, 0]
    by_low, by_high = (
        signs[replies] * np.exp(np.where(signs[replies], -(end**2) / 2 - _ROOT - logs, -np.inf))
        for end, signs in ((low, _BY_LOW), (high, _BY_HIGH))
    )
    slope = np.stack([(by_low + by_high) @ seen, (by_high * (high - low)) @ seen])
    return -float(logs.sum()), -slope
