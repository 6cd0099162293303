"""Straight lines fitted by least squares, and trends of decisions over the periods of a play.

lines(frame, by)      slope, intercept, r, r2, n and p of y on x, with one line per key
residuals(...)        a column minus the part explained by another column
first, last, slope    start, end and trend of decisions. For a group, a period's value is the mean
                      over its seats
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy.special import stdtr

from mixed_company.analysis.measures.plays import Plays, Values
from mixed_company.analysis.rounding import TINY
from mixed_company.engine.contract.space import Array


def lines(frame: pd.DataFrame, by: list[str], x: str = "x", y: str = "y") -> pd.DataFrame:
    """Fit a line of y on x for every key; rows without x or y are left out.

    slope, intercept   NaN if x does not vary
    r, r2              correlation and its square; NaN if x or y does not vary
    n                  rows
    p                  two-sided p value of the slope, from t with n - 2 degrees of freedom, as if
                       the rows were independent. NaN if r is NaN or there are fewer than 3 rows
    """
    rows = frame.dropna(subset=[x, y, *by])
    grouped = rows.groupby(by)
    means, codes = grouped[[x, y]].mean(), grouped.ngroup().to_numpy()
    mean_x, mean_y = (means[name].to_numpy() for name in (x, y))
    dx, dy = rows[x].to_numpy() - mean_x[codes], rows[y].to_numpy() - mean_y[codes]
    sums = pd.DataFrame({"xx": dx * dx, "yy": dy * dy, "xy": dx * dy}).groupby(codes).sum()
    squares_x, squares_y, xy = (sums[name].to_numpy() for name in ("xx", "yy", "xy"))
    n = np.bincount(codes, minlength=len(means)).astype(float)
    xx = np.where(varies(squares_x, n, mean_x), squares_x, np.nan)
    yy = np.where(varies(squares_y, n, mean_y), squares_y, np.nan)
    slope = np.where(np.isnan(yy) & ~np.isnan(xx), 0.0, xy / xx)
    r = np.clip(xy / np.sqrt(xx * yy), -1.0, 1.0)
    return pd.DataFrame(
        {
            "slope": slope,
            "intercept": mean_y - slope * mean_x,
            "r": r,
            "r2": r * r,
            "n": n,
            "p": p_value(r, n - 2),
        },
        index=means.index,
    )


def p_value(r: Array, freedom: Array) -> Array:
    """Return the two-sided p of a correlation with this many degrees of freedom; NaN if there are
    none."""
    left = np.maximum(1.0 - r * r, 0.0)
    with np.errstate(divide="ignore"):
        t = np.abs(r) * np.sqrt(np.where(freedom > 0, freedom, np.nan) / left)
    return np.asarray(2.0 * stdtr(freedom, -t))


def varies(squares: Array, n: Array, mean: Array) -> Array:
    """Return whether a sum of squared deviations is larger than a rounding error."""
    return np.asarray(squares > n * (TINY * np.maximum(1.0, np.abs(mean))) ** 2)


def residuals(frame: pd.DataFrame, by: list[str], on: str, of: str) -> pd.Series[Any]:
    """Return `of` minus its fitted line on `on`, key by key; minus its mean if `on` does not
    vary."""
    fits = lines(frame, by, x=on, y=of)
    slope = fits["slope"].fillna(0.0)
    grouped = frame.groupby(by)
    keys = pd.MultiIndex.from_frame(frame[by])
    slopes = pd.Series(slope.reindex(keys).to_numpy(), index=frame.index)
    centred, explaining = (frame[name] - grouped[name].transform("mean") for name in (of, on))
    return centred - slopes * explaining


def first(plays: Plays, values: Values[float], by: list[str]) -> Values[float]:
    """Return the mean in the first period with a decision that counts."""
    return _mean_at(plays, values, by, "min")


def last(plays: Plays, values: Values[float], by: list[str]) -> Values[float]:
    """Return the mean in the last period with a decision that counts."""
    return _mean_at(plays, values, by, "max")


def slope(plays: Plays, values: Values[float], by: list[str]) -> Values[float]:
    """Return the change per period, by least squares through the period means."""
    means = plays.mean_where(values, plays.counted(by), [*by, "period"])
    return lines(means.rename("y").reset_index(), by, x="period")["slope"]


def _mean_at(
    plays: Plays, values: Values[float], by: list[str], end: Literal["min", "max"]
) -> Values[float]:
    where = plays.counted(by)
    periods = plays.decisions["period"].where(where)
    at_end = periods.groupby(plays.coded(by)[0]).transform(end)
    return plays.mean_where(values, where & (periods == at_end), by)
