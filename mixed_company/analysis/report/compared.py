"""Treatments compared: one test per measure, every two of several, trends, and their sessions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from mixed_company.analysis import statistics
from mixed_company.analysis.report.measured import Measured
from mixed_company.analysis.rounding import TINY, size

__all__ = ["alone", "compared", "hopeless", "pairs", "sessions", "trends"]

SEED = 0
"""Of arrangements that are drawn: the same export gives the same p values."""


def compared(measured: Measured) -> pd.DataFrame:
    """What `statistics.compare_all` says of every measure, one row each.

    family   `main`, the measures to look at first; `group`, all others of groups; `person`, those
             of people, of which a group's number is the mean over its people
    P values are corrected over the measures of a family that are tested. Not tested are a measure
    that is the same in all groups, counts and descriptions, and what is an earlier measure on
    another scale: `notes` says which. A measure without any value has no row.

    groups        how many have a value, by treatment in their order
    effect_name   what the effect is, and its direction
    """
    parts = []
    before: dict[str, list[str]] = {}
    units = measured.units()
    for family, level, frame, names in measured.families:
        if names:
            untested = _untested(measured, level, frame, before.setdefault(level, []), names)
            table = statistics.compare_all(frame, names, untested=untested, seed=SEED)
            table.insert(1, "unit", [units[level, name] for name in table["measure"]])
            of = [
                [row.get(f"n {name}", 0) for name in measured.data.treatments]
                for row in table.to_dict("records")
            ]
            table.insert(2, "groups", [", ".join(map(str, own)) for own in of])
            table.insert(0, "family", family)
            table.insert(1, "level", level)
            parts.append(table)
    columns = ["family", "level", "measure"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def _untested(
    measured: Measured, level: str, frame: pd.DataFrame, before: list[str], names: Sequence[str]
) -> dict[str, str]:
    """Which of these are not tested, and why. `before`: what is tested already; it grows."""
    own = measured.described[measured.described["level"] == level].set_index("measure")
    same = _kin({str(name): str(others).split(",") for name, others in own["same_as"].items()})
    reasons = {}
    originals_first = sorted(names, key=lambda name: bool(own.loc[name, "same_as"]))
    for name in originals_first:
        near = [earlier for earlier in before if earlier in same[name]]
        repeated = next((earlier for earlier in near if _rescaled(frame[name], frame[earlier])), "")
        if own.loc[name, "untested"]:
            reasons[name] = str(own.loc[name, "untested"])
        elif repeated:
            reasons[name] = f"it repeats {repeated} on another scale"
        else:
            before.append(name)
    return reasons


def _kin(same: Mapping[str, Sequence[str]]) -> dict[str, set[str]]:
    """All measures that a measure may repeat, also by way of others."""
    kin = {
        name: {name, *(other for other in others if other in same)} for name, others in same.items()
    }
    for name in kin:
        together = set[str]().union(*(own for own in kin.values() if own & kin[name]))
        for member in together:
            kin[member] = together
    return kin


def _rescaled(one: pd.Series[float], other: pd.Series[float]) -> bool:
    """Is one a line of the other, with values in the same rows?"""
    if not (one.isna() == other.isna()).all():
        return False
    x, y = (column.dropna().to_numpy(dtype=float) for column in (other, one))
    if len(x) < 3 or np.ptp(x) == 0:
        return False
    slope = (y[np.argmax(x)] - y[np.argmin(x)]) / np.ptp(x)
    left = y - y[np.argmin(x)] - slope * (x - x.min())
    return bool(slope and np.abs(left).max() <= TINY * size(y))


def pairs(measured: Measured) -> pd.DataFrame:
    """Every two treatments by every main measure, where there are three treatments or more.

    P values are corrected over all rows.
    """
    _, _, frame, names = measured.families[0]
    several = len(measured.data.treatments) > 2
    table = statistics.pairwise_all(frame, names if several else [], seed=SEED)
    return table


def trends(measured: Measured) -> pd.DataFrame:
    """The trend of every main measure over three treatments or more, in their order."""
    _, _, frame, names = measured.families[0]
    several = len(measured.data.treatments) > 2
    columns = ["measure", "effect_name"]
    if not several or not names:
        return pd.DataFrame(columns=columns)
    table = statistics.compare_all(frame, names, "jonckheere", seed=SEED)
    every = ("n ", "mean ", "low ", "high ")
    return table[[name for name in table if not str(name).startswith(every)]]


def sessions(measured: Measured) -> pd.DataFrame:
    """One row per treatment and session: how many groups, and how the main measures came out.

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
    """The treatments that had one session only, by the table of sessions."""
    counts = sessions.groupby("treatment", observed=True)["session"].size()
    return [str(name) for name, count in counts.items() if count == 1]


def hopeless(tests: pd.DataFrame, alpha: float = 0.05) -> float | None:
    """The smallest corrected p that any values could give in a family of tests, if that is above
    alpha; None: there are no tests, or one can be significant."""
    least = [value for value in tests.get("least_p_corrected", []) if not pd.isna(value)]
    return min(least) if least and min(least) > alpha else None
