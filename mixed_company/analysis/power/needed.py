"""How many groups find a difference of means, by the noncentral t distribution.

    needed(Design(effect=3, sd=6, icc=0.1, people=4))

The unit of the test is the group, whose mean has the variance sd^2 (icc + (1 - icc) / people):
people who play together are worth 1 / (1 + (people - 1) icc) of independent ones (Kish 1965, Survey
Sampling, section 5.4; Donner and Klar 2000, Design and Analysis of Cluster Randomization Trials,
chapter 5). Where sessions have something of their own, each either holds one treatment, and is then
the unit itself, or all of them, and is then taken out (`within`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np
from statsmodels.stats.power import TTestIndPower

from mixed_company.analysis.statistics.result import NoTest
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array

__all__ = ["Design", "Needed", "needed"]

MOST = 10_000
"""So many units of the smallest treatment are tried."""


@dataclass(frozen=True)
class Design:
    """What is known, or wanted, before there are data.

    effect        the smallest difference of means that would matter, in units of the measure
    sd            standard deviation of people within treatments
    icc           share of that variance that lies between groups (of one session)
    people        people per group; 1: `sd` is of groups
    ratio         groups of the treatments to each other; (1, 2): twice as many in the second.
                  Every treatment is compared with the first
    hypotheses    tests that are corrected together; at least one per comparison
    alpha, target level, two-sided, and power
    attrition     share of groups that will not be in the test
    session_icc   share of the variance that lies between sessions
    per_session   groups that play in one session
    within        sessions hold all treatments; else one each
    """

    effect: float
    sd: float
    icc: float = 0.0
    people: float = 4
    ratio: tuple[int, ...] = (1, 1)
    hypotheses: int = 1
    alpha: float = 0.05
    target: float = 0.8
    attrition: float = 0.0
    session_icc: float = 0.0
    per_session: int = 1
    within: bool = False

    def __post_init__(self) -> None:
        """Raise NoTest where nothing varies, ConfigError for what cannot be."""
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name != "ratio" and not math.isfinite(value):
                raise ConfigError(f"{field.name} = {value}: should be a number")
        if not self.sd > 0:
            raise NoTest(
                f"sd = {self.sd:g}: where nothing varies, power is 0 or 1 for any number of "
                "groups; take the spread of people, from a pilot or from the literature"
            )
        for key in ("icc", "session_icc"):
            if not 0 <= getattr(self, key) <= 1:
                raise ConfigError(f"{key} = {getattr(self, key):g}: from 0 to 1")
        if not 0 <= self.attrition < 1:
            raise ConfigError(f"attrition = {self.attrition:g}: from 0 to less than 1")
        if self.icc + self.session_icc > 1:
            raise ConfigError("icc and session_icc: shares of one variance, together 1 at most")
        for key in ("alpha", "target"):
            if not 0 < getattr(self, key) < 1:
                raise ConfigError(f"{key} = {getattr(self, key):g}: between 0 and 1")
        if not self.target > self.level:
            raise ConfigError(f"target = {self.target:g}: more than the level, {self.level:g}")
        for key in ("people", "hypotheses", "per_session"):
            if getattr(self, key) < 1:
                raise ConfigError(f"{key} = {getattr(self, key)}: 1 or more")
        if len(self.ratio) < 2 or min(self.ratio) < 1:
            raise ConfigError(f"ratio = {self.ratio}: a whole number per treatment, two or more")
        if not self.effect:
            raise ConfigError("effect = 0: the smallest difference that would matter")

    @property
    def tests(self) -> int:
        """Return the number of tests that are corrected together."""
        return max(self.hypotheses, len(self.ratio) - 1)

    @property
    def level(self) -> float:
        """Return the level of each test: Holm's correction finds as much, or more."""
        return self.alpha / self.tests

    @property
    def by_session(self) -> bool:
        """Return whether sessions, of one treatment each, differ and so are the units."""
        return self.session_icc > 0 and not self.within

    @property
    def per_unit(self) -> int:
        """Return the groups of a unit of the test."""
        return self.per_session if self.by_session else 1

    @property
    def variance(self) -> float:
        """Return the variance of units' means around those of their treatment (and session)."""
        alone = 1 - self.icc - self.session_icc
        of_group = self.icc + alone / self.people
        if self.by_session:
            return self.sd**2 * (self.session_icc + of_group / self.per_session)
        return self.sd**2 * of_group


@dataclass(frozen=True)
class Needed:
    """Groups of each treatment: those that are tested, and those to begin with.

    power is that of the comparison that has least; unit, what the test counts.
    """

    design: Design
    tested: tuple[int, ...]
    begun: tuple[int, ...]
    power: float
    unit: str

    def __str__(self) -> str:
        own = self.design
        corrected = f", {own.alpha:g} for {own.tests} tests" if own.tests > 1 else ""
        lost = f", since {own.attrition:.0%} will not be in the test" if own.attrition else ""
        begin = f" Begin with {self._counted(self.begun)}{lost}." if lost else ""
        return (
            f"{self._counted(self.tested)}: a difference of {abs(own.effect):.4g} is found with "
            f"power {self.power:.2f} (t test of {self.unit}s, level {own.level:.3g}{corrected}, "
            f"two-sided).{begin}"
        )

    def _counted(self, groups: tuple[int, ...]) -> str:
        alike = len(set(groups)) == 1
        counts = str(groups[0]) if alike else " and ".join(map(str, groups))
        people = self.design.people
        seats = f" ({sum(groups) * people:.0f} people)" if people > 1 else ""
        sessions = ""
        if self.design.by_session:
            sessions = f", {sum(groups) // self.design.per_session} sessions"
        return f"{counts} groups per treatment, {sum(groups)} in all{seats}{sessions}"


def needed(design: Design) -> Needed:
    """Return the fewest groups that reach the target. Raises NoTest where thousands do not."""
    divisor = math.gcd(*design.ratio)
    ratio = np.array(design.ratio) // divisor
    low, high = 0, 1  # doubled until it is enough, then halved: power grows with every unit
    while not _enough(design, ratio * high):
        low, high = high, 2 * high
        if high * ratio.min() > MOST:
            raise NoTest(
                f"effect = {design.effect:g}: more than {MOST} groups of a treatment; it is small "
                f"against sd = {design.sd:g}"
            )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _enough(design, ratio * middle) else (middle, high)
    units = ratio * high
    tested = tuple(int(count) * design.per_unit for count in units)
    begun = tuple(_begun(design, count) for count in tested)
    unit = "session" if design.by_session else "group"
    return Needed(design, tested, begun, _power(design, units), unit)


def _begun(design: Design, tested: int) -> int:
    """Return the groups to begin with, whole sessions where these are the unit."""
    begun = math.ceil(tested / (1 - design.attrition) - 1e-9)
    return math.ceil(begun / design.per_unit) * design.per_unit


def _enough(design: Design, units: Array) -> bool:
    """Return whether the target is reached, and an exact test could be significant at all."""
    one, other = int(units[0]), int(units[1:].min())
    if one + other < 3 or 2 / math.comb(one + other, one) > design.level:
        return False
    return _power(design, units) >= design.target


def _power(design: Design, units: Array) -> float:
    """Return the power of comparing the first treatment with the smallest of the others."""
    one, other = int(units[0]), int(units[1:].min())
    freedom = one + other - 2
    if design.within:  # every session has a mean of its own
        freedom -= math.ceil((one + other) / design.per_session) - 1
    if freedom < 1:
        return 0.0
    size = abs(design.effect) / math.sqrt(design.variance)
    return float(TTestIndPower().power(size, one, design.level, ratio=other / one, df=freedom))
