"""Types of people in an export: a mixture of straight lines, by maximum likelihood.

A person is of type k with chance q_k, and then decides by the line of `conditional_cooperation`,
with an intercept and perhaps a slope of his or her own:

    a*_it = b_0k + u_i + (b_1k + v_i) m_it-1 + s_k e_it

cut at the ends of what the seat can do; u_i and v_i are independent and normal, with standard
deviations t_k and w_k. The likelihood of a person is the sum over types of q_k times the integral
over u_i and v_i, by Gauss and Hermite; the number of types, and whether slopes differ within them,
is what has the smallest BIC (people counted) of what leaves FEWEST people to every type. Errors are
those of the sandwich, by groups, as in `analysis.behaviour.fitting`. Mixtures of types in public
goods games: Bardsley and Moffatt (2007), Theory and Decision 62(2); finite mixtures: McLachlan and
Peel (2000), Finite Mixture Models.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_ndtr, logsumexp

from mixed_company.analysis.behaviour.correlations import blocks
from mixed_company.analysis.behaviour.kinds import Kind, Kinds
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.analysis.behaviour.quadrature import points
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.policies.sharing import Sharing

__all__ = ["Line", "mixture"]

NODES, STEEPNESSES = 15, 7
"""Points of the integrals over intercepts, and over slopes."""
LEAST = 1e-3
"""The least noise and spread of intercepts, in spans, and of slopes; a spread there is none."""
NEAR = 1e-2
"""A spread is none where the log likelihood is then no worse by this."""
FEWEST = 2
"""So many people at least must be of a type; else there are fewer types."""
PER_LINE = 4
"""Numbers of a type: intercept, slope, noise, spread of intercepts; and perhaps that of slopes."""
_HALF_LOG = 0.5 * np.log(2 * np.pi)
_NUMBERS = PER_LINE + 1
_STEEP = 0.1
"""The spread of slopes that a search begins with."""
_WIDTH = 1e-5
"""Of the differences of slopes that give the curvature, in numbers of the search."""


class Line(Kind):
    """A type on a line; its share is of those on lines.

    values, errors   (5,) intercept, slope, noise, and standard deviations of intercepts and slopes
    """


def mixture(panel: Panel, groups: Array, most: int, sharing: Sharing) -> Kinds[Line]:
    """The mixture with the smallest BIC, of one type to `most`.

    panel    decisions to be explained, in which others were shown; persons count from 0
    groups   (D,) the number of the group of each decision
    sharing  who searches
    Raises ConfigError where there are too few people.
    """
    panel, people = panel.bare(), int(panel.person.max()) + 1
    counts = [count for count in range(1, most + 1) if people >= PER_LINE * count + count - 1]
    plain = [_Fit(panel, groups, count) for count in counts]
    fits = _searched(plain, [fit.starts() for fit in plain], sharing)
    full = [place for place, fit in enumerate(fits) if _is_full(fit)]
    if not full:
        raise ConfigError(f"people = {people}: at least {PER_LINE} are needed for a type")
    best = min(full, key=lambda place: fits[place].bic)
    wider = [_Fit(panel, groups, counts[place], slopes=True) for place in full if place <= best]
    starts = [[own.widened(plain[place].free)] for own, place in zip(wider, full, strict=False)]
    every = [*(fits[place] for place in full), *filter(_is_full, _searched(wider, starts, sharing))]
    return min(every, key=lambda fit: fit.bic)


def _is_full(fit: Kinds[Line]) -> bool:
    """Has every type its people, or is there only one?"""
    return len(fit.types) == 1 or fit.membership.sum(axis=0).min() >= FEWEST


def _searched(
    fits: Sequence[_Fit], starts: Sequence[Sequence[Array]], sharing: Sharing
) -> list[Kinds[Line]]:
    """What mixtures come to where the likeliest of the searches from their starts end."""
    work = [(fit, start) for fit, own in zip(fits, starts, strict=True) for start in own]
    ends = iter(sharing.gathered(_end, work, " searches"))
    return [fit.described([next(ends) for _ in own]) for fit, own in zip(fits, starts, strict=True)]


def _end(work: tuple[_Fit, Array]) -> tuple[float, Array]:
    """The loss and the numbers where a search from a start ends."""
    fit, start = work
    bounds = list(zip(fit.low, fit.high, strict=True))
    end = minimize(fit._loss, start, jac=True, method="L-BFGS-B", bounds=bounds)
    return float(end.fun), end.x


class _Lines:
    """The log chance of what P people did by a line, and its slopes."""

    def __init__(self, panel: Panel, slopes: bool = False) -> None:
        self.points, self.log_weights = points(NODES, STEEPNESSES if slopes else 1)
        self.slopes = slopes
        self.person, self.others, self.action = panel.person, panel.others, panel.action
        self.people = int(panel.person.max()) + 1
        self.at_high = panel.action >= panel.high
        self.at_end = np.flatnonzero((panel.action <= panel.low) | self.at_high)
        self.sign = np.where(self.at_high, -1.0, 1.0)[self.at_end]

    def of_people(self, line: Array) -> tuple[Array, Array]:
        """(Q, P) log chances at the points of the integral, and (Q, P, numbers) their slopes.

        The slopes are to intercept, slope, log noise and log spreads.
        """
        intercept, slope, noise, spread = line[:4]
        steep = line[4] if self.slopes else 0.0
        level, tilt = self.points[:, :1], self.points[:, 1:]
        wanted = intercept + spread * level + (slope + steep * tilt) * self.others
        z = (self.action - wanted) / noise
        square = z**2
        chance = -0.5 * square - np.log(noise) - _HALF_LOG
        to_wanted, to_noise = z / noise, square - 1
        cut = self.sign * z[:, self.at_end]
        chance[:, self.at_end] = of_ends = log_ndtr(cut)
        ratio = np.exp(-0.5 * cut**2 - _HALF_LOG - of_ends)
        to_wanted[:, self.at_end] = -self.sign * ratio / noise
        to_noise[:, self.at_end] = -cut * ratio
        parts = (to_wanted, to_wanted * self.others, to_noise)
        sums = [self._sums(part) for part in parts]
        sums += [sums[0] * spread * level, sums[1] * steep * tilt][: 1 + self.slopes]
        return self._sums(chance) + self.log_weights[:, None], np.stack(sums, axis=-1)

    def _sums(self, values: Array) -> Array:
        """(Q, P) sums over the decisions of each person."""
        shape = len(values), self.people
        return np.bincount(self._places, values.ravel(), math.prod(shape)).reshape(shape)

    @cached_property
    def _places(self) -> Array:
        """(Q * D,) where each number goes in sums that are laid flat."""
        rows = np.arange(len(self.points))[:, None]
        return np.asarray(rows * self.people + self.person).ravel()


class _Fit:
    """A mixture of `count` types, searched in numbers without bounds.

    First the log odds of all types but the last to the last, then of each type intercept, slope,
    log noise and log spread of intercepts, and with `slopes` that of slopes.
    """

    def __init__(self, panel: Panel, groups: Array, count: int, slopes: bool = False) -> None:
        self.panel, self.count, self.lines = panel, count, _Lines(panel, slopes)
        self.per_line = PER_LINE + slopes
        self.people = self.lines.people
        self.group = np.zeros(self.people, dtype=np.int64)
        self.group[panel.person] = np.unique(groups, return_inverse=True)[1]
        span = np.log(panel.span)
        own = np.array([-np.inf, -np.inf, span, span, 0.0])[: self.per_line]
        self.low = np.append(np.full(count - 1, -np.inf), np.tile(own + np.log(LEAST), count))
        self.high = np.where(np.isinf(self.low), np.inf, self.low + np.log(10 / LEAST))
        self.free = np.zeros(len(self.low))

    def described(self, ends: Sequence[tuple[float, Array]]) -> Kinds[Line]:
        """What the likeliest of these ends is; `free` are its numbers."""
        free = self.free = self._settled(min(ends, key=lambda end: end[0])[1])
        shares, lines = self._parts(free)
        share_errors, errors, related = self._errors(free)
        order = np.argsort(-shares)
        types = tuple(
            Line(
                *(float(shares[k]), float(share_errors[k])),
                np.append(lines[k], 0.0)[:_NUMBERS],
                np.append(errors[k], np.nan)[:_NUMBERS],
                related[k],
            )
            for k in order
        )
        total, _, members = self._of_people(free)
        likelihood = float(total.sum())
        return Kinds(
            types, members[:, order], likelihood, len(free) * np.log(self.people) - 2 * likelihood
        )

    def _settled(self, free: Array) -> Array:
        """Without the spreads that explain nothing."""
        for place in np.flatnonzero(self._of_each(np.arange(self.per_line) >= 3)).tolist():
            without = free.copy()
            without[place] = self.low[place]
            if self._loss(without)[0] <= self._loss(free)[0] + NEAR:
                free = without
        return free

    def _of_each(self, values: Array) -> Array:
        """The same for the numbers of each line; 0 for those of the shares."""
        return np.append(np.zeros(self.count - 1, values.dtype), np.tile(values, self.count))

    def _parts(self, free: Array) -> tuple[Array, Array]:
        """(K,) shares and (K, 4 or 5) numbers of the lines; a spread at its bound is none."""
        odds = np.append(free[: self.count - 1], 0.0)
        spread = self._of_each(np.arange(self.per_line) >= 3)
        free = np.where(spread & (free <= self.low + 1e-9), -np.inf, free)
        lines = free[self.count - 1 :].reshape(-1, self.per_line).copy()
        lines[:, 2:] = np.exp(lines[:, 2:])
        return np.exp(odds - logsumexp(odds)), lines

    def _of_people(self, free: Array) -> tuple[Array, Array, Array]:
        """(P,) log chance of what each person did, (P, numbers) its slopes, (P, K) membership."""
        shares, lines = self._parts(free)
        parts = [self.lines.of_people(line) for line in lines]
        joint = np.stack([np.log(q) + chance for q, (chance, _) in zip(shares, parts, strict=True)])
        total = logsumexp(joint, axis=(0, 1))
        weights = np.exp(joint - total)  # (K, Q, P)
        members = weights.sum(axis=1).T
        slopes = [
            np.einsum("qp,qpn->pn", own, slope)
            for own, (_, slope) in zip(weights, parts, strict=True)
        ]
        return total, np.hstack([(members - shares)[:, :-1], *slopes]), members

    def _loss(self, free: Array) -> tuple[float, Array]:
        total, slopes, _ = self._of_people(free)
        return -float(total.sum()), -slopes.sum(axis=0)

    def widened(self, free: Array) -> Array:
        """The numbers of a fit without spreads of slopes, and small ones."""
        lines = free[self.count - 1 :].reshape(-1, PER_LINE)
        wide = np.column_stack([lines, np.full(self.count, np.log(_STEEP))])
        return np.asarray(np.clip(np.append(free[: self.count - 1], wide), self.low, self.high))

    def starts(self) -> list[Array]:
        """People in equal parts by what they did on average, and by how they follow the others."""
        span, others, person = self.panel.span, self.panel.others, self.panel.person
        count = np.bincount(person)
        mean = np.bincount(person, self.panel.action) / count
        seen = np.bincount(person, others) / count
        together = (others - seen[person]) * (self.panel.action - mean[person])
        starts = []
        for order in (np.argsort(mean), np.argsort(np.bincount(person, together))):
            free = [np.zeros(self.count - 1)]
            for part in np.array_split(order, self.count):
                intercept = mean[part].mean() - 0.5 * seen[part].mean()
                free.append(np.array([intercept, 0.5, np.log(span / 6), np.log(span / 12)]))
            starts.append(np.concatenate(free))
        return starts

    def _errors(self, free: Array) -> tuple[Array, Array, list[Array]]:
        """Standard errors of the shares and of the lines, by groups; NaN where there are none.

        And the correlation of those of each line, (4, 4).
        """
        shares, lines = self._parts(free)
        known = free > self.low + 1e-9
        variance = np.full((len(free), len(free)), np.nan)
        variance[np.ix_(known, known)] = self._variance(free, known)
        odds = slice(0, self.count - 1)
        to_share = np.diag(shares)[:, :-1] - np.outer(shares, shares[:-1])
        of_shares = np.einsum("ki,ij,kj->k", to_share, variance[odds, odds], to_share)
        errors = np.sqrt(np.diag(variance)[self.count - 1 :].reshape(-1, self.per_line))
        errors[:, 2:] *= lines[:, 2:]
        own = variance[self.count - 1 :, self.count - 1 :]
        return np.sqrt(of_shares), errors, blocks(own, [self.per_line] * self.count)

    def _variance(self, free: Array, known: Array) -> Array:
        """The sandwich by groups, of the numbers that are known."""
        size, labels = int(known.sum()), int(self.group.max()) + 1
        none = np.full((size, size), np.nan)
        if labels < 2:
            return none
        curvature = []
        for place in np.flatnonzero(known).tolist():
            step = np.zeros(len(free))
            step[place] = _WIDTH * max(1.0, abs(free[place]))
            ends = [self._loss(free + step)[1], self._loss(free - step)[1]]
            curvature.append((ends[0] - ends[1])[known] / (2 * step[place]))
        information = (np.array(curvature) + np.array(curvature).T) / 2
        if not np.isfinite(information).all() or np.linalg.eigvalsh(information)[0] <= 0:
            return none
        scores = np.zeros((labels, size))
        np.add.at(scores, self.group, self._of_people(free)[1][:, known])
        bread = np.linalg.inv(information)
        return np.asarray(bread @ (scores.T @ scores) @ bread * labels / (labels - 1))
