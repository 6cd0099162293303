"""Straight lines by least squares, and trends of decisions over the periods of a play.

lines(frame, by)      slope, intercept, r, r2, n and p of y on x, with one line per key
residuals(...)        a column without the part explained by another
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
    """Fit one line of y on x for every key; rows that lack either are left out.

    slope, intercept   NaN if x does not vary
    r, r2              correlation and its square; NaN if x or y does not vary
    n                  rows
    p                  p value of the slope, two-sided, by t with n - 2 degrees of freedom, as if
                       the rows were independent. NaN where r is NaN, and for fewer than 3 rows
    """
    rows = frame.dropna(subset=[x, y, *by])
    grouped = rows.groupby(by)
    means, codes = grouped[[x, y]].mean(), grouped.ngroup().to_numpy()
    dx, dy = (rows[name].to_numpy() - means[name].to_numpy()[codes] for name in (x, y))
    sums = pd.DataFrame({"xx": dx * dx, "yy": dy * dy, "xy": dx * dy}).groupby(codes).sum()
    sums.index = means.index
    n = grouped.size().astype("float64")
    xx = sums["xx"].where(varies(sums["xx"], n, means[x]))
    yy = sums["yy"].where(varies(sums["yy"], n, means[y]))
    slope = sums["xy"] / xx
    slope = slope.where(yy.notna() | slope.isna(), 0.0)
    r: pd.Series[float] = (sums["xy"] / np.sqrt(xx * yy)).clip(-1.0, 1.0)
    return pd.DataFrame(
        {
            "slope": slope,
            "intercept": means[y] - slope * means[x],
            "r": r,
            "r2": r * r,
            "n": n,
            "p": p_value(r, n - 2),
        }
    )


def p_value(r: pd.Series[float], freedom: pd.Series[float]) -> pd.Series[float]:
    """Return the two-sided p of a correlation with this many degrees of freedom; NaN if there are
    none."""
    left = np.maximum(1.0 - r * r, 0.0)
    with np.errstate(divide="ignore"):
        t = np.abs(r) * np.sqrt(freedom.where(freedom > 0) / left)
    return pd.Series(2.0 * stdtr(freedom, -t), index=r.index)


def varies(squares: pd.Series[float], n: pd.Series[float], mean: pd.Series[float]) -> Array:
    """Return whether a sum of squared deviations exceeds rounding errors."""
    return np.asarray(squares > n * (TINY * np.maximum(1.0, np.abs(mean))) ** 2)


def residuals(frame: pd.DataFrame, by: list[str], on: str, of: str) -> pd.Series[Any]:
    """Return `of` minus its line on `on`, key by key; minus its mean if `on` does not vary."""
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
    """Return the change per period, by least squares through the means of the periods."""
    means = plays.mean_where(values, plays.counted(by), [*by, "period"])
    return lines(means.rename("y").reset_index(), by, x="period")["slope"]


def _mean_at(
    plays: Plays, values: Values[float], by: list[str], end: Literal["min", "max"]
) -> Values[float]:
    where = plays.counted(by)
    periods = plays.decisions["period"].where(where)
    at_end = periods.groupby(plays.coded(by)[0]).transform(end)
    return plays.mean_where(values, where & (periods == at_end), by)
