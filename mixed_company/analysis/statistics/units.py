"""The input of every test: one number per unit of independence."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from mixed_company.analysis.statistics.result import NoTest, chosen
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest, short
from mixed_company.engine.contract.space import Array
from mixed_company.experiment.comparisons import counted

UNITS = ("group", "session", "person", "decision")
GROUP = ["session", "group"]
_NAMED = 5
"""Maximum number of left-out units that are listed by name. Any others are only counted."""


class PooledWarning(UserWarning):
    """A warning that dependent values are treated as independent."""


@dataclass(frozen=True)
class Units:
    """One number per unit and treatment.

    frame        one row per value: `session`, `group`, `seat` or `participant` (if the unit has
                 them), `treatment`, `value`
    measure      name of the values
    unit         group, session, person or decision
    treatments   treatments in order, including those without values
    left_out     sentences about data that are left out, with reasons
    notes        caveats for tests of these units
    """

    frame: pd.DataFrame
    measure: str
    unit: str
    treatments: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def keys(self) -> list[str]:
        """Columns that identify a unit."""
        return [name for name in self.frame.columns if name not in ("treatment", "value")]

    @property
    def values(self) -> Array:
        """The values of all treatments."""
        return self.frame["value"].to_numpy(dtype=float)

    def named(self, treatments: Sequence[str] | None) -> list[str]:
        """Return the treatments to compare: `treatments` without duplicates, or all if None. Raises
        UnknownName; NoTest if there are fewer than two."""
        names = [chosen("treatment", name, self.treatments) for name in treatments or ()]
        names = list(dict.fromkeys(names)) if treatments is not None else list(self.treatments)
        if len(names) < 2:
            subject = f"there is only {names[0]!r}" if names else "there are no treatments"
            raise NoTest(f"{self.measure}: {subject}; a comparison needs two treatments")
        return names

    def sample(self, treatment: str) -> Array:
        """Return the values of one treatment."""
        flags = self.frame["treatment"].to_numpy(dtype=object) == treatment
        return np.asarray(self.values[flags])


def units(frame: pd.DataFrame, value: str, *, unit: str = "group", by: str = "treatment") -> Units:
    """Return the measure in the `value` column, as one number per unit.

    unit   `group`: the mean over its seats of each seat's mean over its rows, so seats count
           equally regardless of their number of periods. If the frame has neither `seat` nor
           `participant`, the mean over the rows. `session`: the mean over its groups, for sessions
           in which people meet other groups. `person`: a seat's mean over its rows. `decision`:
           every row. The values for persons and decisions are not independent and cause a
           PooledWarning
    by     column with the treatments, or with the phases of a comparison within groups; its order
           is that of its categories or, if it has none, of first appearance

    All rows are used, so to analyse people, pass only their rows. Rows without a value, a treatment
    or a group are left out; the result counts and names them. Raises UnknownName for an unknown
    column or unit, ConfigError if values are not numbers.
    """
    chosen("unit", unit, UNITS)
    for name in [*GROUP, by, value]:
        if name not in frame.columns:
            columns = [str(column) for column in frame.columns]
            raise UnknownName(f"column {short(name)}: not in the frame{nearest(name, columns)}")
    keys_of(frame, unit)
    rows = frame[[*GROUP, *person_column(frame)]].copy()
    rows["treatment"] = frame[by].astype(object)
    rows["value"] = numbers(frame, value)
    rows, names, left_out = _complete(rows, frame[by], value, by)
    aggregate = _aggregated(rows, unit)
    notes: tuple[str, ...] = ()
    if unit in ("person", "decision"):
        notes = pooled(value, aggregate, unit)
    return Units(aggregate, value, unit, names, left_out, notes)


def keys_of(frame: pd.DataFrame, unit: str) -> list[str]:
    """Return the columns that identify a session, group or person. Raises ConfigError."""
    if unit == "session":
        return ["session"]
    seat = person_column(frame) if unit == "person" else []
    if unit == "person" and not seat:
        raise ConfigError("unit = 'person': the frame has neither seat nor participant")
    return [*GROUP, *seat]


def person_column(frame: pd.DataFrame) -> list[str]:
    """Return the column that identifies a person in a group, if the frame has one. Seats do not
    identify people in groups that exchange people (`Data.by_unit`), but codes do."""
    names = [name for name in ("participant", "seat") if name in frame.columns]
    return [name for name in names if name == names[-1] or usable(frame[name]).all()][:1]


def numbers(frame: pd.DataFrame, value: str) -> pd.Series[float]:
    """Return a column as floats, NaN if missing. Raises ConfigError."""
    values = frame[value]
    if values.dtype != "float64":
        try:
            values = pd.to_numeric(values).astype("Float64").astype("float64")
        except (TypeError, ValueError):
            raise ConfigError(f"column {value!r}: contains values that are not numbers") from None
    if np.isinf(values.to_numpy()).any():
        raise ConfigError(f"column {value!r}: contains a number that is not finite")
    return values


def grouped(rows: pd.DataFrame) -> pd.Series[int]:
    """Return the number of every row's group, -1 if it has none."""
    in_group = usable(rows["session"]) & usable(rows["group"])
    codes = pd.Series(-1, index=rows.index)
    codes[in_group] = rows[in_group].groupby(GROUP, sort=False).ngroup()
    return codes


def usable(values: pd.Series[Any]) -> pd.Series[bool]:
    """Return flags of the values that are neither missing nor empty strings."""
    present = values.notna()
    return present if values.dtype.kind in "iuf" else present & (values.astype(object) != "")


def _complete(
    rows: pd.DataFrame, order: pd.Series[Any], value: str, by: str
) -> tuple[pd.DataFrame, tuple[str, ...], tuple[str, ...]]:
    """Return the complete rows, the treatments in order, and sentences about left-out rows."""
    left_out = []
    for columns, phrase in ((GROUP, "have no group"), (["treatment"], f"have no {by}")):
        complete = np.logical_and.reduce([usable(rows[column]).to_numpy() for column in columns])
        if not complete.all():
            left_out.append(f"{int((~complete).sum())} of {counted(len(rows), 'row')} {phrase}")
            rows = rows[complete]
    present = set(rows["treatment"])
    ordered = list(order.cat.categories) if isinstance(order.dtype, pd.CategoricalDtype) else order
    names = tuple(str(treatment) for treatment in dict.fromkeys(ordered) if treatment in present)
    rows = rows.assign(treatment=rows["treatment"].map(str))
    missing = rows["value"].isna()
    if missing.any():
        sentence = f"{int(missing.sum())} of {counted(len(rows), 'row')} have no {value}"
        groups_before = rows[GROUP].drop_duplicates()
        rows = rows[~missing]
        empty_groups = pd.MultiIndex.from_frame(groups_before).difference(
            pd.MultiIndex.from_frame(rows[GROUP])
        )
        left_out.append(
            f"{sentence}, all of {these(empty_groups)}" if len(empty_groups) else sentence
        )
    return rows, names, tuple(left_out)


def these(keys: Iterable[tuple[Any, ...]]) -> str:
    """List groups or sessions by name; only the first ones if there are many.

    >>> these([("s", 0), ("s", 3)])
    'group 0 of s, group 3 of s'
    """
    names = [
        f"group {key[1]} of {key[0]}" if len(key) > 1 else f"session {key[0]}"
        for key in (tuple(key) for key in keys)
    ]
    suffix = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + suffix


def _aggregated(rows: pd.DataFrame, unit: str) -> pd.DataFrame:
    """Average rows by person, then by group, then by session, up to the unit."""
    if unit == "decision":
        return rows.reset_index(drop=True)
    keys = [[*GROUP, *person_column(rows)], GROUP, ["session"]]
    first = 0 if person_column(rows) else 1  # without seats, people have the same keys as groups
    for key in keys[first : 1 + ("person", "group", "session").index(unit)]:
        rows = _averaged(rows, [*key, "treatment"])
    return rows


def _averaged(rows: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return one row per key, with the mean of its values."""
    if rows[keys].isna().to_numpy().any() or rows.duplicated(keys).any():
        return rows.groupby(keys, sort=False)["value"].mean().reset_index()
    single = rows[[*keys, "value"]].reset_index(drop=True)
    return single.assign(value=single["value"] + 0.0)  # a mean is never -0.0


def pooled(measure: str, rows: pd.DataFrame, unit: str, depth: int = 3) -> tuple[str, ...]:
    """Warn that the rows, each with session, group, treatment and value, are not independent.

    `depth` is the stack level of the warned caller.
    """
    groups = rows[GROUP].drop_duplicates()
    if len(groups) == len(rows):
        return ()
    sentence = (
        f"{measure}: {counted(len(rows), unit)} of {counted(len(groups), 'group')} are not "
        "independent, because people who play together influence each other; p values are too "
        "small and intervals too narrow"
    )
    shared = intraclass(rows)
    if shared is not None:
        effective = len(rows) / (1 + (len(rows) / len(groups) - 1) * max(shared, 0.0))
        sentence += (
            f" (intraclass correlation {shared:.2f}: they count as much as {effective:.0f} "
            "independent ones)"
        )
    warnings.warn(f"{sentence}. Use unit='group' for a valid test", PooledWarning, stacklevel=depth)
    return (sentence,)


def intraclass(rows: pd.DataFrame) -> float | None:
    """Return the intraclass correlation of values in a group, within treatments.

    (MSB - MSW) / (MSB + (m - 1) MSW) with the mean squares between and within groups and m = (N -
    sum over treatments of sum n_g^2 / n_t) / (G - T), the analysis-of-variance estimate (Donner
    1986, International Statistical Review 54(1)). N values count as much as N / (1 + (N / G - 1)
    ICC) independent ones (Kish 1965, Survey Sampling, section 5.4). None if the values do not
    determine it.
    """
    cells = rows.groupby([*GROUP, "treatment"])["value"]
    sizes, centres = cells.size(), cells.mean()
    of_treatment = rows.groupby("treatment")["value"]
    between = len(sizes) - of_treatment.ngroups
    within = len(rows) - len(sizes)
    if between < 1 or within < 1:
        return None
    names = sizes.index.get_level_values("treatment")
    overall = of_treatment.mean().reindex(names).to_numpy()
    in_treatment = of_treatment.size().reindex(names).to_numpy()
    n, mean = sizes.to_numpy(dtype=float), centres.to_numpy()
    msb = float((n * (mean - overall) ** 2).sum() / between)
    msw = float(((rows["value"] - cells.transform("mean")) ** 2).sum() / within)
    m = float((n.sum() - (n**2 / in_treatment).sum()) / between)
    total = msb + (m - 1) * msw
    return (msb - msw) / total if total > 0 and math.isfinite(total) else None
