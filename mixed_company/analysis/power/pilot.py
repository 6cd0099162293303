"""What a pilot's export says about the spread of a measure."""

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

__all__ = ["Pilot", "piloted"]


@dataclass(frozen=True)
class Pilot:
    """What was seen within treatments.

    mean     of the first treatment
    sd       of people; of groups, where the measure is of groups
    icc      share of the variance between groups; 0 where it would be below
    people   values per group, on average
    high     the standard deviation that as few groups as these may still have come from: upper end
             of a one-sided interval of 80 % (Browne 1995, Statistics in Medicine 14(17))
    """

    measure: str
    mean: float
    sd: float
    icc: float
    people: float
    groups: int
    high: float

    def __str__(self) -> str:
        of = (
            f"icc {self.icc:.2f}, {self.people:.3g} people per group"
            if self.people > 1
            else ("of groups")
        )
        return (
            f"Pilot of {counted(self.groups, 'group')}: {self.measure}, mean {self.mean:.4g}, "
            f"sd {self.sd:.4g} ({of}); as few may come from an sd of {self.high:.4g}."
        )


def piloted(data: Data, measure: str) -> Pilot:
    """Return the spread of a measure of people, else of groups, within treatments.

    Raises UnknownName; NoTest where no treatment has two groups, or nothing varies.
    """
    frame = measures.people(data, [measure])
    if measure in frame:
        frame = frame[frame["person"].astype(bool)]
    else:
        frame = measures.groups(data, [measure])
    if measure not in frame:
        described = measures.described(data.game_id)
        known = described.loc[described["level"] != "period", "measure"]
        raise UnknownName(
            f"measure {short(measure)}: unknown in {data.game_id}{nearest(measure, known)}"
        )
    if frame[measure].dtype != "float64":
        raise ConfigError(f"measure {measure!r}: its values are words; power is of numbers")
    return _spread(frame, measure)


def _spread(frame: pd.DataFrame, measure: str) -> Pilot:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PooledWarning)  # it is what is asked here
        own = units(frame, measure, unit="person" if "seat" in frame else "group")
    groups = units(frame, measure)
    samples = [own.sample(name) for name in own.treatments]
    spare = len(groups.frame) - len(own.treatments)
    if spare < 1:
        raise NoTest(f"{measure}: no treatment of the pilot has two groups with a value")
    if all(alike(sample) for sample in samples):
        raise NoTest(f"{measure}: it is the same for all within each treatment of the pilot")
    sd = pooled_deviation(samples)
    return Pilot(
        measure,
        mean=float(samples[0].mean()),
        sd=sd,
        icc=min(max(intraclass(own.frame) or 0.0, 0.0), 1.0),
        people=len(own.frame) / len(groups.frame),
        groups=len(groups.frame[GROUP].drop_duplicates()),
        high=sd * math.sqrt(spare / stats.chi2.ppf(0.2, spare)),
    )
