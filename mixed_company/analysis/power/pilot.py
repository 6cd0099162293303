"""The variation of a measure in a pilot's export."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

import pandas as pd
from scipy import stats

from mixed_company.analysis import measures
from mixed_company.analysis.data import GROUP, Data
from mixed_company.analysis.rounding import alike
from mixed_company.analysis.statistics.effects import pooled_deviation
from mixed_company.analysis.statistics.result import NoTest, counted
from mixed_company.analysis.statistics.units import PooledWarning, intraclass, units
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest, short


@dataclass(frozen=True)
class Pilot:
    """The variation of a measure within the treatments of a pilot.

    mean     mean of the first treatment
    sd       standard deviation between people or, for a measure of groups, between groups
    icc      share of the variance that is between groups, at least 0
    people   the average number of values per group
    high     largest plausible standard deviation given this number of groups: the upper end of a
             one-sided 80 % interval (Browne 1995, Statistics in Medicine 14(17))
    """

    measure: str
    mean: float
    sd: float
    icc: float
    people: float
    groups: int
    high: float

    def __str__(self) -> str:
        composition = (
            f"icc {self.icc:.2f}, {self.people:.3g} people per group"
            if self.people > 1
            else ("of groups")
        )
        return (
            f"Pilot of {counted(self.groups, 'group')}: {self.measure}, mean {self.mean:.4g}, "
            f"sd {self.sd:.4g} ({composition}); with so few groups, the sd may be as large as "
            f"{self.high:.4g}."
        )


def piloted(data: Data, measure: str) -> Pilot:
    """Return how much a measure varies between people, or else between groups, within treatments.

    Raises UnknownName for an unknown measure, ConfigError if its values are words, NoTest if no
    treatment has two groups or nothing varies.
    """
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
    return _spread(frame, measure)


def _spread(frame: pd.DataFrame, measure: str) -> Pilot:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PooledWarning)  # the dependence itself is estimated here
        values = units(frame, measure, unit="person" if "seat" in frame else "group")
    groups = units(frame, measure)
    samples = [values.sample(name) for name in values.treatments]
    freedom = len(groups.frame) - len(values.treatments)
    if freedom < 1:
        raise NoTest(f"{measure}: no treatment of the pilot has two groups with a value")
    if all(alike(sample) for sample in samples):
        raise NoTest(f"{measure}: is constant within each treatment of the pilot")
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
