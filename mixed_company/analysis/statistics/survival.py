"""Survival curves and the log-rank test, for durations that may be censored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import norm
from statsmodels.duration.survfunc import SurvfuncRight, survdiff

from mixed_company.analysis.statistics.result import NoTest, check
from mixed_company.engine.contract.space import Array


def survival(
    durations: Array, ended: Array, treatments: Sequence[str], *, level: float = 0.95
) -> pd.DataFrame:
    """Return the share that survives, with one row per treatment and duration at which an event
    occurred.

    Kaplan and Meier (1958), Journal of the American Statistical Association 53(282).

    durations    observed duration of each unit
    ended        whether the unit ended then (1), or is censored (0)
    treatments   treatment of each unit; rows are in the order in which treatments first appear

    Columns: `treatment`, `duration`, `at_risk`, `ended`, `share`, and its interval `low`, `high`
    from Greenwood's variance of log(-log share). There is no interval at shares of 0 and 1.
    """
    check(level=level)
    names = np.asarray(treatments)
    rows = [
        row
        for name in dict.fromkeys(treatments)
        for row in _curve(name, durations[names == name], ended[names == name], level)
    ]
    columns = ["treatment", "duration", "at_risk", "ended", "share", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def _curve(name: str, durations: Array, ended: Array, level: float) -> Iterator[dict[str, Any]]:
    if not ended.any():
        return
    curve = SurvfuncRight(durations, ended)
    width = float(norm.ppf((1 + level) / 2))
    columns = (curve.surv_times, curve.n_risk, curve.n_events, curve.surv_prob, curve.surv_prob_se)
    for duration, at_risk, number, share, error in zip(*columns, strict=True):
        low = high = np.nan
        if 0 < share < 1:
            spread = np.exp(width * error / (share * abs(np.log(share))))
            low, high = share**spread, share ** (1 / spread)
        yield {
            "treatment": name,
            "duration": float(duration),
            "at_risk": int(at_risk),
            "ended": int(number),
            "share": float(share),
            "low": low,
            "high": high,
        }


def log_rank(durations: Array, ended: Array, treatments: Sequence[str]) -> tuple[float, float]:
    """Return chi squared and p of the log-rank test.

    Mantel (1966), Cancer Chemotherapy Reports 50(3). Raises NoTest if there is only one treatment
    or nothing ended.
    """
    if len(set(treatments)) < 2:
        raise NoTest("log-rank test: there is only one treatment; a comparison needs two")
    if not ended.any():
        raise NoTest("log-rank test: there are no events, because all durations are censored")
    statistic, p = survdiff(durations, ended, np.asarray(treatments))
    return float(statistic), float(p)
