"""Simulated coverage of confidence intervals, error rates of tests, and estimates from experiments
that can stop early, for docs/coverage.md.

Groups are drawn from distributions with known parameters: a normal one, a lognormal one whose
logarithm has standard deviation 1, and whole numbers from 0 to 3, with many ties. The seed
determines all draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
from scipy import stats

from mixed_company.analysis.statistics.intervals import of_mean
from mixed_company.analysis.statistics.permuting import moves
from mixed_company.analysis.statistics.spending import levels, unbiased
from mixed_company.analysis.statistics.tests import TESTS
from mixed_company.engine.contract.chance import generator
from mixed_company.engine.contract.space import Array

__all__ = [
    "DESIGNS",
    "DRAWS",
    "INTERVALS",
    "SHARES",
    "SIZED",
    "SPREADS",
    "TRENDS",
    "TRUTHS",
    "UNITS",
    "by_unit",
    "covered",
    "estimated",
    "of_trend",
    "rejected",
]

RESAMPLES = 999
TREND_RESAMPLES = 199
"""Number of permutations for trends: fewer than for other tests, because trends take longer and the
interval hardly depends on p."""
LEVEL = 0.95

Draw = Callable[[np.random.Generator, int], Array]

DRAWS: dict[str, tuple[Draw, float]] = {
    "normal": (lambda rng, n: rng.normal(size=n), 0.0),
    "skewed": (lambda rng, n: rng.lognormal(size=n), float(np.exp(0.5))),
    "whole": (lambda rng, n: rng.integers(4, size=n).astype(float), 1.5),
}
"""Distributions by name: a function that draws the values of n groups, and the true mean."""

INTERVALS = {
    "shift": ("mann_whitney", 0.0),
    "superiority": ("mann_whitney", 0.5),
    "difference (permutation)": ("permutation", 0.0),
    "difference (welch)": ("welch", 0.0),
}
"""The test that gives each interval, and the interval's true value if treatments are the same."""


def covered(name: str, shape: str, groups: int, repetitions: int) -> tuple[float, int]:
    """Return the share of intervals that contain the true value, and the number of intervals.

    name   `mean`, or one of INTERVALS, of two treatments that do not differ
    """
    draw, mean = DRAWS[shape]
    rng = generator(0, f"coverage of {name}, {shape}, {groups} groups")
    held = []
    for _ in range(repetitions):
        if name == "mean":
            low, high = of_mean(draw(rng, groups), LEVEL)
            truth = mean
        else:
            test, truth = INTERVALS[name]
            tested = TESTS[test]([draw(rng, groups), draw(rng, groups)], RESAMPLES, rng)
            low, high = tested.intervals[name.partition(" ")[0]](LEVEL)
        if low == low:
            held.append(low <= truth <= high)
    return (float(np.mean(held)) if held else float("nan")), len(held)


def rejected(test: str, groups: tuple[int, int], spread: float, repetitions: int) -> float:
    """Return the share of tests with p <= 0.05 even though the means do not differ.

    Values are normal; those of the second group have standard deviation `spread`.
    """
    rng = generator(0, f"size of {test}, {groups}, {spread}")
    wrong = 0
    for _ in range(repetitions):
        samples = [rng.normal(size=groups[0]), rng.normal(scale=spread, size=groups[1])]
        wrong += TESTS[test](samples, RESAMPLES, rng).p <= 1 - LEVEL
    return wrong / repetitions


TRENDS = ((0.0, 0.0, 0.0), (0.0, 1.0, 2.0), (0.0, 1.0, 0.0))
"""Means of three treatments, in standard deviations. The last set is not monotone."""


def of_trend(means: Sequence[float], groups: int, repetitions: int) -> float:
    """Return the share of intervals for a trend that contain the true probability of superiority.

    Values are normal with these means and standard deviation 1.
    """
    rng = generator(0, f"coverage of a trend, {means}, {groups} groups")
    pairs = [stats.norm.cdf((b - a) / np.sqrt(2)) for a, b in combinations(means, 2)]
    truth, held = float(np.mean(pairs)), 0
    for _ in range(repetitions):
        samples = [rng.normal(mean, size=groups) for mean in means]
        tested = TESTS["jonckheere"](samples, TREND_RESAMPLES, rng)
        low, high = tested.intervals["superiority"](LEVEL)
        held += low <= truth <= high
    return held / repetitions


PEOPLE, IN_SESSION = 4, 2
"""People per group, and groups per session."""
SHARES = (0.0, 0.2)
"""Shares of the variance between people that are due to sessions."""
OF_GROUPS = 0.4
"""Share of the variance between people that is due to groups within a session."""
UNITS = {
    "one treatment": ("person", "group", "session"),
    "both treatments": ("person", "group", "within sessions"),
}
"""Units that can be tested, by number of treatments in a session."""


def by_unit(
    design: str, unit: str, share: float, groups: int, repetitions: int
) -> tuple[float, int]:
    """Return the share of intervals for the difference that contain 0, and the number of intervals.

    design   one of UNITS; sessions of both treatments have one group of each
    unit     a unit, by Welch's test of its means, or `within sessions`, by the stratified test
    share    share of the variance between sessions
    """
    rng = generator(0, f"coverage by {unit}, {design}, {share}, {groups} groups")
    people = _of_people(rng, design, share, groups, repetitions)
    if unit == "within sessions":
        strata, of_groups = [np.arange(groups)] * 2, people.mean(axis=-1)
        tests = (moves(pair, strata=strata, resamples=RESAMPLES, rng=rng) for pair in of_groups)
        ends = np.array([test.interval(LEVEL) for test in tests])
        held = [low <= 0 <= high for low, high in ends if low == low]
        return (float(np.mean(held)) if held else float("nan")), len(held)
    size = {"person": 1, "group": PEOPLE, "session": PEOPLE * IN_SESSION}[unit]
    first, second = people.reshape(repetitions, 2, -1, size).mean(axis=-1).swapaxes(0, 1)
    p = stats.ttest_ind(second, first, axis=1, equal_var=False).pvalue
    return float((p > 1 - LEVEL).mean()), repetitions


def _of_people(
    rng: np.random.Generator, design: str, share: float, groups: int, repetitions: int
) -> Array:
    """Return people's values, shape (repetitions, 2, groups, PEOPLE), with variance 1 and no
    treatment effect."""
    of_groups = rng.normal(size=(repetitions, 2, groups))
    if design == "one treatment":
        shape = (repetitions, 2, groups // IN_SESSION)
        sessions = rng.normal(size=shape).repeat(IN_SESSION, axis=2)
    else:
        sessions = rng.normal(size=(repetitions, 1, groups))
    together = np.sqrt(share) * sessions + np.sqrt(OF_GROUPS) * of_groups
    of_people = rng.normal(size=(*of_groups.shape, PEOPLE))
    return np.asarray(together[..., None] + np.sqrt(1 - share - OF_GROUPS) * of_people)


SPREADS = (((6, 6), 1.0), ((6, 6), 4.0), ((15, 5), 1.0), ((15, 5), 4.0), ((5, 15), 4.0))


SIZED = ("mann_whitney", "permutation", "welch")

DESIGNS = ((12, 24), (8, 16, 24))
"""Groups per treatment at each interim look of an experiment."""
TRUTHS = (0.0, 0.4, 0.8, 1.2)


def estimated(
    spending: str, looks: Sequence[int], truth: float, repetitions: int
) -> tuple[float, float, float]:
    """Return the share of experiments that stop early, the mean estimate, and the mean unbiased
    estimate.

    Values are normal, and the means of the two treatments differ by `truth` standard deviations.
    Welch's test is used.
    """
    rng = generator(0, f"estimates of {spending}, {looks}, {truth}")
    control = rng.normal(size=(repetitions, looks[-1]))
    treated = rng.normal(truth, size=control.shape)
    tests = [
        stats.ttest_ind(treated[:, :n], control[:, :n], axis=1, equal_var=False) for n in looks
    ]
    effects = np.array([(treated - control)[:, :n].mean(axis=1) for n in looks])
    shares, alpha = [n / looks[-1] for n in looks], 1 - LEVEL
    p = np.array([test.pvalue for test in tests])
    decided = p <= np.array(levels(shares, alpha, spending))[:, None]
    decided[-1] = True
    stop = decided.argmax(axis=0)
    stops = (stop, np.arange(repetitions))
    corrected = [
        unbiased(effect, p_value, shares, look, alpha, spending)
        for effect, p_value, look in zip(effects[stops], p[stops], stop, strict=True)
    ]
    early = float((stop < len(looks) - 1).mean())
    return early, float(effects[stops].mean()), float(np.mean(corrected))
