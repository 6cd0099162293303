"""Generator of docs/coverage.md: the coverage of confidence intervals, the error rate of tests, and
the estimates of experiments that can stop early.

    python -m docs.coverage
    python -m docs.coverage --repetitions 200       with fewer draws for each number, and sooner
    python -m docs.coverage --scheduler ADDRESS     on a Dask cluster; else on all cores

Groups are drawn from distributions with known parameters: a normal one, a lognormal one whose
logarithm has standard deviation 1, and whole numbers from 0 to 4, of which many are equal. All
draws follow from the seed.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from docs.dating import dated
from mixed_company.analysis.statistics.intervals import of_mean
from mixed_company.analysis.statistics.permuting import moves
from mixed_company.analysis.statistics.spending import SPENDING, levels, unbiased
from mixed_company.analysis.statistics.tests import TESTS
from mixed_company.cli.arguments import sharing, workers_of
from mixed_company.engine.contract.chance import generator
from mixed_company.engine.contract.space import Array
from mixed_company.policies.sharing import Sharing

__all__ = ["by_unit", "covered", "document", "estimated", "of_trend", "rejected"]

HERE = Path(__file__).resolve().parent
GROUPS = (4, 8, 16, 30)
REPETITIONS = 1000
RESAMPLES = 999
TREND_RESAMPLES = 199
"""A trend of three treatments takes longer to permute, and its interval hardly depends on p."""
LEVEL = 0.95

Draw = Callable[[np.random.Generator, int], Array]

DRAWS: dict[str, tuple[Draw, float]] = {
    "normal": (lambda rng, n: rng.normal(size=n), 0.0),
    "skewed": (lambda rng, n: rng.lognormal(size=n), float(np.exp(0.5))),
    "whole": (lambda rng, n: rng.binomial(4, 0.5, size=n).astype(float), 2.0),
}
"""Distributions by name: a function that draws the values of n groups, and the true mean."""

INTERVALS = {
    "shift": ("mann_whitney", 0.0),
    "superiority": ("mann_whitney", 0.5),
    "difference (permutation)": ("permutation", 0.0),
    "difference (welch)": ("welch", 0.0),
}
"""Tests by interval, each with the true value if treatments do not differ."""


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
    """Return the share of tests with p of 0.05 or less, although the means do not differ.

    Values are normal; those of the second group have standard deviation `spread`.
    """
    rng = generator(0, f"size of {test}, {groups}, {spread}")
    wrong = 0
    for _ in range(repetitions):
        samples = [rng.normal(size=groups[0]), rng.normal(scale=spread, size=groups[1])]
        wrong += TESTS[test](samples, RESAMPLES, rng).p <= 1 - LEVEL
    return wrong / repetitions


TRENDS = ((0.0, 0.0, 0.0), (0.0, 0.5, 1.0), (0.0, 1.0, 2.0), (0.0, 1.0, 0.0))
"""Means of three treatments, in standard deviations; the last are not monotone."""


def of_trend(means: Sequence[float], groups: int, repetitions: int) -> float:
    """Return the share of intervals of a trend that contain the true probability of superiority.

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
"""Shares of the variance of people that lie between sessions."""
OF_GROUPS = 0.4
"""Share of the variance of people that lies between groups of a session."""
UNITS = {
    "one treatment": ("person", "group", "session"),
    "both treatments": ("person", "group", "within sessions"),
}
"""Units that can be tested, by the treatments of a session."""


def by_unit(
    design: str, unit: str, share: float, groups: int, repetitions: int
) -> tuple[float, int]:
    """Return the share of intervals of the difference that contain 0, and their number.

    design   one of UNITS; sessions of both treatments have one group of each
    unit     a unit, by Welch's test of its means, or `within sessions`, by the stratified test
    share    share of the variance between sessions
    """
    rng = generator(0, f"coverage by {unit}, {design}, {share}, {groups} groups")
    held = []
    for _ in range(repetitions):
        people = _of_people(rng, design, share, groups)
        if unit == "within sessions":
            strata = [np.arange(groups)] * 2
            of_groups = people.mean(axis=-1)
            test = moves(of_groups, strata=strata, resamples=RESAMPLES, rng=rng)
            low, high = test.interval(LEVEL)
        else:
            size = {"person": 1, "group": PEOPLE, "session": PEOPLE * IN_SESSION}[unit]
            samples = people.reshape(2, -1, size).mean(axis=-1)
            low, high = TESTS["welch"](samples, RESAMPLES, rng).intervals["difference"](LEVEL)
        if low == low:
            held.append(low <= 0 <= high)
    return (float(np.mean(held)) if held else float("nan")), len(held)


def _of_people(rng: np.random.Generator, design: str, share: float, groups: int) -> Array:
    """Return the values of people, shape (2, groups, PEOPLE), with variance 1 and without an effect
    of the treatment."""
    if design == "one treatment":
        sessions = rng.normal(size=(2, groups // IN_SESSION)).repeat(IN_SESSION, axis=1)
    else:
        sessions = np.stack([rng.normal(size=groups)] * 2)
    of_groups = rng.normal(size=(2, groups))
    of_people = rng.normal(size=(2, groups, PEOPLE))
    together = np.sqrt(share) * sessions + np.sqrt(OF_GROUPS) * of_groups
    return together[..., None] + np.sqrt(1 - share - OF_GROUPS) * of_people


SPREADS = (((6, 6), 1.0), ((6, 6), 4.0), ((15, 5), 1.0), ((15, 5), 4.0), ((5, 15), 4.0))


SIZED = ("mann_whitney", "permutation", "welch")

DESIGNS = ((12, 24), (8, 16, 24))
"""Groups per treatment at each interim look of an experiment."""
TRUTHS = (0.0, 0.4, 0.8, 1.2)


def estimated(
    spending: str, looks: Sequence[int], truth: float, repetitions: int
) -> tuple[float, float, float]:
    """Return the share of experiments that stop early, the mean estimate, and the unbiased one.

    Values are normal, and the means of the two treatments differ by `truth` standard deviations.
    Experiments are tested by Welch's test.
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


Cell = tuple[str, tuple[Any, ...]]
"""Kind of a cell (a key of DRAWN), and the arguments of its function."""


def cells(repetitions: int) -> list[Cell]:
    """Return all cells, in the order of the tables."""
    of_intervals: list[Cell] = [
        ("coverage", (name, shape, groups, repetitions))
        for groups in GROUPS
        for shape in DRAWS
        for name in ("mean", *INTERVALS)
    ]
    return of_intervals + [
        *(("trend", (means, groups, repetitions)) for groups in GROUPS for means in TRENDS),
        *(
            ("unit", (design, unit, share, groups, repetitions))
            for groups in GROUPS
            for share in SHARES
            for design, units in UNITS.items()
            for unit in units
        ),
        *(
            ("size", (name, groups, spread, repetitions))
            for groups, spread in SPREADS
            for name in SIZED
        ),
        *(
            ("estimate", (spending, looks, truth, repetitions))
            for spending in SPENDING
            for looks in DESIGNS
            for truth in TRUTHS
        ),
    ]


def drawn(cell: Cell) -> str:
    """Return the text of a cell."""
    kind, about = cell
    return DRAWN[kind](*about)


DRAWN: dict[str, Callable[..., str]] = {
    "coverage": lambda *about: _cell(*covered(*about)),
    "trend": lambda *about: f"{of_trend(*about):.3f}",
    "unit": lambda *about: _cell(*by_unit(*about)),
    "size": lambda *about: f"{rejected(*about):.3f}",
    "estimate": lambda *about: "{:.2f} | {:.2f} | {:.2f}".format(*estimated(*about)),
}
"""Functions that return the text of a cell, by kind."""


def document(repetitions: int, workers: int = 1, scheduler: str | None = None) -> str:
    """Return the tables, as Markdown."""
    with Sharing(workers, scheduler, progress=True) as among:
        texts = iter(among.gathered(drawn, cells(repetitions), " numbers"))
    tables = (_coverage, _trends, _units, _size, _estimates)
    return "\n\n".join("\n".join(table(texts)) for table in tables) + "\n"


def _coverage(texts: Iterator[str]) -> Iterator[str]:
    names = ["mean", *INTERVALS]
    yield f"| groups | distribution | {' | '.join(names)} |"
    yield "|---|---|" + "---|" * len(names)
    for groups in GROUPS:
        for shape in DRAWS:
            yield f"| {groups} | {shape} | {' | '.join(islice(texts, len(names)))} |"


def _trends(texts: Iterator[str]) -> Iterator[str]:
    names = [", ".join(f"{mean:g}" for mean in means) for means in TRENDS]
    yield f"| groups | {' | '.join(names)} |"
    yield "|---|" + "---|" * len(names)
    for groups in GROUPS:
        yield f"| {groups} | {' | '.join(islice(texts, len(names)))} |"


def _units(texts: Iterator[str]) -> Iterator[str]:
    names = [f"{unit}, {design}" for design, units in UNITS.items() for unit in units]
    yield f"| groups | variance between sessions | {' | '.join(names)} |"
    yield "|---|---|" + "---|" * len(names)
    for groups in GROUPS:
        for share in SHARES:
            yield f"| {groups} | {share:g} | {' | '.join(islice(texts, len(names)))} |"


def _cell(share: float, number: int) -> str:
    return f"{share:.3f}" if number else "none"


def _size(texts: Iterator[str]) -> Iterator[str]:
    yield f"| groups | standard deviations | {' | '.join(SIZED)} |"
    yield "|---|---|" + "---|" * len(SIZED)
    for (first, second), spread in SPREADS:
        shares = " | ".join(islice(texts, len(SIZED)))
        yield f"| {first} and {second} | 1 and {spread:g} | {shares} |"


def _estimates(texts: Iterator[str]) -> Iterator[str]:
    yield "| alpha spending | groups at looks | truth | stop early | estimate | unbiased |"
    yield "|---|---|---|---|---|---|"
    for spending in SPENDING:
        for looks in DESIGNS:
            for truth in TRUTHS:
                look_list = ", ".join(map(str, looks))
                yield f"| {spending} | {look_list} | {truth:g} | {next(texts)} |"


INTRODUCTION = """# How often intervals contain the true value

Simulations of the intervals and tests in [statistics.md](statistics.md), made by
`python -m docs.coverage`: {repetitions} draws for each number, so 0.950 is known to within
{within:.3f}. Both treatments have the same number of groups and do not differ. Groups are drawn
from a normal distribution and from a skewed one (lognormal, with a standard deviation of 1 for the
logarithm).

All intervals are 95 % intervals. `mean` is the t interval of one treatment; the others belong to
the test of their effect. `none` means that with so few groups the test can reject nothing, so no
interval is printed. With few groups and skewed measures, the interval `mean` contains the true
value less often than 95 times in 100; the interval `shift` does not.

"""

SIZE = """
The next table shows the share of tests with p of 0.05 or less even though the means are equal.
Values are normal. The permutation test asks whether treatments differ in any way. If they differ in
spread and in number of groups, it is not a test of means, but `welch` is.

"""

ESTIMATES = """
The last table shows average estimates from experiments with looks: the difference between the means
of two treatments, in standard deviations, by Welch's test. `unbiased` is the [unbiased
effect](statistics.md#looks).

"""


def main() -> None:
    """Write the document."""
    parser = ArgumentParser(prog="python -m docs.coverage")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS)
    sharing(parser)
    chosen = parser.parse_args()
    repetitions = chosen.repetitions
    tables = document(repetitions, workers_of(chosen), chosen.scheduler)
    coverage, size, estimates = tables.split("\n\n")
    within = 1.96 * (0.95 * 0.05 / repetitions) ** 0.5
    head = INTRODUCTION.format(repetitions=repetitions, within=within)
    page = f"{head}{coverage}\n{SIZE}{size}\n{ESTIMATES}{estimates}"
    (HERE / "coverage.md").write_text(dated(page))


if __name__ == "__main__":
    main()
