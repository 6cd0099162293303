"""Regressions of measures of periods on treatment and period, with errors clustered by group.

    measure ~ treatment * period

says where treatments begin, how they go on from period to period, and whether that differs: what a
mean over all periods cannot.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from mixed_company.analysis import games, statistics
from mixed_company.analysis.data import GROUP
from mixed_company.analysis.report.compared import SEED
from mixed_company.analysis.report.measured import Measured
from mixed_company.analysis.report.parts import Table, function_name
from mixed_company.analysis.rounding import TINY, size
from mixed_company.analysis.statistics import NoTest, Result
from mixed_company.analysis.statistics.regressing import FEW

__all__ = ["regressions", "table"]

LEAST = 3
"""Groups of each treatment: with fewer neither clustered errors nor the bootstrap hold."""
COLUMNS = ["measure", "unit", "coefficient", "groups", "effect", "low", "high", "p"]

_NOTE = (
    "Least squares of a measure on treatment and period. In the first period: a treatment as the "
    "line has it, of the others the difference from the first treatment; per period: the change "
    "from one to the next, of the others the difference. Errors are clustered by group, with fewer "
    "than 20 groups by the wild bootstrap. Later periods are of the groups that still played. P is "
    "not corrected: these are to be looked at, beside the tests above."
)


def table(measured: Measured) -> Table:
    """The regressions, to be shown."""
    own = regressions(measured)
    return Table("regressions", "Regressions", own, function_name(regressions), _NOTE)


def regressions(measured: Measured) -> pd.DataFrame:
    """One row per measure of periods that is drawn, and coefficient; `notes` says which errors, or
    why there is no regression."""
    names = games.find(measured.data.game_id).series
    wanted = [name for name in names if name in measured.numbers("period", measured.periods)]
    rows = [row for name in wanted for row in _of_measure(measured, name)]
    return pd.DataFrame(rows, columns=[*COLUMNS, "notes"])


def _of_measure(measured: Measured, name: str) -> Iterator[dict[str, Any]]:
    frame = measured.periods[[*GROUP, "treatment", "period", name]].dropna(subset=[name])
    unit = measured.units()["period", name]
    counts = frame.drop_duplicates(GROUP)["treatment"].value_counts()
    treatments = [own for own in measured.data.treatments if counts.get(own, 0)]
    numbers = ", ".join(str(counts[own]) for own in treatments)
    row = {"measure": name, "unit": unit, "groups": numbers}
    if min((counts[own] for own in treatments), default=0) < LEAST:
        yield {**row, "notes": f"no regression: a treatment has fewer than {LEAST} groups"}
        return
    treated = len(treatments) > 1
    frame["treatment"] = pd.Categorical(frame["treatment"].astype(str), treatments)
    try:
        own = statistics.regression(
            frame,
            f"{name} ~ {'treatment * period' if treated else 'period'}",
            errors="wild" if counts.sum() < FEW else "cluster",
            seed=SEED,
        )
    except NoTest as refusal:
        yield {**row, "notes": f"no regression: {refusal}"}
        return
    rounding = TINY * float(size(frame[name].to_numpy(dtype=float)))
    for coefficient, result in own.results.items():
        words = _worded(coefficient, treatments)
        error = float(own.fit.bse[coefficient])
        yield {**row, "coefficient": words, **_numbers(result, error, rounding)}


def _numbers(result: Result, error: float, rounding: float) -> dict[str, Any]:
    """Where groups are all alike, the error, and an interval, would be of rounding alone."""
    effect = 0.0 if abs(result.effect) <= rounding else result.effect
    if error <= rounding:
        return {"effect": effect, "notes": "no interval: its groups are all alike"}
    numbers = {key: getattr(result, key) for key in ("low", "high", "p")}
    return {"effect": effect, **numbers, "notes": "; ".join(result.notes)}


def _worded(coefficient: str, treatments: list[str]) -> str:
    """A coefficient as patsy calls it, in words.

    >>> _worded("Intercept", ["open", "pool"])
    'open, first period'
    >>> _worded("treatment[T.pool]:period", ["open", "pool"])
    'pool - open, per period'
    """
    when = "per period" if coefficient.endswith("period") else "first period"
    for other in treatments[1:]:
        if coefficient.startswith(f"treatment[T.{other}]"):
            return f"{other} - {treatments[0]}, {when}"
    return f"{treatments[0]}, {when}"
