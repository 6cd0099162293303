"""Types of people, defined by their replies. People keep their type or change it between periods.

Each type has its own probabilities of replies to each gift. The types, their shares and the rates
of moves are fitted by the EM algorithm (Dempster, Laird and Rubin 1977, Journal of the Royal
Statistical Society B 39(1)), with the recursion of `analysis.behaviour.chains`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp

from mixed_company.analysis.behaviour.chains import forward, posterior
from mixed_company.engine.contract.space import Array

CHOICES = 3
STARTS, ROUNDS, CLOSE = 4, 300, 1e-3
PRIOR = 0.5
"""Number of decisions added to every count, so no reply has probability zero."""
MOST = 6
"""Largest number of fitted types."""


@dataclass(frozen=True)
class Chain:
    """S types of people.

    start    (S,) shares in the first period
    rates    (S, S) probabilities of being a given type in the next period
    tables   (S, 3, 3) probabilities of the replies (last axis) to every gift
    error    probability that a reply is replaced by a random one
    """

    start: Array
    rates: Array
    tables: Array
    error: float = 0.1

    @property
    def replying(self) -> Array:
        """(S, 3, 3) probabilities of the replies, with errors."""
        return (1 - self.error) * self.tables + self.error / CHOICES

    def chances(self, replies: Array) -> Array:
        """Return log likelihoods of the replies (T, P, 3) of every period, shape (T, P, S)."""
        logs = np.log(self.replying)
        parts = [logs[:, gift, replies[..., gift]] for gift in range(3)]
        return np.asarray(np.sum(parts, axis=0).transpose(1, 2, 0))

    def scores(self, replies: Array) -> Array:
        """Return the log likelihood of the replies of each person, shape (P,)."""
        joint = forward(self.start, self.rates, self.chances(replies))
        return np.asarray(logsumexp(joint[-1], axis=-1))

    def shares(self, periods: int) -> Array:
        """Return the shares of the types by period, shape (T, S)."""
        shares = [self.start]
        for _ in range(periods - 1):
            shares.append(shares[-1] @ self.rates)
        return np.stack(shares)

    def course(self, periods: int) -> Array:
        """Return four numbers per period, shape (T, 4): the mean reply, the shares of replies that
        give nothing and everything, and the share of tables that give nothing.
        """
        replying = self.replying
        mean = (replying @ np.arange(CHOICES) / 2).mean(axis=1)
        ends = replying[..., [0, -1]].mean(axis=1)
        nothing = replying[..., 0].prod(axis=1)
        by_type = np.column_stack([mean, ends, nothing])
        return np.asarray(self.shares(periods) @ by_type)

    def spread(self, periods: int, people: int = 20_000, seed: int = 1) -> float:
        """Return the standard deviation, between simulated people, of the mean reply over all
        periods."""
        rng = np.random.default_rng(seed)
        kinds = rng.choice(len(self.start), p=self.start / self.start.sum(), size=people)
        chances, rates = np.cumsum(self.replying, axis=-1), np.cumsum(self.rates, axis=-1)
        total = np.zeros(people)
        for _ in range(periods):
            drawn = rng.random((people, 3, 1))
            total += (drawn >= chances[kinds][..., :-1]).sum(axis=(1, 2)) / 6
            kinds = (rng.random((people, 1)) >= rates[kinds][:, :-1]).sum(axis=1)
        return float((total / periods).std())


def constant(replies: Array) -> Chain:
    """Return a single type with the frequencies of the replies."""
    counts = [np.bincount(replies[..., gift].ravel(), minlength=CHOICES) for gift in range(3)]
    tables = np.stack(counts) + PRIOR
    tables = tables / tables.sum(axis=1, keepdims=True)
    return Chain(np.ones(1), np.ones((1, 1)), tables[None], error=0.0)


def fitted(replies: Array, moves: bool, seed: int = 1) -> Chain:
    """Return the chain with the smallest BIC among those with 1 to MOST types that stay or move."""
    chains = [of_types(replies, count, moves, seed) for count in range(1, MOST + 1)]
    people = replies.shape[1]

    def bic(chain: Chain) -> float:
        types = len(chain.start)
        numbers = types - 1 + 6 * types + moves * types * (types - 1)
        return float(numbers * np.log(people) - 2 * chain.scores(replies).sum())

    return min(chains, key=bic)


def of_types(replies: Array, count: int, moves: bool, seed: int = 1) -> Chain:
    """Return the most likely chain with `count` types, from several starting points."""
    ends = []
    for start in range(STARTS):
        rng = np.random.default_rng([seed, start, count])
        people = rng.choice(replies.shape[1], size=count, replace=False)
        drawn = np.eye(CHOICES)[replies[:, people]].mean(axis=0)  # (S, 3, 3)
        tables = 0.7 * drawn + 0.3 / CHOICES
        rates = np.eye(count) if not moves else staying(count, 0.9)
        chain = Chain(np.full(count, 1 / count), rates, tables, error=0.0)
        ends.append(climbed(chain, replies, moves=moves, tables=True, start=True))
    return max(ends, key=lambda chain: chain.scores(replies).sum())


def staying(count: int, rate: float) -> Array:
    """Return the rates (S, S) if people keep their type with this probability."""
    if count == 1:
        return np.ones((1, 1))
    return np.asarray(np.where(np.eye(count), rate, (1 - rate) / (count - 1)))


def climbed(
    chain: Chain, replies: Array, *, moves: bool, tables: bool = False, start: bool = False
) -> Chain:
    """Run the EM algorithm and return the resulting chain.

    The algorithm changes the rates if `moves`, and the shares if `start`. It changes the tables if
    `tables`, and otherwise the error.
    """
    before = -np.inf
    for _ in range(ROUNDS):
        total, visits, changes = posterior(chain.start, chain.rates, chain.chances(replies))
        if total.sum() < before + CLOSE:
            break
        before = total.sum()
        if start:
            chain = replace(chain, start=visits[0].mean(axis=0))
        if moves:
            counts = changes.sum(axis=0) + 1e-9 * np.eye(len(chain.start))
            chain = replace(chain, rates=counts / counts.sum(axis=1, keepdims=True))
        decided = np.stack(
            [
                [visits[replies[..., gift] == choice].sum(axis=0) for choice in range(CHOICES)]
                for gift in range(3)
            ]
        ).transpose(2, 0, 1)  # (S, 3, 3) expected numbers of replies
        if tables:
            decided = decided + PRIOR
            chain = replace(chain, tables=decided / decided.sum(axis=2, keepdims=True))
        else:
            chain = replace(chain, error=_error(chain, decided))
    return chain


def _error(chain: Chain, decided: Array) -> float:
    """Return the most likely error, given expected numbers of replies (S, 3, 3)."""

    def loss(error: float) -> float:
        return -float((decided * np.log(replace(chain, error=error).replying)).sum())

    return float(minimize_scalar(loss, bounds=(1e-4, 1.0), method="bounded").x)
