"""Two-sided tests of samples: between treatments, and of the same units under two of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from analysis.statistics import effects
from analysis.statistics.permuting import arrangements, permuted, swaps
from engine.contract.space import Array

__all__ = ["PAIRED", "TESTS", "Tested", "Tests"]


class Tested(NamedTuple):
    """What a test of samples gives, before effect and units are told with it."""

    test: str
    symbol: str
    statistic: float
    p: float
    left_out: tuple[str, ...] = ()


Tests = Mapping[str, Callable[[Sequence[Array], int, np.random.Generator], Tested]]
"""(samples, resamples, rng) by name."""

_EXACT_RANKS = 50
"""Up to so many units a treatment the exact distribution of rank sums is taken, as R does."""
_MANY = 8
_MANY_EACH = 5
"""From so many units in every treatment the large-sample distribution is taken."""


# -- between treatments ---------------------------------------------------------------------------


def _mann_whitney(samples: Sequence[Array], resamples: int, rng: np.random.Generator) -> Tested:
    """U of the first treatment: Mann and Whitney (1947), Annals of Mathematical Statistics 18."""
    one, other = samples
    ties = len(np.unique(np.concatenate(samples))) < len(one) + len(other)
    possible = arrangements(samples)
    u = float(effects.wins(other, one))
    if not ties and max(len(one), len(other)) <= _EXACT_RANKS:
        p, how = float(stats.mannwhitneyu(one, other, method="exact").pvalue), "exact"
    elif possible > resamples and min(len(one), len(other)) >= _MANY:
        p, how = float(stats.mannwhitneyu(one, other, method="asymptotic").pvalue), "normal"
    else:
        p, how = permuted(
            _ranked(samples), effects.difference, side="two-sided", resamples=resamples, rng=rng
        )
    return Tested(f"Mann-Whitney U test, {how}", "U", u, p)


def _kruskal_wallis(samples: Sequence[Array], resamples: int, rng: np.random.Generator) -> Tested:
    """H corrected for ties: Kruskal and Wallis (1952), JASA 47."""
    ranks = _ranked(samples)
    total = sum(map(len, samples))
    h = float(effects.epsilon_squared(*ranks)) * (total - 1)
    if arrangements(samples) > resamples and min(map(len, samples)) >= _MANY_EACH:
        p, how = float(stats.chi2.sf(h, len(samples) - 1)), "chi-squared"
    else:
        p, how = permuted(
            ranks, effects.epsilon_squared, side="greater", resamples=resamples, rng=rng
        )
    return Tested(f"Kruskal-Wallis test, {how}", "H", h, p)


def _jonckheere(samples: Sequence[Array], resamples: int, rng: np.random.Generator) -> Tested:
    """J, the pairs of units that are in the order of the treatments: Jonckheere (1954)."""
    p, how = permuted(samples, effects.superiority, side="two-sided", resamples=resamples, rng=rng)
    j = float(sum(effects.wins(one, other) for one, other in combinations(samples, 2)))
    return Tested(f"Jonckheere-Terpstra trend test, {how}", "J", j, p)


def _permutation(samples: Sequence[Array], resamples: int, rng: np.random.Generator) -> Tested:
    """Of the means: the difference of two, the sum of squares between more (Fisher 1935)."""
    statistic: Callable[..., Array] = _between
    symbol, side = "sum of squares between", "greater"
    if len(samples) == 2:
        statistic, symbol, side = effects.difference, "difference", "two-sided"
    p, how = permuted(samples, statistic, side=side, resamples=resamples, rng=rng)
    return Tested(f"permutation test of means, {how}", symbol, float(statistic(*samples)), p)


def _between(*samples: Array, axis: int = -1) -> Array:
    every = np.concatenate(samples, axis=-1).mean(axis=-1)
    parts = [sample.shape[-1] * (sample.mean(axis=-1) - every) ** 2 for sample in samples]
    return np.asarray(sum(parts))


def _ranked(samples: Sequence[Array]) -> list[Array]:
    """The ranks of all values, mean ranks for ties, in the samples again."""
    ranks = stats.rankdata(np.concatenate(samples))
    return np.split(ranks, np.cumsum([len(sample) for sample in samples])[:-1])


TESTS: Tests = {
    "mann_whitney": _mann_whitney,
    "kruskal_wallis": _kruskal_wallis,
    "jonckheere": _jonckheere,
    "permutation": _permutation,
}
"""Tests between treatments. `jonckheere` is of a trend over treatments in their order."""


# -- within units ---------------------------------------------------------------------------------


def _wilcoxon(samples: Sequence[Array], resamples: int, rng: np.random.Generator) -> Tested:
    """V, the sum of the ranks of increases: Wilcoxon (1945), Biometrics Bulletin 1(6).

    Units that did not change do not count, as in that paper.
    """
    changes = samples[1] - samples[0]
    same = int((changes == 0).sum())
    left_out = (f"{same} of {len(changes)} that did not change",) if same else ()
    changes = changes[changes != 0]
    if not len(changes):
        return Tested("Wilcoxon signed-rank test, exact", "V", 0.0, 1.0, left_out)
    ranks = stats.rankdata(np.abs(changes))
    signed = [np.where(changes < 0, ranks, 0.0), np.where(changes > 0, ranks, 0.0)]
    ties = len(np.unique(ranks)) < len(ranks)
    if not ties and len(changes) <= _EXACT_RANKS:
        p, how = float(stats.wilcoxon(changes, method="exact").pvalue), "exact"
    elif swaps(len(changes)) > resamples:
        wilcoxon: Any = stats.wilcoxon
        tested = wilcoxon(changes, method="asymptotic", correction=True)
        p, how = float(tested.pvalue), "normal"
    else:
        p, how = permuted(
            signed,
            effects.change,
            side="two-sided",
            within=True,
            resamples=resamples,
            rng=rng,
        )
    return Tested(f"Wilcoxon signed-rank test, {how}", "V", float(signed[1].sum()), p, left_out)


def _exchange(samples: Sequence[Array], resamples: int, rng: np.random.Generator) -> Tested:
    """Of the mean change: the two values of each unit exchanged (Fisher 1935, chapter 3)."""
    p, how = permuted(
        samples, effects.change, side="two-sided", within=True, resamples=resamples, rng=rng
    )
    before, after = samples
    change = float(effects.change(before, after))
    return Tested(f"paired permutation test of means, {how}", "mean change", change, p)


PAIRED: Tests = {"wilcoxon": _wilcoxon, "permutation": _exchange}
"""Tests of the same units under two treatments, or in two phases."""
