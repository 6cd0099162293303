"""Treatments compared: tests, pairs and trends, the main measures by session, and precision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from mixed_company.analysis import statistics
from mixed_company.analysis.report.measured import TWINS, Measured
from mixed_company.analysis.rounding import TINY, alike, size
from mixed_company.analysis.statistics import NoTest, Result
from mixed_company.engine.contract.errors import ConfigError

__all__ = [
    "alone",
    "by_session",
    "compared",
    "hopeless",
    "pairs",
    "precision",
    "sessions",
    "trends",
]

SEED = 0
"""Of arrangements that are drawn: the same export gives the same p values."""


def compared(measured: Measured) -> pd.DataFrame:
    """Return what `statistics.compare_all` says of every measure, one row each.

    family   `main`, the measures to look at first; `group`, all others of groups; `person`, those
             of people, of which a group's number is the mean over its people
    P values are corrected over the measures of a family that are tested. Not tested are a measure
    that is the same in all groups, counts and descriptions, and what is an earlier measure on
    another scale: `notes` says which. A measure without any value has no row.

    groups        how many have a value, by treatment in their order
    effect_name   what the effect is, and its direction
    """
    parts = []
    tested: dict[str, list[str]] = {"group": [], "person": []}
    units = measured.units()
    for family, level, frame, names in measured.families:
        if names:
            untested = _untested(measured, level, frame, tested[level], names)
            table = statistics.compare_all(frame, names, untested=untested, seed=SEED)
            counts = table.reindex(columns=[f"n {name}" for name in measured.data.treatments])
            groups = counts.fillna(0).astype(int).astype(str).agg(", ".join, axis=1)
            table.insert(1, "unit", [units[level, name] for name in table["measure"]])
            table.insert(2, "groups", groups)
            table.insert(0, "family", family)
            table.insert(1, "level", level)
            parts.append(table)
    columns = ["family", "level", "measure"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def _untested(
    measured: Measured, level: str, frame: pd.DataFrame, tested: list[str], names: Sequence[str]
) -> dict[str, str]:
    """Return which of the measures are not tested, and why. The others are added to `tested`."""
    described = measured.described[measured.described["level"] == level].set_index("measure")
    same = described["same_as"]
    kin = _kin({str(name): str(others).split(",") for name, others in same.items()})
    reasons = {}
    for name in sorted(names, key=lambda name: bool(same[name])):  # originals first
        near = [earlier for earlier in tested if earlier in kin[name]]
        repeated = [earlier for earlier in near if _rescaled(frame[name], frame[earlier])]
        if described.loc[name, "untested"]:
            reasons[name] = str(described.loc[name, "untested"])
        elif repeated:
            reasons[name] = f"it repeats {repeated[0]} on another scale"
        else:
            tested.append(name)
    return reasons


def _kin(same: Mapping[str, Sequence[str]]) -> dict[str, set[str]]:
    """Return all measures that a measure may repeat, also by way of others."""
    kin = {name: {name, *others} & {*same} for name, others in same.items()}
    for name in kin:
        together = set[str]().union(*(members for members in kin.values() if members & kin[name]))
        for member in together:
            kin[member] = together
    return kin


def _rescaled(first: pd.Series[float], second: pd.Series[float]) -> bool:
    """Return whether one is a line of the other, with values in the same rows."""
    if not (first.isna() == second.isna()).all():
        return False
    x, y = (column.dropna().to_numpy(dtype=float) for column in (second, first))
    if len(x) < 3 or np.ptp(x) == 0:
        return False
    slope = (y[np.argmax(x)] - y[np.argmin(x)]) / np.ptp(x)
    left = y - y[np.argmin(x)] - slope * (x - x.min())
    return bool(slope and np.abs(left).max() <= TINY * size(y))


def pairs(measured: Measured) -> pd.DataFrame:
    """Compare every two of three treatments or more by every main measure.

    P values are corrected over all rows.
    """
    _, _, frame, names = measured.families[0]
    several = len(measured.data.treatments) > 2
    return statistics.pairwise_all(frame, names if several else [], seed=SEED)


def trends(measured: Measured) -> pd.DataFrame:
    """Return the trend of every main measure over three treatments or more, in their order."""
    _, _, frame, names = measured.families[0]
    if len(measured.data.treatments) < 3 or not names:
        return pd.DataFrame(columns=["measure", "effect_name"])
    table = statistics.compare_all(frame, names, "jonckheere", seed=SEED)
    by_treatment = ("n ", "mean ", "low ", "high ")
    return table[[name for name in table if not str(name).startswith(by_treatment)]]


def hopeless(tests: pd.DataFrame, alpha: float = 0.05) -> float | None:
    """Return the smallest corrected p that any values could give in a family of tests.

    None: it is at most alpha, or there are no tests.
    """
    least = [value for value in tests.get("least_p_corrected", []) if not pd.isna(value)]
    return min(least) if least and min(least) > alpha else None


# -- with sessions in mind -------------------------------------------------------------------------


def sessions(measured: Measured) -> pd.DataFrame:
    """Return groups and means of the main measures, one row per treatment and session.

    What sets sessions apart (the day, the room, who came) is in their groups alike. Where a
    treatment had one session only, nothing can tell it from the treatment.
    """
    _, _, frame, names = measured.families[0]
    keys = ["treatment", "session"]
    groups = measured.data.groups.groupby(keys, observed=True, sort=False)["group"].nunique()
    table = groups.rename("groups").to_frame()
    for name in names:
        means = frame.groupby([*keys, "group"], observed=True)[name].mean()
        table[name] = means.groupby(keys, observed=True).mean()
    table = table.reset_index()
    return table.sort_values("treatment", kind="stable", ignore_index=True)


def alone(sessions: pd.DataFrame) -> list[str]:
    """Return the treatments that had one session only, by the table of sessions."""
    counts = sessions.groupby("treatment", observed=True)["session"].size()
    return [str(name) for name, count in counts.items() if count == 1]


_TESTED = ("test", "effect_name", "effect", "low", "high", "p", "p_corrected", "correction")


def by_session(measured: Measured) -> pd.DataFrame:
    """Test main measures of two treatments with sessions in mind, one row per measure and way.

    within sessions     where sessions had groups of both: groups are permuted within theirs alone
    sessions as units   where each session had one treatment: the mean over its groups counts once

    P values are corrected over the measures of a way. `notes` says why there is no test.
    """
    _, _, frame, names = measured.families[0]
    groups = measured.data.groups
    several = groups.groupby("treatment", observed=True)["session"].nunique() > 1
    rows: list[dict[str, Any]] = []
    if len(measured.data.treatments) == 2 and several.any():
        tested = [name for name in names if not alike(statistics.units(frame, name).values)]
        rows += _ways("within sessions", statistics.stratified, "group", frame, tested)
        rows += _ways("sessions as units", statistics.compare, "session", frame, tested)
    return pd.DataFrame(rows, columns=["way", "measure", "n", *_TESTED, "notes"])


def _ways(
    way: str, test: Any, unit: str, frame: pd.DataFrame, names: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Yield a row per measure; none where no measure can be tested in this way."""
    results: dict[str, Result] = {}
    refusals: dict[str, str] = {}
    for name in names:
        try:
            results[name] = test(statistics.units(frame, name, unit=unit), seed=SEED)
        except (NoTest, ConfigError) as refusal:
            refusals[name] = f"not tested: {refusal}"
    results = dict(zip(results, statistics.corrected(list(results.values())), strict=True))
    for name in names if results else ():
        row = {"way": way, "measure": name, "notes": refusals.get(name)}
        if name in results:
            result = results[name]
            row["n"] = ", ".join(f"{treatment} {count}" for treatment, count in result.n.items())
            row["notes"] = "; ".join((*result.left_out, *result.notes))
            row |= {key: getattr(result, key) for key in _TESTED}
        yield row


# -- how much so many groups could tell ------------------------------------------------------------


def precision(measured: Measured) -> pd.DataFrame:
    """Return how much the groups could tell of the main measures, one row each.

    deviation          the standard deviation of groups within their treatments
    reached            the difference of two treatments that would have been found in four of five
                       such experiments, by a t test at 0.05; none for other numbers of treatments
    reached_corrected  the same where every measure of the family has its share of 0.05
    icc_sessions       intraclass correlation of groups in sessions: none where sessions had one
                       group each, or treatments one session each
    icc_people         of people in groups, where there is such a measure of people
    """
    _, _, frame, names = measured.families[0]
    of_groups = {name: statistics.units(frame, name) for name in names}
    tested = sum(not alike(units.values) for units in of_groups.values())
    rows = []
    for name, units in of_groups.items():
        samples = [units.sample(treatment) for treatment in units.treatments]
        shares = (0.05, 0.05 / max(tested, 1))
        reached = [
            statistics.reached(samples, alpha=share) if len(samples) == 2 else np.nan
            for share in shares
        ]
        rows.append(
            {
                "measure": name,
                "deviation": statistics.pooled_deviation(samples),
                "reached": reached[0],
                "reached_corrected": reached[1],
                "icc_sessions": statistics.intraclass(units.frame.assign(group=0)),
                "icc_people": _of_people(measured, name),
            }
        )
    columns = ["measure", "deviation", "reached", "reached_corrected", "icc_sessions", "icc_people"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(columns[1:], float))


def _of_people(measured: Measured, name: str) -> float | None:
    """Return the intraclass correlation of people in their groups, of the measure's twin."""
    people = measured.only_people
    twin = TWINS.get(name, name)
    if twin not in measured.numbers("person", people):
        return None
    rows = people[["session", "group", "treatment"]].assign(value=people[twin])
    return statistics.intraclass(rows.dropna(subset=["value"]))
