"""What every test gives, and the correction of several p values."""

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

__all__ = ["CORRECTIONS", "NoTest", "Result", "check", "chosen", "corrected", "counted"]


class NoTest(EngineError):
    """A test that these data do not allow; the sentence says what is missing."""


@dataclass(frozen=True)
class Result:
    """A test, its effect and what it rests on. `str(result)` is a sentence for a paper.

    test          what was done: `Mann-Whitney U test, exact`
    measure       what was compared
    symbol        the name of the statistic: U, H, t, ...
    statistic     its value
    p             two-sided p value
    effect_name   what the effect is: `difference of means (governed - open)`
    effect        its size, in units of the measure where it is a difference
    low, high     its interval, of the effects that the test would not reject; NaN: there is none
    standardised  the same without a unit: Cliff's delta of two treatments, epsilon squared of more;
                  NaN: within units
    level         coverage the interval aims at
    n             units per treatment
    unit          group, session, person or decision
    least_p       the smallest p that so many units can have
    left_out      what is not in it, and why
    notes         what to know when reading it
    p_corrected   p value among several tests; None: not corrected
    correction    by which method
    least_p_corrected   the smallest that any values of so many units could give among these tests
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
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    p_corrected: float | None = None
    correction: str = ""
    least_p_corrected: float | None = None

    def __str__(self) -> str:
        sizes = ", ".join(f"{name}: {counted(n, self.unit)}" for name, n in self.n.items())
        sentence = f"{self.symbol} = {self.statistic:.4g}, {_p(self.p)}"
        if self.p_corrected is not None:
            sentence += f" ({self.correction}: {_p(self.p_corrected)})"
        return (
            f"{self.test}, {self.measure} ({sizes}): {sentence}; {self.effect_name} = "
            f"{self.effect:.4g}, {self._interval()}."
            + "".join(f" {note}." for note in self.notes)
            + (f" Left out: {'; '.join(self.left_out)}." if self.left_out else "")
        )

    def _interval(self) -> str:
        if math.isnan(self.low):
            return f"no {self.level:.0%} interval"
        return f"{self.level:.0%} interval {self.low:.4g} to {self.high:.4g}"


def _p(value: float) -> str:
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}"


def counted(number: int, noun: str) -> str:
    """Return a number of things, in words.

    >>> counted(1, "group"), counted(3, "group")
    ('1 group', '3 groups')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def chosen(key: str, name: str, known: Sequence[str] | Mapping[str, object]) -> str:
    """Return the name, if it is known. Raises UnknownName that says the nearest."""
    if name not in known:
        raise UnknownName(f"{key} = {short(name)}: unknown{nearest(name, known)}")
    return name


def check(*, level: float, resamples: int = 1) -> None:
    """Raise ConfigError for a coverage or a number of arrangements that cannot be."""
    if not 0 < level < 1:
        raise ConfigError(f"level = {level}: between 0 and 1, such as 0.95")
    if resamples < 1:
        raise ConfigError(f"resamples = {resamples}: 1 or more")


CORRECTIONS = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "hommel": "Hommel",
    "fdr_bh": "Benjamini-Hochberg",
    "fdr_by": "Benjamini-Yekutieli",
}


def corrected(results: Sequence[Result], method: str = "holm") -> list[Result]:
    """Return the results with p values corrected for how many they are; `p` stays as it was.

    Where so many tests of so few units can find nothing, whatever the values, each says so.

    method   `holm` (Holm 1979, Scandinavian Journal of Statistics 6(2)), `bonferroni` and
             `hommel` (1988, Biometrika 75(2)) bound the chance of one false finding or more;
             `fdr_bh` (Benjamini and Hochberg 1995, JRSS B 57(1)) and `fdr_by` the share of
             false ones among the findings

    Raises UnknownName.
    """
    name = CORRECTIONS[chosen("method", method, CORRECTIONS)]
    if not results:
        return []
    values = _for_all([result.p for result in results], method)
    least = _for_all([result.least_p for result in results], method)
    many = counted(len(results), "test")
    return [
        replace(
            result,
            p_corrected=value,
            correction=f"{name}, {many}",
            least_p_corrected=floor,
            notes=(*result.notes, *_hopeless(result, floor, many)),
        )
        for result, value, floor in zip(results, values, least, strict=True)
    ]


def _for_all(p: Sequence[float], method: str) -> list[float]:
    """Return p values corrected for each other.

    Holm's, which every report has, are computed here: statsmodels has Python look for garbage each
    time, which takes longer than all tests of a report.
    """
    if method != "holm":
        corrected_p: list[float] = multipletests(p, method=method)[1].tolist()
        return corrected_p
    order = np.argsort(p)
    steps = np.asarray(p)[order] * np.arange(len(p), 0, -1)
    holm = np.empty(len(p))
    holm[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return [float(value) for value in holm]


def _hopeless(result: Result, floor: float, many: str) -> tuple[str, ...]:
    """Return a note where no values could be significant after the correction, but before it."""
    if not result.least_p <= 1 - result.level < floor:
        return ()
    return (
        f"Corrected for {many} p is {floor:.3g} or more whatever the values: too many for so few "
        f"{result.unit}s",
    )
