"""Design matrices for regressions, and the rows that a formula can use."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import patsy

from mixed_company.analysis.statistics.result import NoTest
from mixed_company.analysis.statistics.units import GROUP, grouped
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest, short
from mixed_company.experiment.comparisons import counted

_ROUNDING = 1e-12


@dataclass(frozen=True)
class Design:
    """The rows that a formula can use, and its matrices."""

    formula: str
    rows: pd.DataFrame
    y: pd.Series[float]
    x: pd.DataFrame
    left_out: tuple[str, ...]

    @property
    def groups(self) -> int:
        """The number of groups in the rows."""
        return int(grouped(self.rows).nunique())

    def check_rest(self) -> None:
        """Raise NoTest if the columns explain the outcome exactly."""
        x, y = self.x.to_numpy(), self.y.to_numpy()
        rest = y - x @ np.linalg.lstsq(x, y, rcond=None)[0]
        if np.abs(rest).max() <= _ROUNDING * np.abs(y).max():
            raise NoTest(
                f"{self.formula}: the columns explain the outcome exactly, so nothing can be tested"
            )


def design_of(frame: pd.DataFrame, formula: str) -> Design:
    """Return the rows and matrices of a formula.

    Strings are ordered by appearance, so the first treatment is the reference, as in `compare`.
    Raises UnknownName for an unknown column, ConfigError for an invalid formula, and NoTest if the
    rows do not identify the coefficients or have too few groups.
    """
    for name in GROUP:
        if name not in frame.columns:
            columns = [str(column) for column in frame.columns]
            raise UnknownName(f"column {short(name)}: not in the frame{nearest(name, columns)}")
    rows = frame.reset_index(drop=True)
    rows = rows.assign(**{name: rows[name].astype("Float64").astype(float) for name in _real(rows)})
    rows = rows.assign(**{name: _in_order(rows[name]) for name in _texts(formula, rows)})
    left_out = []
    in_group = grouped(rows) >= 0
    if not in_group.all():
        left_out.append(f"{int((~in_group).sum())} of {counted(len(rows), 'row')} have no group")
        rows = rows[in_group]
    y, x = _matrices(formula, rows)
    if len(y) < len(rows):
        left_out.append(
            f"{len(rows) - len(y)} of {counted(len(rows), 'row')} lack a value that "
            f"{formula!r} needs"
        )
        rows = rows.loc[x.index]
    names = x.columns.tolist()
    if np.linalg.matrix_rank(x.to_numpy()) < len(names):
        raise NoTest(
            f"{formula}: the coefficients are not identified ({', '.join(names)}), because one "
            "column follows from the others"
        )
    for name, count in sizes(formula, rows, grouped(rows)).items():
        if count < 2:
            subject = formula if name == "all" else f"{formula}: treatment {name!r}"
            raise NoTest(
                f"{subject} has {counted(count, 'group')}; at least 2 groups per treatment are "
                "needed, because one group does not show how much groups vary"
            )
    return Design(formula, rows, y, x, tuple(left_out))


def _real(rows: pd.DataFrame) -> list[str]:
    """Return the names of columns with flags or nullable numbers, because formulas would treat
    these as categories."""
    is_flag, is_number = pd.api.types.is_bool_dtype, pd.api.types.is_numeric_dtype
    is_extension = pd.api.types.is_extension_array_dtype
    return [
        str(name)
        for name in rows.columns.difference(GROUP)
        if is_flag(rows[name]) or (is_extension(rows[name]) and is_number(rows[name]))
    ]


def _texts(formula: str, rows: pd.DataFrame) -> list[str]:
    """Return the names of the formula's columns that contain strings or categories."""
    named = [str(name) for name in rows.columns if str(name) in re.findall(r"\w+", formula)]
    return [
        name
        for name in named
        if isinstance(rows[name].dtype, pd.CategoricalDtype)
        or pd.api.types.infer_dtype(rows[name]) == "string"
    ]


def _in_order(texts: pd.Series[str]) -> pd.Series[Any]:
    """Return strings as categories in order of appearance, and categories in their given order."""
    if isinstance(texts.dtype, pd.CategoricalDtype):
        return texts.cat.remove_unused_categories()
    return texts.astype(pd.CategoricalDtype(list(dict.fromkeys(texts.dropna()))))


def _matrices(formula: str, rows: pd.DataFrame) -> tuple[pd.Series[float], pd.DataFrame]:
    try:
        y, x = patsy.dmatrices(
            formula, rows, eval_env=patsy.EvalEnvironment([]), return_type="dataframe"
        )
    except patsy.PatsyError as error:
        first = str(error).splitlines()[0]
        name = re.search(r"name '(\w+)' is not defined", first)
        if name:
            columns = [str(column) for column in rows.columns]
            raise UnknownName(
                f"{formula}: column {name[1]!r}: not in the frame{nearest(name[1], columns)}"
            ) from None
        raise ConfigError(f"{formula}: {first}") from None
    if y.shape[1] != 1:
        raise ConfigError(f"{formula}: the left side of ~ is not a single numeric column")
    return y.iloc[:, 0], x


def sizes(formula: str, rows: pd.DataFrame, units: pd.Series[Any]) -> dict[str, int]:
    """Return the number of units per treatment if the formula includes the treatment; otherwise the
    number of all units."""
    if "treatment" not in re.findall(r"\w+", formula):
        return {"all": int(units.nunique())}
    by = units.groupby(rows["treatment"].astype(object).map(str), sort=False)
    return {str(name): int(count) for name, count in by.nunique().items()}
