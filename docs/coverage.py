"""Generator for docs/coverage.md: coverage of confidence intervals, error rates of tests, and
estimates from experiments that can stop early.

    python -m docs.coverage
    python -m docs.coverage --repetitions 200       faster, with fewer draws per number
    python -m docs.coverage --scheduler ADDRESS     on a Dask cluster instead of all cores
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from docs.covering import (
    DESIGNS,
    DRAWS,
    INTERVALS,
    SHARES,
    SIZED,
    SPREADS,
    TRENDS,
    TRUTHS,
    UNITS,
    by_unit,
    covered,
    estimated,
    of_trend,
    rejected,
)
from docs.dating import dated
from mixed_company.analysis.statistics.spending import SPENDING
from mixed_company.cli.arguments import sharing, workers_of
from mixed_company.policies.sharing import Sharing

__all__ = ["document"]

HERE = Path(__file__).resolve().parent
GROUPS = (4, 8, 16, 30)
REPETITIONS = 1000

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

`python -m docs.coverage` simulates the intervals and tests of [statistics.md](statistics.md). Each
number comes from {repetitions} draws, so a value of 0.950 is accurate to within {within:.3f}. Both
treatments have the same number of groups, and their distributions do not differ. Groups are drawn
from three distributions: normal; skewed (lognormal, with a standard deviation of 1 for the
logarithm); and the whole numbers 0 to 3 with equal probabilities, which gives many equal values.

All intervals are 95% intervals. `mean` is the t interval of one treatment; each of the other
intervals belongs to a test of the difference between treatments. `none` means that with so few
groups the test can never reject, so no interval is printed. The `mean` interval contains the true
value in fewer than 95 of 100 cases if a measure is skewed, even with 30 groups, or if there are
four groups with many equal values. The `shift` interval does not have this problem.

"""

TRENDS_TEXT = """
The next table is about a trend over three treatments. It shows how often the interval for the
probability of superiority contains the true probability. The columns give the true means of the
treatments, in standard deviations. Values are normal.

"""

UNITS_TEXT = """
In the next table, treatments do not differ, but the unit of the test varies. It shows how often the
95% interval for the difference contains 0. Of the variance between people, 40% is between groups
of four. The second column gives the share between sessions. `one treatment`: each session has two
groups in the same treatment. `both treatments`: each session has one group in each treatment. Means
are compared by Welch's test over people, groups or sessions, or by permuting groups within their
sessions. People are not independent, so their intervals contain 0 far too rarely. If sessions
differ and each session has only one treatment, intervals over groups also contain 0 too rarely, but
intervals over sessions do not. If each session has both treatments, intervals over groups are too
wide.

"""

SIZE = """
The next table shows the share of tests with p ≤ 0.05 even though the means are equal.
Values are normal. The permutation test asks whether treatments differ in any way. If treatments
differ in spread and in the number of groups, it does not test the means, but `welch` does.

"""

ESTIMATES = """
The last table shows average estimates from tests with interim looks. The estimate is the difference
between the means of two treatments, in standard deviations, tested by Welch's test. `unbiased` is
the [unbiased effect](statistics.md#looks).

"""


def main() -> None:
    """Write the document."""
    parser = ArgumentParser(prog="python -m docs.coverage")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS)
    sharing(parser)
    chosen = parser.parse_args()
    repetitions = chosen.repetitions
    tables = document(repetitions, workers_of(chosen), chosen.scheduler)
    coverage, trends, units, size, estimates = tables.split("\n\n")
    within = 1.96 * (0.95 * 0.05 / repetitions) ** 0.5
    head = INTRODUCTION.format(repetitions=repetitions, within=within)
    page = f"{head}{coverage}\n{TRENDS_TEXT}{trends}\n{UNITS_TEXT}{units}\n{SIZE}{size}\n"
    page += f"{ESTIMATES}{estimates}"
    (HERE / "coverage.md").write_text(dated(page))


if __name__ == "__main__":
    main()
