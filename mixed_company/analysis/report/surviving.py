"""How long groups lasted, where the game says what ends them: a resource that collapses, say."""

from __future__ import annotations

import pandas as pd

from mixed_company.analysis import games, statistics
from mixed_company.analysis.report.measured import Measured
from mixed_company.analysis.statistics import NoTest

__all__ = ["log_rank", "seen", "survival"]


def seen(measured: Measured) -> pd.DataFrame:
    """How many periods every group was seen, and whether what was to last ended then (1) or had not
    yet (0: censored). One row per group whose play is over; none in games without such an end."""
    columns = ["treatment", "session", "group", "duration", "ended"]
    names = games.find(measured.data.game_id).lasting
    if names is None:
        return pd.DataFrame(columns=columns)
    frame = measured.groups.rename(columns=dict(zip(names, ("duration", "ended"), strict=True)))
    return frame[frame["duration"].notna() & frame["ended"].notna()][columns]


def survival(measured: Measured) -> pd.DataFrame:
    """`statistics.survival` of the groups, by treatment in their order."""
    frame = seen(measured).sort_values("treatment", kind="stable")
    return statistics.survival(
        frame["duration"].to_numpy(dtype=float),
        frame["ended"].to_numpy(dtype=float),
        list(frame["treatment"].astype(str)),
    )


def log_rank(measured: Measured) -> pd.DataFrame:
    """One row: groups, how many ended, and the log-rank test of treatments; `notes` where there is
    none."""
    frame = seen(measured)
    columns = ["groups", "ended", "test", "statistic", "p", "notes"]
    if frame.empty:
        return pd.DataFrame(columns=columns)
    row = {"groups": len(frame), "ended": int(frame["ended"].sum()), "test": "log-rank"}
    try:
        statistic, p = statistics.log_rank(
            frame["duration"].to_numpy(dtype=float),
            frame["ended"].to_numpy(dtype=float),
            list(frame["treatment"].astype(str)),
        )
    except NoTest as refusal:
        return pd.DataFrame([{**row, "notes": str(refusal)}], columns=columns)
    return pd.DataFrame([{**row, "statistic": statistic, "p": p}], columns=columns)
