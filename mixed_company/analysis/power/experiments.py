"""Simulated experiments, drawn from a pool of groups, and the share of significant ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from mixed_company.analysis.statistics.effects import direction
from mixed_company.analysis.statistics.spending import levels
from mixed_company.analysis.statistics.tests import TESTS
from mixed_company.engine.contract.chance import generator
from mixed_company.engine.contract.space import Array


@dataclass(frozen=True)
class Experiments:
    """Experiments with a given number of groups per treatment.

    blocks   independent parts of the pool, each with the values of every treatment
    looks    numbers of groups per treatment when they are tested; the last includes all groups
    sign     1: only results with higher values in later treatments count; -1: only results with
             lower ones; 0: all results
    """

    blocks: Sequence[Sequence[Array]]
    looks: Sequence[int]
    test: str
    alpha: float
    spending: str
    resamples: int
    repetitions: int
    seed: int
    sign: int = 0

    @property
    def tests(self) -> list[tuple[int, float]]:
        """The number of groups and the level for every look; if there is only one look, its level
        is alpha."""
        if len(self.looks) == 1:
            return [(self.looks[0], self.alpha)]
        shares = [count / self.looks[-1] for count in self.looks]
        return list(zip(self.looks, levels(shares, self.alpha, self.spending), strict=True))


def looked(shares: Sequence[float], groups: int) -> list[int]:
    """Return the number of groups at each look: these shares of all groups, and finally all
    groups."""
    counts = {max(round(share * groups), 2) for share in shares}
    return [*sorted(number for number in counts if number < groups), groups]


def findings(experiments: Experiments) -> Array:
    """Return two shares of each block's experiments, shape (blocks, 2).

    The first share has a significant result that counts, the second a significant result in the
    opposite direction. The result is taken from the first look at which it is significant.
    """
    test, resamples, largest = TESTS[experiments.test], experiments.resamples, experiments.looks[-1]
    rng = generator(experiments.seed, f"draws of {largest} groups")
    looks = experiments.tests

    def finds(block: Sequence[Array]) -> tuple[bool, bool]:
        """Draw an experiment from a block, and test it at its looks."""
        drawn = [rng.choice(values, largest, replace=False) for values in block]
        for count, level in looks:
            samples = [values[:count] for values in drawn]
            if test(samples, resamples, rng).p <= level:
                sought = not experiments.sign or (
                    experiments.sign * direction(experiments.test, samples) > 0
                )
                return sought, not sought
        return False, False

    times = range(experiments.repetitions // len(experiments.blocks))
    return np.array(
        [np.mean([finds(block) for _ in times], axis=0) for block in experiments.blocks]
    )


def interval(shares: Array, repetitions: int, level: float) -> tuple[float, float, float]:
    """Return the share over all repetitions, with a Wilson interval that allows for the variance
    between blocks."""
    share = float(shares.mean())
    between = float(shares.var(ddof=1)) / len(shares)
    effective = float(repetitions)
    if between > 0:
        tail = (1 + level) / 2
        factor = float((stats.norm.ppf(tail) / stats.t.ppf(tail, len(shares) - 1)) ** 2)
        effective = min(effective, factor * share * (1 - share) / between)
    low, high = proportion_confint(share * effective, effective, alpha=1 - level, method="wilson")
    return share, float(low), float(high)
