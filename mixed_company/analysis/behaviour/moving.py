"""Types of people who change with experience, estimated from an export of amounts by maximum
likelihood.

In the first period, the probability that a person has a type is the type's share. After every
period, the person moves to another type at the rate of that move (`chains`). Two types can be
constant: people choose the smallest possible action while they have the first, and the largest
while they have the second. All other types are the lines of `analysis.behaviour.lines`, with equal
slopes within a type:

    a*_it = b_0k + t_k u_i + b_1k m_it-1 + s_k e_it        first decisions: f_k + g_k e_i0

censored at the bounds of the seat's actions. u_i is normal and belongs to the person: it stays the
same when the type changes. The likelihood of a person is the integral over u_i of the sum over all
paths of types.

A move is left out if leaving it out lowers the likelihood by less than the BIC penalty for its
rate. The BIC (with people as observations) also determines the number of lines, and whether anybody
moves at all. Without moves, this is a mixture of fixed types. Standard errors come from the
sandwich estimator, clustered by group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.special import logsumexp

from mixed_company.analysis.behaviour.chains import IMPOSSIBLE, posterior
from mixed_company.analysis.behaviour.lines import LEAST, Lines
from mixed_company.analysis.behaviour.mixtures import (
    FEWEST,
    Kind,
    Kinds,
    Sloped,
    end_of_search,
    points,
    searched,
)
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.policies.sharing import Sharing

PER_LINE = 6
"""Number of a line's parameters: mean and deviation of the first action, intercept, slope, noise,
spread of intercepts."""
NODES = 9
"""Number of quadrature points for a person's deviation."""
PERIODS = 3
"""Minimum number of periods for estimating changes of type."""
_ODDS, _FIRST = 9.0, 5.0
"""Largest log odds of a share, and largest mean of first actions (in spans)."""
_RARE, _OFTEN, _START = np.log(1e-5), 5.0, -3.0
"""Bounds and starting point of the log odds of moving, compared with staying."""


@dataclass(frozen=True)
class Mover(Kind):
    """A type and its moves. Its share is a share of all people in the first period.

    values, errors   (6,) the parameters of a line; (0,) for a constant type
    number, end      number of the type in its mixture, and its constant action; None if it is a
                     line
    moves            the rate of each move and its error, by the number of the other type
    """

    number: int
    end: int | None
    moves: Mapping[int, tuple[float, float]]


@dataclass(frozen=True)
class Moving:
    """The mixture with the smallest BIC, and the smallest BIC with and without moves."""

    kinds: Kinds[Mover]
    bic: float
    bic_staying: float


def moving_mixture(
    panel: Panel, period: Array, groups: Array, max_types: int, sharing: Sharing
) -> Moving:
    """Return the mixture with the smallest BIC, with 1 to `max_types` lines.

    panel    first decisions and decisions to explain; people are numbered from 0
    period   (D,) period of each decision, counted from the person's first period
    groups   (D,) number of the group of each decision
    sharing  processes that run the searches
    Raises ConfigError if there are too few people or periods.
    """
    panel, people, periods = panel.bare(), int(panel.person.max()) + 1, int(period.max()) + 1
    if periods < PERIODS:
        raise ConfigError(
            f"periods = {periods}: should be at least {PERIODS} to fit types that change"
        )
    ends = _constant(panel, period)
    least = _numbers(len(ends), 1 if ends else 2)
    if people < least:
        raise ConfigError(f"people = {people}: should be at least {least} to fit types that change")
    counts = [count for count in range(1, max_types + 1) if _numbers(len(ends), count) <= people]
    staying = [_Fit(panel, period, groups, ends, count, moves=False) for count in counts]
    searched(staying, [fit.starts() for fit in staying], sharing)
    fits = [_Fit(panel, period, groups, ends, count, moves=True) for count in counts]
    starts = [
        [fit.starts()[0], fit.loosened(before.free)]
        for fit, before in zip(fits, staying, strict=True)
    ]
    searched(fits, starts, sharing)
    best, stay = (_best(some) for some in (fits, staying))
    return Moving(min(best, stay, key=lambda fit: fit.bic).described(), best.bic, stay.bic)


def _best(fits: Sequence[_Fit]) -> _Fit:
    return min([fit for fit in fits if fit.full] or fits[:1], key=lambda fit: fit.bic)


def _constant(panel: Panel, period: Array) -> tuple[int, ...]:
    """Return the extreme actions (0: smallest, 1: largest) that enough people choose twice in a
    row."""
    order = np.lexsort([period, panel.person])
    again = np.diff(panel.person[order]) == 0
    kept = []
    for end, flags in enumerate([panel.action <= panel.low, panel.action >= panel.high]):
        twice = again & flags[order][1:] & flags[order][:-1]
        if len(np.unique(panel.person[order][1:][twice])) >= FEWEST:
            kept.append(end)
    return tuple(kept)


def _numbers(constant: int, lines: int) -> int:
    """Return the number of parameters of a mixture with all moves."""
    types = constant + lines
    return types - 1 + PER_LINE * lines + types * (types - 1)


class _Fit(Sloped[Mover]):
    """A mixture of constant types and lines.

    The free parameters are the log odds of the shares, the parameters of the lines (first action,
    log of its deviation, intercept, slope, log noise, log spread), and the log odds of every move
    compared with staying.

    closed   (S, S) flags of moves that nobody makes
    """

    def __init__(
        self,
        panel: Panel,
        period: Array,
        groups: Array,
        ends: tuple[int, ...],
        lines: int,
        *,
        moves: bool,
    ) -> None:
        self.panel, self.ends, self.period = panel, ends, period
        self.people = int(panel.person.max()) + 1
        opening = period == 0
        self.opening, self.later = np.flatnonzero(opening), np.flatnonzero(~opening)
        ends_of_share = np.tile([0.0, 1.0], (len(self.opening), 1))
        first = panel.take(self.opening)
        share = replace(
            first, action=first.share, actions=ends_of_share, others=np.zeros(len(self.opening))
        )
        self.first_lines = Lines(share, nodes=1)
        self.lines = Lines(panel.take(self.later), nodes=NODES)
        group = np.zeros(self.people, dtype=np.int64)
        group[panel.person] = groups
        types = len(ends) + lines
        self.changes = np.argwhere(~np.eye(types, dtype=np.bool_))
        self.closed = np.full((types, types), not moves)
        span = np.log(panel.span)
        log = np.log(LEAST)
        floors = [-_FIRST, log, -np.inf, -np.inf, span + log, span + log]
        low = np.array([-_ODDS] * (types - 1) + floors * lines + [_RARE] * len(self.changes))
        tops = [_FIRST, np.log(10), np.inf, np.inf, *[span + np.log(10)] * 2]
        often = _OFTEN if moves else _RARE
        high = np.array([_ODDS] * (types - 1) + tops * lines + [often] * len(self.changes))
        spreads = types - 1 + PER_LINE * np.arange(1, lines + 1) - 1
        super().__init__(group, [0] * len(ends) + [PER_LINE] * lines, low, high, spreads)
        self.points, self.log_weights = points(NODES)

    def _lines_of(self, free: Array) -> Array:
        """Return the parameters of the lines, shape (K, 6). A spread at its lower bound becomes
        zero."""
        free = free.copy()
        free[self.spreads[free[self.spreads] <= self.low[self.spreads] + 1e-9]] = -np.inf
        lines = free[self.count - 1 : len(free) - len(self.changes)].reshape(-1, PER_LINE)
        lines[:, [1, 4, 5]] = np.exp(lines[:, [1, 4, 5]])
        return lines

    def rates(self, free: Array) -> Array:
        """Return the probability of each change of type, shape (S, S)."""
        odds = np.zeros((self.count, self.count))
        odds[tuple(self.changes.T)] = free[len(free) - len(self.changes) :]
        odds[self.closed & ~np.eye(self.count, dtype=np.bool_)] = -np.inf
        return np.asarray(np.exp(odds - logsumexp(odds, axis=1, keepdims=True)))

    def starts(self) -> list[Array]:
        """Return starting points that split people evenly by mean action, and by response to
        others."""
        panel, span = self.lines, self.panel.span
        count = np.maximum(np.bincount(panel.person, minlength=self.people), 1)
        mean = np.bincount(panel.person, panel.action, self.people) / count
        seen = np.bincount(panel.person, panel.others, self.people) / count
        products = (panel.others - seen[panel.person]) * (panel.action - mean[panel.person])
        response = np.bincount(panel.person, products, self.people)
        first = self.first_lines.action.mean()
        starts = []
        for order in (np.argsort(mean), np.argsort(response)):
            free = [np.zeros(self.count - 1)]
            for part in np.array_split(order, self.count - len(self.ends)):
                intercept = mean[part].mean() - 0.5 * seen[part].mean()
                line = [first, np.log(0.3), intercept, 0.5, np.log(span / 6), np.log(span / 12)]
                free.append(np.array(line))
            free.append(np.full(len(self.changes), _START))
            starts.append(np.clip(np.concatenate(free), self.low, self.high))
        return starts

    def loosened(self, free: Array) -> Array:
        """Return the parameters of a fit that had no moves, after adding moves at small rates."""
        free = free.copy()
        free[len(free) - len(self.changes) :] = _START
        return free

    def _chances(self, free: Array) -> tuple[Array, list[tuple[Array, ...]]]:
        """Return the decisions' log likelihoods, shape (T, P, Q, S), and each line's derivatives,
        for first decisions (1, D) and for later ones (Q, D)."""
        panel, slopes = self.panel, []
        chances = np.zeros((int(self.period.max()) + 1, self.people, len(self.points), self.count))
        for place, end in enumerate(self.ends):
            at_end = panel.action >= panel.high if end else panel.action <= panel.low
            chances[self.period, panel.person, :, place] = np.where(at_end, 0, IMPOSSIBLE)[:, None]
        for place, line in enumerate(self._lines_of(free), start=len(self.ends)):
            first, *of_first = self.first_lines.of_decisions(np.array([line[0], 0, line[1], 0]))
            later, *of_later = self.lines.of_decisions(line[2:])
            chances[0, self.first_lines.person, :, place] = first.T
            chances[self.period[self.later], self.lines.person, :, place] = later.T
            slopes.append((*of_first, *of_later))
        return np.maximum(chances, IMPOSSIBLE), slopes

    def _explained(self, free: Array) -> tuple[Array, Array, Array, list[tuple[Array, ...]]]:
        """Return each person's log likelihood (P,), the weighted probabilities of types (T, P, Q,
        S), the expected changes (P, S, S), and the derivatives of the lines."""
        chances, slopes = self._chances(free)
        shares = np.exp(self.log_shares(free))
        total, visits, changes = posterior(shares, self.rates(free), chances)
        joint = total + self.log_weights
        total = logsumexp(joint, axis=1)
        weights = np.exp(joint - total[:, None])
        changes = np.einsum("pq,pqkl->pkl", weights, changes)
        return total, visits * weights[..., None], changes, slopes

    def with_gradient(self, free: Array) -> tuple[Array, Array]:
        """Return each person's log likelihood, shape (P,), and its gradient, shape (P, numbers)."""
        total, visits, changes, slopes = self._explained(free)
        to_odds = visits[0].sum(axis=1) - np.exp(self.log_shares(free))
        rates = self.rates(free)
        to_moves = changes - changes.sum(axis=2, keepdims=True) * rates
        parts = [to_odds[:, :-1]]
        lines, level = self._lines_of(free), self.points[:, 0]
        for place, (line, of_line) in enumerate(zip(lines, slopes, strict=True), len(self.ends)):
            first, first_noise, desired, noise = of_line
            opened = visits[0, self.first_lines.person, :, place].sum(axis=1)
            decided = visits[self.period[self.later], self.lines.person, :, place].T  # (Q, D)
            at_others = (decided * desired).sum(axis=0)
            parts.append(
                np.column_stack(
                    [
                        self._summed(opened * first[0], self.first_lines),
                        self._summed(opened * first_noise[0], self.first_lines),
                        self._summed(at_others, self.lines),
                        self._summed(at_others * self.lines.others, self.lines),
                        self._summed((decided * noise).sum(axis=0), self.lines),
                        self._summed(line[5] * (level @ (decided * desired)), self.lines),
                    ]
                )
            )
        return total, np.hstack([*parts, to_moves[:, *self.changes.T]])

    def _summed(self, values: Array, lines: Lines) -> Array:
        return np.bincount(lines.person, values, self.people)

    def of_people(self, free: Array) -> Array:
        return self._explained(free)[0]

    def joint(self, free: Array) -> Array:
        total, visits, _, _ = self._explained(free)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(visits[0].sum(axis=1).T) + total)

    def settle(self, ends: Sequence[tuple[float, Array]]) -> None:
        """Adopt the result of the best search, drop moves if that lowers the BIC, and search
        again."""
        super().settle(ends)
        charge, start = np.log(self.people) / 2, len(self.free) - len(self.changes)
        loss = self.loss(self.free)
        for place in np.argsort(self.free[start:]).tolist():
            change = tuple(self.changes[place])
            if self.closed[change]:
                continue
            self.closed[change] = True
            closed_loss = self.loss(self.free)
            if closed_loss <= loss + charge:
                loss = closed_loss
                self.low[start + place] = self.high[start + place] = _RARE
                self.free[start + place] = _RARE
            else:
                self.closed[change] = False
        self.free = end_of_search((self, self.free))[1]

    @property
    def full(self) -> bool:
        """True if every type has decisions by enough people, or if there is only one type."""
        visits = self._explained(self.free)[1].sum(axis=2)  # (T, P, S)
        decided = visits[self.period, self.panel.person].mean(axis=0) * self.people
        return self.count == 1 or bool(decided.min() >= FEWEST)

    @cached_property
    def bic(self) -> float:
        numbers = len(self.free) - int(self.closed[tuple(self.changes.T)].sum())
        return float(numbers * np.log(self.people) + 2 * self.loss(self.free))

    def kind(
        self, number: int, share: tuple[float, float], errors: Array, correlation: Array
    ) -> Mover:
        moves, end = self._moves(number), None
        if number < len(self.ends):
            return Mover(*share, errors, errors, correlation, number, self.ends[number], moves)
        values = self._lines_of(self.free)[number - len(self.ends)]
        errors = errors * np.where([False, True, False, False, True, True], values, 1.0)
        return Mover(*share, values, errors, correlation[2:, 2:], number, end, moves)

    def _moves(self, number: int) -> dict[int, tuple[float, float]]:
        """Return the rates and errors of moves away from a type, by the number of the other
        type."""
        rates, start = self.rates(self.free)[number], len(self.free) - len(self.changes)
        places = [
            (start + place, int(target))
            for place, (source, target) in enumerate(self.changes)
            if source == number and not self.closed[source, target]
        ]
        rows = [place for place, _ in places]
        targets = [target for _, target in places]
        to_rate = np.diag(rates[targets]) - np.outer(rates[targets], rates[targets])
        variance = to_rate @ self.variance[np.ix_(rows, rows)] @ to_rate.T
        errors = np.sqrt(np.diag(variance))
        return {
            target: (float(rates[target]), float(error))
            for target, error in zip(targets, errors, strict=True)
        }
