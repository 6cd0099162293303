"""The main measures looked at in other ways: by session, and how much so many groups could tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from mixed_company.analysis import statistics
from mixed_company.analysis.report.compared import SEED
from mixed_company.analysis.report.measured import TWINS, Measured
from mixed_company.analysis.rounding import alike
from mixed_company.analysis.statistics import NoTest, Result
from mixed_company.engine.contract.errors import ConfigError

__all__ = ["by_session", "precision"]

_TESTED = ("test", "effect_name", "effect", "low", "high", "p", "p_corrected", "correction")


def by_session(measured: Measured) -> pd.DataFrame:
    """Main measures of two treatments with sessions in mind, one row per measure and way.

    within sessions     where sessions had groups of both: groups are permuted within theirs alone
    sessions as units   where each session had one treatment: the mean over its groups counts once

    P values are corrected over the measures of a way. `notes` says why there is no test.
    """
    _, _, frame, names = measured.families[0]
    columns = ["way", "measure", "n", *_TESTED, "notes"]
    if len(measured.data.treatments) != 2 or not _several(measured):
        return pd.DataFrame(columns=columns)
    tested = [name for name in names if not alike(statistics.units(frame, name).values)]
    rows = []
    for way, test in (("within sessions", _stratified), ("sessions as units", _of_sessions)):
        results = {name: _tried(test, frame, name) for name in tested}
        done = [result for result in results.values() if isinstance(result, Result)]
        if done:
            corrected = iter(statistics.corrected(done))
            rows += [
                _row(way, name, next(corrected) if isinstance(result, Result) else result)
                for name, result in results.items()
            ]
    return pd.DataFrame(rows, columns=columns)


def _several(measured: Measured) -> bool:
    """Had any treatment more than one session?"""
    groups = measured.data.groups
    return bool((groups.groupby("treatment", observed=True)["session"].nunique() > 1).any())


def _stratified(frame: pd.DataFrame, name: str) -> Result:
    return statistics.stratified(statistics.units(frame, name), seed=SEED)


def _of_sessions(frame: pd.DataFrame, name: str) -> Result:
    return statistics.compare(statistics.units(frame, name, unit="session"), seed=SEED)


def _tried(test: Callable[[pd.DataFrame, str], Result], frame: pd.DataFrame, name: str) -> Any:
    try:
        return test(frame, name)
    except (NoTest, ConfigError) as refusal:
        return str(refusal)


def _row(way: str, name: str, result: Result | str) -> dict[str, Any]:
    if isinstance(result, str):
        return {"way": way, "measure": name, "notes": f"not tested: {result}"}
    return {
        "way": way,
        "measure": name,
        "n": ", ".join(f"{treatment} {count}" for treatment, count in result.n.items()),
        **{key: getattr(result, key) for key in _TESTED},
        "notes": "; ".join((*result.left_out, *result.notes)),
    }


def precision(measured: Measured) -> pd.DataFrame:
    """How much the groups could tell of the main measures, one row each.

    deviation          the standard deviation of groups within their treatments
    reached            the difference of two treatments that would have been found in four of five
                       such experiments, by a t test at 0.05; none for other numbers of treatments
    reached_corrected  the same where every measure of the family has its share of 0.05
    icc_sessions       intraclass correlation of groups in sessions: none where sessions had one
                       group each, or treatments one session each
    icc_people         of people in groups, where there is such a measure of people
    """
    _, _, frame, names = measured.families[0]
    of_groups = {name: statistics.units(frame, name) for name in names}
    tested = sum(not alike(units.values) for units in of_groups.values())
    rows = []
    for name, units in of_groups.items():
        samples = [units.sample(treatment) for treatment in units.treatments]
        two = len(samples) == 2
        shares = (0.05, 0.05 / max(tested, 1))
        least = [statistics.reached(samples, alpha=share) if two else np.nan for share in shares]
        rows.append(
            {
                "measure": name,
                "deviation": statistics.pooled_deviation(samples),
                "reached": least[0],
                "reached_corrected": least[1],
                "icc_sessions": statistics.intraclass(units.frame.assign(group=0)),
                "icc_people": _of_people(measured, name),
            }
        )
    columns = ["measure", "deviation", "reached", "reached_corrected", "icc_sessions", "icc_people"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(columns[1:], float))


def _of_people(measured: Measured, name: str) -> float | None:
    """The intraclass correlation of people in their groups, of the measure's twin."""
    people = measured.only_people
    twin = TWINS.get(name, name)
    if twin not in measured.numbers("person", people):
        return None
    rows = people[["session", "group", "treatment"]].assign(value=people[twin])
    return statistics.intraclass(rows[rows["value"].notna()])
