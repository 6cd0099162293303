"""Probabilities for people who change type from period to period (hidden Markov chains).

A person has type k in the first period with probability start_k, and changes from type k to type l
in the next period with probability rates_kl. The forward recursion sums the likelihood of all
decisions over all paths of types, and the forward-backward algorithm computes the probabilities of
the types in every period: Rabiner (1989), Proceedings of the IEEE 77(2), 257-286.

`chances` (T, ..., S) holds the log likelihoods of decisions in T periods under S types; 0 if a
decision is missing.
"""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp

from mixed_company.engine.contract.space import Array

IMPOSSIBLE = -690.0
"""Log likelihood of an impossible decision: very low, but finite."""
_TINY = np.exp(IMPOSSIBLE)


def forward(start: Array, rates: Array, chances: Array) -> Array:
    """Return the log joint probabilities (T, ..., S) of the decisions so far and the current
    type."""
    joint = np.empty_like(chances)
    joint[0] = np.log(np.maximum(start, _TINY)) + chances[0]
    for period in range(1, len(chances)):
        joint[period] = _mixed(joint[period - 1], rates) + chances[period]
    return joint


def backward(rates: Array, chances: Array) -> Array:
    """Return log probabilities (T, ..., S) of all later decisions, given the type."""
    later = np.zeros_like(chances)
    for period in range(len(chances) - 2, -1, -1):
        later[period] = _mixed(later[period + 1] + chances[period + 1], rates.T)
    return later


def posterior(start: Array, rates: Array, chances: Array) -> tuple[Array, Array, Array]:
    """Return the log likelihood of all decisions (...), the probabilities of the types in every
    period (T, ..., S), and the expected number of changes (..., S, S) between each pair of
    types."""
    before, later = forward(start, rates, chances), backward(rates, chances)
    total = logsumexp(before[-1], axis=-1)
    visits = np.exp(before + later - total[..., None])
    changes = np.zeros((*total.shape, *rates.shape))
    for period in range(1, len(chances)):
        onward = chances[period] + later[period] - total[..., None]
        changes += np.exp(before[period - 1][..., None] + onward[..., None, :]) * rates
    return total, visits, changes


def _mixed(logs: Array, matrix: Array) -> Array:
    """Return the log of the product of exp(logs) and a matrix, over the last axis."""
    largest = logs.max(axis=-1, keepdims=True)
    return np.asarray(largest + np.log(np.maximum(np.exp(logs - largest) @ matrix, _TINY)))
