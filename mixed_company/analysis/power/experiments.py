"""Simulated experiments, drawn from groups that were played, and how often they find something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from mixed_company.analysis.statistics.spending import levels
from mixed_company.analysis.statistics.tests import TESTS
from mixed_company.engine.contract.chance import generator
from mixed_company.engine.contract.space import Array

__all__ = ["Experiments", "findings", "interval", "looked"]


@dataclass(frozen=True)
class Experiments:
    """Experiments with so many groups of each treatment.

    blocks   the independent parts of the pool, each with the values of every treatment
    looks    numbers of groups at which they are tested, the last of them all groups
    """

    blocks: Sequence[Sequence[Array]]
    looks: Sequence[int]
    test: str
    alpha: float
    spending: str
    resamples: int
    repetitions: int
    seed: int

    @property
    def tests(self) -> list[tuple[int, float]]:
        """Return the groups and the level of every look; of a single look it is alpha."""
        if len(self.looks) == 1:
            return [(self.looks[0], self.alpha)]
        shares = [count / self.looks[-1] for count in self.looks]
        return list(zip(self.looks, levels(shares, self.alpha, self.spending), strict=True))


def looked(shares: Sequence[float], groups: int) -> list[int]:
    """Return how many groups have played at the looks: `shares` of them, and all."""
    before = {max(round(share * groups), 2) for share in shares}
    return [*sorted(count for count in before if count < groups), groups]


def findings(experiments: Experiments) -> Array:
    """Return the share of experiments of every block that find something, at any look."""
    test, resamples, most = TESTS[experiments.test], experiments.resamples, experiments.looks[-1]
    rng = generator(experiments.seed, f"draws of {most} groups")
    looks = experiments.tests

    def finds(block: Sequence[Array]) -> bool:
        """Draw groups of every treatment from a block; they play in the order of their drawing."""
        drawn = [rng.choice(values, most, replace=False) for values in block]
        return any(
            test([values[:count] for values in drawn], resamples, rng).p <= level
            for count, level in looks
        )

    times = range(experiments.repetitions // len(experiments.blocks))
    return np.array([np.mean([finds(block) for _ in times]) for block in experiments.blocks])


def interval(shares: Array, repetitions: int, level: float) -> tuple[float, float, float]:
    """Return the share of all repetitions, and Wilson's interval for what the blocks tell."""
    share = float(shares.mean())
    between = float(shares.var(ddof=1)) / len(shares)
    effective = float(repetitions)
    if between > 0:
        tail = (1 + level) / 2
        wider = float((stats.norm.ppf(tail) / stats.t.ppf(tail, len(shares) - 1)) ** 2)
        effective = min(effective, wider * share * (1 - share) / between)
    low, high = proportion_confint(share * effective, effective, alpha=1 - level, method="wilson")
    return share, float(low), float(high)
