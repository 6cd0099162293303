"""Compute the number of groups needed to detect a difference of means, from the noncentral t
distribution.

    needed(Design(effect=3, sd=6, icc=0.1, people=4))

The unit of the test is the group. The variance of its mean is sd^2 (icc + (1 - icc) / people): a
person in a group counts as much as 1 / (1 + (people - 1) icc) independent people (Kish 1965, Survey
Sampling, section 5.4; Donner and Klar 2000, Design and Analysis of Cluster Randomization Trials,
chapter 5). If sessions differ, there are two designs: either each session has one treatment and is
itself the unit, or it has all treatments and its effect is removed (`within`).

A pilot's export shows how much a measure varies (`piloted`).
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, fields, replace

import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats.power import TTestIndPower

from mixed_company.analysis import measures
from mixed_company.analysis.data import GROUP, Data
from mixed_company.analysis.rounding import alike
from mixed_company.analysis.statistics.effects import pooled_deviation
from mixed_company.analysis.statistics.result import NoTest
from mixed_company.analysis.statistics.units import PooledWarning, intraclass, units
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest, short
from mixed_company.engine.contract.space import Array
from mixed_company.experiment.comparisons import counted


@dataclass(frozen=True)
class Pilot:
    """The variation of a measure within the treatments of a pilot.

    mean     mean of the first treatment
    sd       standard deviation between people or, for a measure of groups, between groups
    icc      share of the variance that is between groups, at least 0
    people   the average number of values per group
    mixed    whether groups that exchanged people count as one
    high     largest plausible standard deviation given this number of groups: upper limit of a
             one-sided 80% interval (Browne 1995, Statistics in Medicine 14(17))
    """

    measure: str
    mean: float
    sd: float
    icc: float
    people: float
    groups: int
    high: float
    mixed: bool = False

    def __str__(self) -> str:
        composition = (
            f"icc {self.icc:.2f}, {self.people:.3g} people per group"
            if self.people > 1
            else ("of groups")
        )
        mixed = " (groups that exchanged people count as one)" if self.mixed else ""
        return (
            f"Pilot of {counted(self.groups, 'group')}{mixed}: {self.measure}, "
            f"mean {self.mean:.4g}, sd {self.sd:.4g} ({composition}); with so few groups, the sd "
            f"may be as large as {self.high:.4g}."
        )


def piloted(data: Data, measure: str) -> Pilot:
    """Return how much a measure varies between people, or else between groups, within treatments.
    Groups that exchanged people count as one group.

    Raises UnknownName for an unknown measure, ConfigError if its values are words or if the same
    people played several blocks, NoTest if no treatment has two groups or nothing varies.
    """
    if len(data.blocks) > 1:
        raise ConfigError(
            f"block: is missing; choose one of {', '.join(data.blocks)} (`mixed power --block`), "
            f"because groups of the same people in several blocks are not independent"
        )
    frame = measures.people(data, [measure])
    if measure in frame:
        frame = frame[frame["person"].astype(bool)]
    else:
        frame = measures.groups(data, [measure])
    if measure not in frame:
        described = measures.described(data.game_id)
        names = described.loc[described["level"] != "period", "measure"]
        raise UnknownName(
            f"measure {short(measure)}: unknown in {data.game_id}{nearest(measure, names)}"
        )
    if frame[measure].dtype != "float64":
        raise ConfigError(f"measure {measure!r}: its values are words; power needs numbers")
    units = data.by_unit(frame)
    mixed = len(units[GROUP].drop_duplicates()) < len(frame[GROUP].drop_duplicates())
    return replace(_spread(units, measure), mixed=mixed)


def _spread(frame: pd.DataFrame, measure: str) -> Pilot:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PooledWarning)  # the dependence itself is estimated here
        values = units(frame, measure, unit="person" if "person" in frame else "group")
    groups = units(frame, measure)
    samples = [values.sample(name) for name in values.treatments]
    freedom = len(groups.frame) - len(values.treatments)
    if freedom < 1:
        raise NoTest(f"{measure}: no treatment of the pilot has two groups with a value")
    if all(alike(sample) for sample in samples):
        raise NoTest(f"{measure}: constant within each treatment of the pilot")
    sd = pooled_deviation(samples)
    return Pilot(
        measure,
        mean=float(samples[0].mean()),
        sd=sd,
        icc=min(max(intraclass(values.frame) or 0.0, 0.0), 1.0),
        people=len(values.frame) / len(groups.frame),
        groups=len(groups.frame[GROUP].drop_duplicates()),
        high=sd * math.sqrt(freedom / stats.chi2.ppf(0.2, freedom)),
    )


# -- a pilot -------------------------------------------------------------------------------------


MOST = 10_000
"""Maximum number of units that are tried in the smallest treatment."""


@dataclass(frozen=True)
class Design:
    """Assumptions and targets of an experiment that has no data yet.

    effect        smallest relevant difference of means, in units of the measure
    sd            standard deviation between people within treatments
    icc           share of this variance that is between groups (of the same session)
    people        people per group; 1: `sd` is the standard deviation of groups
    ratio         ratio of the numbers of groups; (1, 2): twice as many in the second treatment.
                  Each treatment is compared with the first
    hypotheses    number of tests that are corrected together; at least one per comparison
    alpha, target two-sided level, and power
    attrition     share of groups that will be missing from the test
    session_icc   share of the variance that is between sessions
    per_session   groups per session
    within        whether every session has all treatments; otherwise, every session has one
                  treatment
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
        """Raise NoTest if nothing varies, ConfigError if a value is invalid."""
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name != "ratio" and not math.isfinite(value):
                raise ConfigError(f"{field.name} = {value}: should be a number")
        if not self.sd > 0:
            raise NoTest(
                f"sd = {self.sd:g}: if nothing varies, power is 0 or 1 for any number of groups; "
                f"use the standard deviation between people in a pilot or in the literature"
            )
        for key in ("icc", "session_icc"):
            if not 0 <= getattr(self, key) <= 1:
                raise ConfigError(f"{key} = {getattr(self, key):g}: should be from 0 to 1")
        if not 0 <= self.attrition < 1:
            raise ConfigError(f"attrition = {self.attrition:g}: should be at least 0 and below 1")
        if self.icc + self.session_icc > 1:
            raise ConfigError("icc and session_icc: should add up to at most 1")
        for key in ("alpha", "target"):
            if not 0 < getattr(self, key) < 1:
                raise ConfigError(f"{key} = {getattr(self, key):g}: should be between 0 and 1")
        if not self.target > self.level:
            raise ConfigError(f"target = {self.target:g}: should exceed the level, {self.level:g}")
        for key in ("people", "hypotheses", "per_session"):
            if getattr(self, key) < 1:
                raise ConfigError(f"{key} = {getattr(self, key)}: should be 1 or more")
        if len(self.ratio) < 2 or min(self.ratio) < 1:
            raise ConfigError(
                f"ratio = {self.ratio}: should be a whole number for each of two or more treatments"
            )
        if not self.effect:
            raise ConfigError("effect = 0: should be the smallest relevant difference")

    @property
    def tests(self) -> int:
        """The number of tests that are corrected together."""
        return max(self.hypotheses, len(self.ratio) - 1)

    @property
    def level(self) -> float:
        """The level of each test with Bonferroni's correction. The power with Holm's correction is
        at least as high."""
        return self.alpha / self.tests

    @property
    def by_session(self) -> bool:
        """True if sessions are the units, because they differ and have one treatment each."""
        return self.session_icc > 0 and not self.within

    @property
    def per_unit(self) -> int:
        """The number of groups in one unit of the test."""
        return self.per_session if self.by_session else 1

    @property
    def variance(self) -> float:
        """The variance between unit means within a treatment (and session)."""
        of_person = 1 - self.icc - self.session_icc
        of_group = self.icc + of_person / self.people
        if self.by_session:
            return self.sd**2 * (self.session_icc + of_group / self.per_session)
        return self.sd**2 * of_group


@dataclass(frozen=True)
class Needed:
    """Numbers of groups per treatment, both in the test and to start with.

    `power` is the power of the weakest comparison, `unit` the unit of the test.
    """

    design: Design
    tested: tuple[int, ...]
    begun: tuple[int, ...]
    power: float
    unit: str

    def __str__(self) -> str:
        design = self.design
        corrected = f", {design.alpha:g} for {design.tests} tests" if design.tests > 1 else ""
        begin = ""
        if design.attrition:
            lost = f"{design.attrition:.0%} will be missing from the test"
            begin = f" Start with {self._counted(self.begun)}, because {lost}."
        return (
            f"{self._counted(self.tested)}: a difference of {abs(design.effect):.4g} is detected "
            f"with power {self.power:.2f} (t test of {self.unit}s, level "
            f"{design.level:.3g}{corrected}, "
            f"two-sided).{begin}"
        )

    def _counted(self, groups: tuple[int, ...]) -> str:
        equal = len(set(groups)) == 1
        counts = str(groups[0]) if equal else " and ".join(map(str, groups))
        people = self.design.people
        seats = f" ({sum(groups) * people:.0f} people)" if people > 1 else ""
        sessions = ""
        if self.design.by_session:
            sessions = f", {sum(groups) // self.design.per_session} sessions"
        return f"{counts} groups per treatment, {sum(groups)} in all{seats}{sessions}"


def needed(design: Design) -> Needed:
    """Return the smallest number of groups for which the power reaches the target.

    Raises NoTest if more than MOST are needed.
    """
    divisor = math.gcd(*design.ratio)
    ratio = np.array(design.ratio) // divisor
    low, high = 0, 1  # double, then bisect, because power grows with every unit
    while not _enough(design, ratio * high):
        low, high = high, 2 * high
        if high * ratio.min() > MOST:
            raise NoTest(
                f"effect = {design.effect:g}: would need more than {MOST} groups per treatment, "
                f"because the effect is small compared with sd = {design.sd:g}"
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
    """Return the number of groups to start with, rounded up to whole sessions if sessions are the
    unit."""
    begun = math.ceil(tested / (1 - design.attrition) - 1e-9)
    return math.ceil(begun / design.per_unit) * design.per_unit


def _enough(design: Design, units: Array) -> bool:
    """Return whether the power reaches the target and an exact test can be significant at all."""
    first, smallest = int(units[0]), int(units[1:].min())
    if first + smallest < 3 or 2 / math.comb(first + smallest, first) > design.level:
        return False
    return _power(design, units) >= design.target


def _power(design: Design, units: Array) -> float:
    """Return the power of the comparison between the first treatment and the smallest of the
    others."""
    first, smallest = int(units[0]), int(units[1:].min())
    freedom = first + smallest - 2
    if design.within:  # the mean of every session is estimated
        freedom -= math.ceil((first + smallest) / design.per_session) - 1
    if freedom < 1:
        return 0.0
    size = abs(design.effect) / math.sqrt(design.variance)
    return float(
        TTestIndPower().power(size, first, design.level, ratio=smallest / first, df=freedom)
    )
