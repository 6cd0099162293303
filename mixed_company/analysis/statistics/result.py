"""The result of a test, and the correction of several p values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from statsmodels.stats.multitest import multipletests

from mixed_company.engine.contract.errors import (
    ConfigError,
    EngineError,
    UnknownName,
    nearest,
    short,
)
from mixed_company.experiment.comparisons import counted

ROUNDING = 1e-12
"""Tolerance for the rounding error of a level that is computed as 1 minus a confidence."""


class NoTest(EngineError):
    """Error for data that cannot be tested. The message says what is missing."""


@dataclass(frozen=True)
class Result:
    """A test, its effect and its sample. `str(result)` is a sentence for a paper.

    test          name of the test: `Mann-Whitney U test, exact`
    measure       name of the measure
    symbol        symbol of the statistic: U, H, t, ...
    statistic     value of the statistic
    p             two-sided p value
    effect_name   kind of effect: `difference of means (governed - open)`
    effect        size of the effect; a difference is in units of the measure
    low, high     interval of the effects that the test does not reject; NaN: missing
    standardised  unitless effect: Cliff's delta for two treatments and for a trend, epsilon squared
                  for more than two, eta squared for their means; NaN: within units
    level         nominal coverage of the interval
    n             units per treatment
    unit          group, session, person or decision
    least_p       smallest p that this number of units can reach
    df            degrees of freedom of the statistic; NaN if it has none
    left_out      sentences about data that were left out, with reasons
    notes         caveats
    p_corrected   p value corrected for multiple tests; None: not corrected
    correction    method of the correction, number of tests, and their family
    least_p_corrected   smallest corrected p that these tests can reach
    """

    test: str
    measure: str
    symbol: str
    statistic: float
    p: float
    effect_name: str
    effect: float
    low: float
    high: float
    level: float
    n: Mapping[str, int]
    unit: str
    least_p: float = 0.0
    standardised: float = math.nan
    df: float = math.nan
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    p_corrected: float | None = None
    correction: str = ""
    least_p_corrected: float | None = None

    def __str__(self) -> str:
        sizes = ", ".join(f"{name}: {counted(n, self.unit)}" for name, n in self.n.items())
        sentence = f"{self.symbol} = {self.statistic:.4g}, {p_text(self.p)}"
        if self.p_corrected is not None:
            sentence += f" ({self.correction}: {p_text(self.p_corrected)})"
        return (
            f"{self.test}, {self.measure} ({sizes}): {sentence}; {self.effect_name} = "
            f"{self.effect:.4g}, {self._interval()}."
            + "".join(f" {note}." for note in self.notes)
            + (f" Left out: {'; '.join(self.left_out)}." if self.left_out else "")
        )

    def _interval(self) -> str:
        if math.isnan(self.low):
            return f"no {percentage(self.level)}% interval"
        return f"{percentage(self.level)}% interval {self.low:.4g} to {self.high:.4g}"


def p_text(value: float) -> str:
    """Return a p value as written in papers: `p = 0.012`, or `p < 0.001`."""
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}"


def percentage(level: float) -> str:
    """Return a confidence level in percent, with four digits, or more if it would become 100.

    >>> percentage(0.95), percentage(0.99992), percentage(0.999992), percentage(1.0)
    ('95', '99.99', '99.999', 'more than 99.99999999999999')
    """
    texts = (f"{100 * level:.{digits}g}" for digits in range(4, 17))
    return next((text for text in texts if float(text) < 100), "more than 99.99999999999999")


def chosen(key: str, name: str, names: Sequence[str] | Mapping[str, object]) -> str:
    """Return the name if it is one of `names`; otherwise raise an UnknownName that suggests the
    nearest one."""
    if name not in names:
        raise UnknownName(f"{key} = {short(name)}: unknown{nearest(name, names)}")
    return name


def check(*, level: float, resamples: int = 1) -> None:
    """Raise ConfigError if the coverage or number of resamples is invalid."""
    if not 0 < level < 1:
        raise ConfigError(f"level = {level}: should be between 0 and 1, for example 0.95")
    if resamples < 1:
        raise ConfigError(f"resamples = {resamples}: should be 1 or more")


CORRECTIONS = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "hommel": "Hommel",
    "fdr_bh": "Benjamini-Hochberg",
    "fdr_by": "Benjamini-Yekutieli",
}


def corrected(results: Sequence[Result], method: str = "holm", family: str = "") -> list[Result]:
    """Return the results with p values corrected for their number; `p` itself is unchanged.

    A note is added if there are so many tests with so few units that none can be significant.

    method   `holm` (Holm 1979, Scandinavian Journal of Statistics 6(2)), `bonferroni` and
             `hommel` (1988, Biometrika 75(2)) bound the probability of any false positive; `fdr_bh`
             (Benjamini and Hochberg 1995, JRSS B 57(1)) and `fdr_by` bound the share of false
             discoveries
    family   description of these tests for `correction`; empty: `correction` has only their number

    Raises UnknownName for an unknown method.
    """
    name = CORRECTIONS[chosen("method", method, CORRECTIONS)]
    if not results:
        return []
    values = _for_all([result.p for result in results], method)
    least = _for_all([result.least_p for result in results], method)
    tests = counted(len(results), "test")
    return [
        replace(
            result,
            p_corrected=value,
            correction=f"{name}, {tests}" + (f" of {family}" if family else ""),
            least_p_corrected=floor,
            notes=(*result.notes, *_hopeless(result, floor, tests)),
        )
        for result, value, floor in zip(results, values, least, strict=True)
    ]


def _for_all(p: Sequence[float], method: str) -> list[float]:
    """Return p values corrected by this method.

    Holm's correction, which every report uses, is computed here, because statsmodels collects
    garbage on each call, which takes longer than all tests in a report.
    """
    if method != "holm":
        corrected_p: list[float] = multipletests(p, method=method)[1].tolist()
        return corrected_p
    order = np.argsort(p)
    steps = np.asarray(p)[order] * np.arange(len(p), 0, -1)
    holm = np.empty(len(p))
    holm[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return [float(value) for value in holm]


def _hopeless(result: Result, floor: float, tests: str) -> tuple[str, ...]:
    """Return a note if a test could be significant before correction but not after it."""
    level = 1 - result.level + ROUNDING
    if not result.least_p <= level < floor:
        return ()
    return (
        f"Corrected for {tests}, p cannot be below {floor:.3g}: there are too many tests for so "
        f"few {result.unit}s",
    )
