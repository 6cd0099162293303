"""Compare treatments: tests, pairs, trends, main measures by session, and precision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from mixed_company.analysis import measures, statistics
from mixed_company.analysis.data import GROUP, Data
from mixed_company.analysis.report.measured import TWINS, Measured
from mixed_company.analysis.rounding import TINY, alike, size
from mixed_company.analysis.statistics import NoTest, Result
from mixed_company.analysis.statistics.units import person_column
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.experiment.comparisons import differing_keys
from mixed_company.experiment.digests import played_rules

SEED = 0
"""The seed for drawing permutations. It is fixed, so the same export always produces the same p
values."""


def compared(measured: Measured) -> pd.DataFrame:
    """Return the result of `statistics.compare_all` for every measure, one row each.

    family   `main`: the measures that are compared first; `group`: all other group measures;
             `person`: measures of people, averaged within groups
    P values are corrected over the tested measures of a family. A measure is not tested if it is
    the same in all groups, is a count or a description, is set by the design, or rescales another
    measure; `notes` gives the reason. Measures without values have no rows.

    block         block whose treatments are compared, if there are several: the same people play
                  all blocks. A measure has one row per block
    groups        number of groups with a value in each treatment, in the treatments' order; groups
                  that exchange people count as one
    effect_name   kind of effect and its direction
    """
    parts = []
    tested: dict[str, list[str]] = {"group": [], "person": []}
    units, ends = measured.units(), measures.ranges(measured.data.game_id)
    for family, level, frame, names in measured.families:
        if names:
            untested = _untested(measured, level, frame, tested[level], names)
            table = statistics.compare_all(
                *(frame, names),
                untested=untested,
                ends=ends,
                blocks=measured.blocks if measured.in_blocks else None,
                family=_FAMILIES[family],
                seed=SEED,
            )
            first = list(table.columns).index("measure") + 1
            table.insert(first, "unit", [units[level, name] for name in table["measure"]])
            table.insert(first + 1, "groups", _counts(measured, table))
            table.insert(0, "family", family)
            table.insert(1, "level", level)
            parts.append(table)
    columns = ["family", "level", "measure"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def _counts(measured: Measured, table: pd.DataFrame) -> list[str]:
    """Return the numbers of groups with a value, by treatment, for each row of `compare_all`."""
    names, blocks = measured.data.treatments, measured.blocks
    return [
        ", ".join(
            str(int(row.get(f"n {name}", 0))) for name in names if name in blocks.get(block, names)
        )
        for row in table.to_dict("records")
        for block in [str(row.get("block"))]
    ]


_FAMILIES = {
    "main": "the main measures",
    "group": "the other group measures",
    "person": "the measures of people",
}
"""Descriptions of the test families."""


def _untested(
    measured: Measured, level: str, frame: pd.DataFrame, tested: list[str], names: Sequence[str]
) -> dict[str, str]:
    """Return the measures that are not tested, with the reasons. Append all others to `tested`."""
    described = measured.described[measured.described["level"] == level].set_index("measure")
    same = described["same_as"]
    kin = _kin({str(name): str(others).split(",") for name, others in same.items()})
    reasons = {}
    for name in sorted(names, key=lambda name: bool(same[name])):  # originals first
        related = [earlier for earlier in tested if earlier in kin[name]]
        repeated = [earlier for earlier in related if _rescaled(frame[name], frame[earlier])]
        if name == "bot_share" and measured.bot_share_differs:
            reasons[name] = "it is set by the design"
        elif described.loc[name, "untested"]:
            reasons[name] = str(described.loc[name, "untested"])
        elif repeated:
            reasons[name] = f"it is {repeated[0]} on another scale"
        else:
            tested.append(name)
    return reasons


def _kin(same: Mapping[str, Sequence[str]]) -> dict[str, set[str]]:
    """Return the measures that each measure can coincide with, directly or through other
    measures."""
    kin = {name: {name, *others} & {*same} for name, others in same.items()}
    for name in kin:
        united = set[str]().union(*(members for members in kin.values() if members & kin[name]))
        for member in united:
            kin[member] = united
    return kin


def _rescaled(first: pd.Series[float], second: pd.Series[float]) -> bool:
    """Return whether one column is a linear function of the other, with values in the same rows."""
    if not (first.isna() == second.isna()).all():
        return False
    x, y = (column.dropna().to_numpy(dtype=float) for column in (second, first))
    if len(x) < 3 or np.ptp(x) == 0:
        return False
    slope = (y[np.argmax(x)] - y[np.argmin(x)]) / np.ptp(x)
    residuals = y - y[np.argmin(x)] - slope * (x - x.min())
    return bool(slope and np.abs(residuals).max() <= TINY * size(y))


def pairs(measured: Measured) -> pd.DataFrame:
    """Compare every pair of three or more treatments (of a block) on every main measure.

    P values are corrected over all rows.
    """
    _, _, frame, names = measured.families[0]
    blocks = {block: listed for block, listed in measured.blocks.items() if len(listed) > 2}
    family = "the pairs of treatments"
    return statistics.pairwise_all(
        frame, names if blocks else [], blocks=blocks, family=family, seed=SEED
    )


def trends(measured: Measured) -> pd.DataFrame:
    """Return the trend of every main measure over three or more treatments (of a block), in their
    order.

    There are no rows if treatments differ in several keys, because then their order means nothing.
    """
    _, _, frame, names = measured.families[0]
    rules = rules_of(measured.played or measured.data)
    blocks = {
        block: listed
        for block, listed in measured.blocks.items()
        if len(listed) > 2
        and len(differing_keys({name: rules[name] for name in listed if name in rules})) <= 1
    }
    if not blocks or not names:
        return pd.DataFrame(columns=["measure", "effect_name"])
    table = statistics.compare_all(
        frame,
        names,
        "jonckheere",
        blocks=blocks if measured.in_blocks else None,
        family="the trends of the main measures",
        seed=SEED,
    )
    by_treatment = ("n ", "mean ", "low ", "high ")
    return table[[name for name in table if not str(name).startswith(by_treatment)]]


def rules_of(data: Data) -> dict[str, dict[str, Any]]:
    """Return the rules of each treatment's first group; empty if any of them cannot be read."""
    keys = data.config.set_index(GROUP)
    rules = {
        str(name): played_rules(keys.loc[[key]].iloc[0].to_dict())
        for name, rows in data.groups.groupby("treatment", observed=True)
        for key in [tuple(rows[GROUP].iloc[0])]
    }
    parts = [rule.get(part) for rule in rules.values() for part in ("core", "options")]
    return rules if all(isinstance(part, dict) for part in parts) else {}


def hopeless(tests: pd.DataFrame, alpha: float = 0.05) -> float | None:
    """Return the smallest corrected p that a family of tests can reach, if it exceeds alpha.

    Return None if it is at most alpha, or if there are no tests.
    """
    attainable = [value for value in tests.get("least_p_corrected", []) if not pd.isna(value)]
    return min(attainable) if attainable and min(attainable) > alpha else None


# -- by session ------------------------------------------------------------------------------------


def sessions(measured: Measured) -> pd.DataFrame:
    """Return the number of groups and the means of the main measures, one row per treatment and
    session. Groups that exchange people count as one.

    All groups in a session share its particular conditions, such as the day, the room and the pool
    of participants. If a treatment has only one session and that session has no other treatment,
    nobody can separate the effect of these conditions from the effect of the treatment.
    """
    _, _, frame, names = measured.families[0]
    keys = ["treatment", "session"]
    units = measured.data.by_unit(measured.data.groups)
    groups = units.groupby(keys, observed=True, sort=False)["group"].nunique()
    table = groups.rename("groups").to_frame()
    people = [*keys, "group", *person_column(frame)]
    for name in names:
        of_people = frame.groupby(people, observed=True)[name].mean()
        means = of_people.groupby([*keys, "group"], observed=True).mean()
        table[name] = means.groupby(keys, observed=True).mean()
    table = table.reset_index()
    return table.sort_values("treatment", kind="stable", ignore_index=True)


def alone(sessions: pd.DataFrame, treatments: Sequence[str]) -> list[str]:
    """Return those of a block's treatments that had only one session, with no other treatment in
    it, from the table of sessions."""
    sessions = sessions[sessions["treatment"].isin(treatments)]
    counts = sessions.groupby("treatment", observed=True)["session"].size()
    shared = set(sessions.loc[sessions["session"].duplicated(keep=False), "treatment"])
    return [str(name) for name, count in counts.items() if count == 1 and name not in shared]


_TESTED = ("test", "effect_name", "effect", "low", "high", "p", "p_corrected", "correction")


def by_session(measured: Measured) -> pd.DataFrame:
    """Test the main measures of two treatments, taking sessions into account in two ways.

    within sessions     if sessions had groups of both treatments: labels are permuted within each
                        session
    sessions as units   if each session had one treatment: the mean of its groups is one observation

    The result has one row per measure and way. P values are corrected over the measures tested in
    the same way. `notes` says why there is no test.
    """
    _, _, frame, names = measured.families[0]
    groups = measured.data.groups
    several = groups.groupby("treatment", observed=True)["session"].nunique() > 1
    rows: list[dict[str, Any]] = []
    if len(measured.data.treatments) == 2 and not measured.in_blocks and several.any():
        tested = [name for name in names if not alike(statistics.units(frame, name).values)]
        rows += _ways("within sessions", statistics.stratified, "group", frame, tested)
        rows += _ways("sessions as units", statistics.compare, "session", frame, tested)
    return pd.DataFrame(rows, columns=["way", "measure", "n", *_TESTED, "notes"])


def _ways(
    way: str, test: Any, unit: str, frame: pd.DataFrame, names: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Yield one row per measure; no rows if no measure can be tested in this way."""
    results: dict[str, Result] = {}
    refusals: dict[str, str] = {}
    for name in names:
        try:
            results[name] = test(statistics.units(frame, name, unit=unit), seed=SEED)
        except (NoTest, ConfigError) as refusal:
            refusals[name] = f"not tested: {refusal}"
    family = f"the main measures, {way}"
    tested = statistics.corrected(list(results.values()), family=family)
    results = dict(zip(results, tested, strict=True))
    for name in names if results else ():
        row = {"way": way, "measure": name, "notes": refusals.get(name)}
        if name in results:
            result = results[name]
            row["n"] = ", ".join(f"{treatment} {count}" for treatment, count in result.n.items())
            row["notes"] = "; ".join((*result.left_out, *result.notes))
            row |= {key: getattr(result, key) for key in _TESTED}
        yield row


# -- precision -------------------------------------------------------------------------------------


def precision(measured: Measured) -> pd.DataFrame:
    """Return how precise the main measures are with this number of groups, one row per measure
    (and block).

    deviation          standard deviation between groups within treatments
    reached            difference between two treatments that a t test at the 0.05 level detects
                       with power 0.8; with three or more treatments, between the two with the
                       fewest groups
    reached_corrected  the same with 0.05 divided by the number of tested measures
    icc_sessions       intraclass correlation of groups in sessions; missing if each session had one
                       group, or each treatment one session
    icc_people         intraclass correlation of people in groups, if people have this measure
    """
    _, _, frame, names = measured.families[0]
    treatment = frame["treatment"].astype(str)
    of_groups = {
        (name, block): units
        for name in names
        for block, listed in measured.blocks.items()
        if len((units := statistics.units(frame[treatment.isin(listed)], name)).frame)
    }
    tested = sum(not alike(units.values) for units in of_groups.values())
    rows = []
    for (name, block), units in of_groups.items():
        samples = [units.sample(treatment) for treatment in units.treatments]
        shares = (0.05, 0.05 / max(tested, 1))
        reached = [
            statistics.reached(samples, alpha=share) if len(samples) > 1 else np.nan
            for share in shares
        ]
        rows.append(
            {
                "block": block,
                "measure": name,
                "deviation": statistics.pooled_deviation(samples),
                "reached": reached[0],
                "reached_corrected": reached[1],
                "icc_sessions": statistics.intraclass(units.frame.assign(group=0)),
                "icc_people": _of_people(measured, name, measured.blocks[block]),
            }
        )
    numbers = ["deviation", "reached", "reached_corrected", "icc_sessions", "icc_people"]
    columns = [*(["block"] if measured.in_blocks else []), "measure", *numbers]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(numbers, float))


def _of_people(measured: Measured, name: str, treatments: Sequence[str]) -> float | None:
    """Return the intraclass correlation of people within groups, for the corresponding measure of
    people."""
    people = measured.only_people
    people = people[people["treatment"].isin(treatments)]
    twin = TWINS.get(name, name)
    if twin not in measured.numbers("person", people):
        return None
    rows = people[["session", "group", "treatment"]].assign(value=people[twin])
    return statistics.intraclass(rows.dropna(subset=["value"]))
