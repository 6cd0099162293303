"""Types of people in an export: a mixture of straight lines, fitted by maximum likelihood.

A person has type k with probability q_k and decides as in `conditional_cooperation`, with an
individual intercept and possibly an individual slope:

    a*_it = b_0k + u_i + (b_1k + v_i) m_it-1 + s_k e_it

censored at the bounds of the seat's actions. u_i and v_i are independent and normal, with standard
deviations t_k and w_k. A person's likelihood is the sum over types of q_k times the integral over
u_i and v_i, by Gauss-Hermite quadrature. The number of types, and whether slopes differ within
them, are chosen to minimise BIC (with people as observations), among mixtures with at least FEWEST
people per type. Standard errors come from the sandwich estimator, clustered by group, as in
`analysis.behaviour.fitting`. For mixtures of types in public goods games, see Bardsley and Moffatt
(2007), Theory and Decision 62(2); on finite mixtures, McLachlan and Peel (2000), Finite Mixture
Models.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
from scipy.special import log_ndtr, logsumexp

from mixed_company.analysis.behaviour.mixtures import Kind, Kinds, Sloped, points, searched
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.policies.sharing import Sharing

NODES, STEEPNESSES = 15, 7
"""Numbers of quadrature points for intercepts and for slopes."""
LEAST = 1e-3
"""Lower bound of the noise and the spread of intercepts (both in spans), and of the spread of
slopes.

A spread at this bound counts as zero."""
PER_LINE = 4
"""Number of a type's parameters: intercept, slope, noise and spread of intercepts. The spread of
slopes is optional."""
_HALF_LOG = 0.5 * np.log(2 * np.pi)
_NUMBERS = PER_LINE + 1
_STEEP = 0.1
"""Spread of slopes at which a search starts."""


class Line(Kind):
    """A type that follows a line. Its share is a share of the people who follow lines.

    values, errors   (5,) intercept, slope, noise, and standard deviations of intercepts and slopes
    """


def mixture(panel: Panel, groups: Array, max_types: int, sharing: Sharing) -> Kinds[Line]:
    """Return the mixture with the smallest BIC, with 1 to `max_types` types.

    panel    decisions to explain, in which the others' actions were shown; people are numbered from
             0
    groups   (D,) number of the group of each decision
    sharing  processes that run the searches
    Raises ConfigError if there are too few people.
    """
    panel, people = panel.bare(), int(panel.person.max()) + 1
    counts = [count for count in range(1, max_types + 1) if people >= PER_LINE * count + count - 1]
    plain = [_Fit(panel, groups, count) for count in counts]
    fits = [fit for fit in searched(plain, [fit.starts() for fit in plain], sharing) if fit.full]
    if not fits:
        raise ConfigError(f"people = {people}: should be at least {PER_LINE} to fit a type")
    best = min(fits, key=lambda fit: fit.bic)
    narrow = [fit for fit in fits if fit.count <= best.count]
    wide = [_Fit(panel, groups, fit.count, slopes=True) for fit in narrow]
    starts = [[fit.widened(before.free)] for fit, before in zip(wide, narrow, strict=True)]
    fits += [fit for fit in searched(wide, starts, sharing) if fit.full]
    return min(fits, key=lambda fit: fit.bic).described()


class Lines:
    """The log likelihood of P people under a line, and its gradient."""

    def __init__(self, panel: Panel, slopes: bool = False, nodes: int = NODES) -> None:
        self.points, self.log_weights = points(nodes, STEEPNESSES if slopes else 1)
        self.slopes = slopes
        self.person, self.others, self.action = panel.person, panel.others, panel.action
        self.people = int(panel.person.max()) + 1
        self.at_high = panel.action >= panel.high
        self.at_end = np.flatnonzero((panel.action <= panel.low) | self.at_high)
        self.sign = np.where(self.at_high, -1.0, 1.0)[self.at_end]

    def of_decisions(self, line: Array) -> tuple[Array, Array, Array]:
        """Return the log likelihood of every decision at the quadrature points, shape (Q, D), and
        its derivatives with respect to the desired action and to the log noise."""
        intercept, slope, noise, spread = line[:4]
        steep = line[4] if self.slopes else 0.0
        level, tilt = self.points[:, :1], self.points[:, 1:]
        desired = intercept + spread * level + (slope + steep * tilt) * self.others
        z = (self.action - desired) / noise
        square = z**2
        chance = -0.5 * square - np.log(noise) - _HALF_LOG
        to_desired, to_noise = z / noise, square - 1
        cut = self.sign * z[:, self.at_end]
        chance[:, self.at_end] = of_ends = log_ndtr(cut)
        ratio = np.exp(-0.5 * cut**2 - _HALF_LOG - of_ends)
        to_desired[:, self.at_end] = -self.sign * ratio / noise
        to_noise[:, self.at_end] = -cut * ratio
        return chance, to_desired, to_noise

    def of_people(self, line: Array) -> tuple[Array, Array]:
        """Return the weighted log likelihoods at the quadrature points, (Q, P), and their
        gradients.

        The gradients (Q, P, parameters) are with respect to intercept, slope, log noise and log
        spreads.
        """
        spread, steep = line[3], line[4] if self.slopes else 0.0
        level, tilt = self.points[:, :1], self.points[:, 1:]
        chance, to_desired, to_noise = self.of_decisions(line)
        parts = (to_desired, to_desired * self.others, to_noise)
        sums = [self._sums(part) for part in parts]
        sums += [sums[0] * spread * level, sums[1] * steep * tilt][: 1 + self.slopes]
        return self._sums(chance) + self.log_weights[:, None], np.stack(sums, axis=-1)

    def _sums(self, values: Array) -> Array:
        """Return the sums over each person's decisions, shape (Q, P)."""
        shape = len(values), self.people
        return np.bincount(self._places, values.ravel(), math.prod(shape)).reshape(shape)

    @cached_property
    def _places(self) -> Array:
        """(Q * D,) position of each summand in the flattened sums."""
        rows = np.arange(len(self.points))[:, None]
        return np.asarray(rows * self.people + self.person).ravel()


class _Fit(Sloped[Line]):
    """A mixture of `count` types.

    A type's free parameters are its intercept, slope, log noise, log spread of intercepts and, with
    `slopes`, log spread of slopes.
    """

    def __init__(self, panel: Panel, groups: Array, count: int, slopes: bool = False) -> None:
        self.panel, self.lines = panel, Lines(panel, slopes)
        self.per_line = PER_LINE + slopes
        group = np.zeros(self.lines.people, dtype=np.int64)
        group[panel.person] = groups
        span = np.log(panel.span)
        floors = np.array([-np.inf, -np.inf, span, span, 0.0])[: self.per_line] + np.log(LEAST)
        low = np.append(np.full(count - 1, -np.inf), np.tile(floors, count))
        high = np.where(np.isinf(low), np.inf, low + np.log(10 / LEAST))
        spreads = np.flatnonzero(np.tile(np.arange(self.per_line) >= 3, count)) + count - 1
        super().__init__(group, [self.per_line] * count, low, high, spreads)

    def _lines_of(self, free: Array) -> Array:
        """Return the parameters of the lines, shape (K, 4 or 5). A spread at its lower bound
        becomes zero."""
        free = free.copy()
        zero = self.spreads[free[self.spreads] <= self.low[self.spreads] + 1e-9]
        free[zero] = -np.inf
        lines = free[self.count - 1 :].reshape(-1, self.per_line)
        lines[:, 2:] = np.exp(lines[:, 2:])
        return lines

    def joint(self, free: Array) -> Array:
        chances = [self.lines.of_people(line)[0] for line in self._lines_of(free)]
        return np.asarray(self.log_shares(free)[:, None] + logsumexp(np.stack(chances), axis=1))

    def with_gradient(self, free: Array) -> tuple[Array, Array]:
        """Return each person's log likelihood, shape (P,), and its gradient, shape (P, numbers)."""
        shares = self.log_shares(free)
        parts = [self.lines.of_people(line) for line in self._lines_of(free)]
        joint = np.stack([share + part for share, (part, _) in zip(shares, parts, strict=True)])
        total = logsumexp(joint, axis=(0, 1))
        weights = np.exp(joint - total)  # (K, Q, P)
        to_odds = weights.sum(axis=1).T - np.exp(shares)
        slopes = [
            np.einsum("qp,qpn->pn", weight, slope)
            for weight, (_, slope) in zip(weights, parts, strict=True)
        ]
        return total, np.hstack([to_odds[:, :-1], *slopes])

    def widened(self, free: Array) -> Array:
        """Return the free parameters of a fit that had no slope spreads, after adding small
        spreads."""
        lines = free[self.count - 1 :].reshape(-1, PER_LINE)
        wide = np.column_stack([lines, np.full(self.count, np.log(_STEEP))])
        return np.asarray(np.clip(np.append(free[: self.count - 1], wide), self.low, self.high))

    def starts(self) -> list[Array]:
        """Return starting points that split people evenly by mean action, and by response to
        others."""
        span, others, person = self.panel.span, self.panel.others, self.panel.person
        count = np.bincount(person)
        mean = np.bincount(person, self.panel.action) / count
        seen = np.bincount(person, others) / count
        products = (others - seen[person]) * (self.panel.action - mean[person])
        starts = []
        for order in (np.argsort(mean), np.argsort(np.bincount(person, products))):
            free = [np.zeros(self.count - 1)]
            for part in np.array_split(order, self.count):
                intercept = mean[part].mean() - 0.5 * seen[part].mean()
                free.append(np.array([intercept, 0.5, np.log(span / 6), np.log(span / 12)]))
            starts.append(np.concatenate(free))
        return starts

    def kind(
        self, number: int, share: tuple[float, float], errors: Array, correlation: Array
    ) -> Line:
        line = self._lines_of(self.free)[number]
        errors = np.append(errors[:2], errors[2:] * line[2:])
        values, errors = np.append(line, 0.0)[:_NUMBERS], np.append(errors, np.nan)[:_NUMBERS]
        return Line(*share, values, errors, correlation)
