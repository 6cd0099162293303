"""Straight lines by least squares, one for every key at once, and what is made of them.

lines(frame, by)      slope, intercept, r, r2, n and p of y on x
residuals(...)        what is left of a column once another one has explained its part
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.special import stdtr

from mixed_company.analysis.rounding import TINY
from mixed_company.engine.contract.space import Array

__all__ = ["lines", "p_value", "residuals", "varies"]


def lines(frame: pd.DataFrame, by: list[str], x: str = "x", y: str = "y") -> pd.DataFrame:
    """One line of y on x for every key; rows without both are left out.

    slope, intercept   NaN where x does not vary
    r, r2              correlation and its square; NaN where x or y does not vary
    n                  rows
    p                  of the slope, two-sided, t with n - 2 degrees of freedom: as if the rows were
                       independent. NaN where r is, and below 3 rows
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
    """Two-sided p of a correlation with so many degrees of freedom; NaN for none."""
    left = np.maximum(1.0 - r * r, 0.0)
    with np.errstate(divide="ignore"):
        t = np.abs(r) * np.sqrt(freedom.where(freedom > 0) / left)
    return pd.Series(2.0 * stdtr(freedom, -t), index=r.index)


def varies(squares: pd.Series[float], n: pd.Series[float], mean: pd.Series[float]) -> Array:
    """Is a sum of squared deviations more than rounding?"""
    return np.asarray(squares > n * (TINY * np.maximum(1.0, np.abs(mean))) ** 2)


def residuals(frame: pd.DataFrame, by: list[str], on: str, of: str) -> pd.Series[Any]:
    """`of` less its line on `on`, key by key; less its mean where `on` does not vary."""
    fits = lines(frame, by, x=on, y=of)
    slope = fits["slope"].fillna(0.0)
    grouped = frame.groupby(by)
    keys = pd.MultiIndex.from_frame(frame[by])
    own = pd.Series(slope.reindex(keys).to_numpy(), index=frame.index)
    centred, explaining = (frame[name] - grouped[name].transform("mean") for name in (of, on))
    return centred - own * explaining
