"""Measures by treatment: means with intervals over groups, tests, and the course over periods.

Every number comes from `analysis.measures` and `analysis.statistics`; what is here puts them into
tables, one row per thing to be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from analysis import games, measures, statistics
from analysis.data import Data
from engine.contract.errors import UnknownName, nearest

__all__ = [
    "Measured",
    "by_treatment",
    "codebook",
    "compared",
    "letters",
    "series",
    "types",
    "without_value",
]

SEED = 0
"""Of the bootstrap: the same export gives the same intervals."""


@dataclass(frozen=True)
class Measured:
    """The measures of an export, computed once.

    main   names of measures of groups that are compared first; empty: those that the game declares
    """

    data: Data
    main: Sequence[str] = ()

    @cached_property
    def described(self) -> pd.DataFrame:
        return measures.described(self.data.game_id)

    @cached_property
    def groups(self) -> pd.DataFrame:
        return measures.groups(self.data)

    @cached_property
    def people(self) -> pd.DataFrame:
        return measures.people(self.data)

    @cached_property
    def periods(self) -> pd.DataFrame:
        return measures.periods(self.data)

    def numbers(self, level: str, frame: pd.DataFrame) -> list[str]:
        """The measures of a level that are numbers and have one anywhere, in their order."""
        names = self.names(level)
        kinds = frame.dtypes
        return [name for name in names if kinds[name] == "float64" and frame[name].notna().any()]

    def words(self) -> list[str]:
        """The measures of people that are words: their types."""
        kinds = self.people.dtypes
        return [name for name in self.names("person") if kinds[name] != "float64"]

    @cached_property
    def families(self) -> list[tuple[str, str, pd.DataFrame, list[str]]]:
        """Which tests belong together: name, level, frame and measures. Raises UnknownName."""
        known, every = self.names("group"), self.numbers("group", self.groups)
        main = tuple(self.main) or games.find(self.data.game_id).main
        for name in main:
            if name not in known:
                raise UnknownName(f"measure {name!r}: there is none{nearest(name, known)}")
        only = self.people[self.people["person"].astype(bool)]
        return [
            ("main", "group", self.groups, [name for name in main if name in every]),
            ("group", "group", self.groups, [name for name in every if name not in main]),
            ("person", "person", only, self.numbers("person", only)),
        ]

    def units(self) -> dict[tuple[str, str], str]:
        """The unit of every measure, by level and name."""
        rows = self.described
        keys = zip(rows["level"], rows["measure"], strict=True)
        return dict(zip(keys, rows["unit"], strict=True))

    def names(self, level: str) -> list[str]:
        """All measures of a level."""
        return list(self.described.loc[self.described["level"] == level, "measure"])


def without_value(measured: Measured) -> pd.DataFrame:
    """The measures that have no value anywhere, and when that is so: they have no row and no test.

    One row per level and measure.
    """
    rows = []
    for level, frame in (
        ("group", measured.groups),
        ("person", measured.people),
        ("period", measured.periods),
    ):
        there = {*measured.numbers(level, frame), *(measured.words() if level == "person" else ())}
        own = measured.described[measured.described["level"] == level]
        rows += [
            {"level": level, "measure": row["measure"], "missing": row["missing"]}
            for row in own.to_dict("records")
            if row["measure"] not in there
        ]
    return pd.DataFrame(rows, columns=["level", "measure", "missing"])


def compared(measured: Measured) -> pd.DataFrame:
    """What `statistics.compare_all` says of every measure, one row each.

    family   `main`, the measures to look at first; `group`, all others of groups; `person`, those
             of people, of which a group's number is the mean over its people
    P values are corrected over the measures of a family that are tested. Not tested are a measure
    that is the same in all groups, counts and descriptions, and what is an earlier measure on
    another scale: `notes` says which. A measure without any value has no row.

    effect_of   what the effect is, and its direction by the letters of `letters`
    """
    parts = []
    before: dict[str, list[str]] = {}
    for family, level, frame, names in measured.families:
        if names:
            untested = _untested(measured, level, frame, before.setdefault(level, []), names)
            table = statistics.compare_all(frame, names, untested=untested, seed=SEED)
            long = list(letters(measured))
            effects = [_short(name, long, letters(measured)) for name in table["effect_name"]]
            table.insert(1, "effect_of", effects)
            table.insert(0, "family", family)
            table.insert(1, "level", level)
            parts.append(table)
    columns = ["family", "level", "measure"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def letters(measured: Measured) -> dict[str, str]:
    """A letter for every treatment, in order: A, B ... Z, A1, B1 ..."""
    names = dict.fromkeys(str(name) for name in measured.groups["treatment"])
    return {
        name: chr(ord("A") + place % 26) + (str(place // 26) if place > 25 else "")
        for place, name in enumerate(names)
    }


def _short(effect: str | None, names: Sequence[str], key: Mapping[str, str]) -> str | None:
    """The name of an effect of two treatments with their letters."""
    if not isinstance(effect, str) or len(names) != 2:
        return effect
    for between in (" - ", " over "):
        direction = between.join(reversed(names))
        effect = effect.replace(f"({direction})", f"({key[names[1]]}{between}{key[names[0]]})")
    return effect


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
    return bool(slope and np.abs(left).max() <= _ROUNDING * max(1.0, np.abs(y).max()))


_ROUNDING = 1e-9


def codebook(measured: Measured) -> pd.DataFrame:
    """One row per measure: what `measures.described` says, with all its levels in one row."""
    described = measured.described
    same = ["measure", "unit", "meaning", "formula", "missing", "source", "function"]
    rows = [
        {**dict(zip(same, key, strict=True)), "levels": ", ".join(own["level"])}
        for key, own in described.groupby(same, sort=False)
    ]
    return pd.DataFrame(rows, columns=["measure", "levels", *same[1:]])


def by_treatment(measured: Measured, compared: pd.DataFrame) -> pd.DataFrame:
    """One row per measure and treatment: groups, mean and its 95% bootstrap interval over groups.

    The numbers of `compared`, below each other.
    """
    units = measured.units()
    rows = [
        {
            **{name: row[name] for name in ("family", "level", "measure")},
            "unit": units[row["level"], row["measure"]],
            "treatment": treatment,
            "groups": row[f"n {treatment}"],
            **{name: row[f"{name} {treatment}"] for name in ("mean", "low", "high")},
        }
        for row in compared.to_dict("records")
        for treatment in dict.fromkeys(measured.data.groups["treatment"])
        if row.get(f"n {treatment}", 0) > 0
    ]
    columns = ["family", "level", "measure", "unit", "treatment", "groups", "mean", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def series(measured: Measured) -> pd.DataFrame:
    """The mean over groups of measures of periods, one row per measure, treatment and period.

    groups      that have a value in this period; those whose play was over have none
    low, high   95% bootstrap interval over groups, at each period by itself
    """
    names = games.find(measured.data.game_id).series
    wanted = [name for name in names if name in measured.numbers("period", measured.periods)]
    rows = [row for name in wanted for row in _course(measured, name)]
    columns = ["measure", "unit", "treatment", "period", "groups", "mean", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def _course(measured: Measured, name: str) -> Iterator[dict[str, Any]]:
    periods, unit = measured.periods, measured.units()["period", name]
    for period, own in periods[periods[name].notna()].groupby("period"):
        means = statistics.means(statistics.units(own, name), seed=SEED)
        for row in means.to_dict("records"):
            yield {
                "measure": name,
                "unit": unit,
                "treatment": row["treatment"],
                "period": period,
                "groups": row["n"],
                **{key: row[key] for key in ("mean", "low", "high")},
            }


def types(measured: Measured) -> pd.DataFrame:
    """How many people are of each type, one row per treatment, kind of type and type.

    share   of the people of the treatment that are of a type at all
    """
    rows = []
    for kind in measured.words():
        own = measured.people[measured.people["person"].astype(bool)]
        for treatment, some in own[own[kind] != ""].groupby("treatment", sort=False):
            counts = some[kind].value_counts().sort_index()
            rows += [
                {
                    "treatment": treatment,
                    "kind": kind,
                    "type": name,
                    "people": count,
                    "share": count / len(some),
                }
                for name, count in counts.items()
            ]
    return pd.DataFrame(rows, columns=["treatment", "kind", "type", "people", "share"])
