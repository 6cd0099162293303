"""Flags for participants whose data should be inspected before they are trusted.

A flag is a rule stated in words, with a threshold. Flags exclude nobody: researchers who
want to exclude participants name them and give a reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import pandas as pd

from mixed_company.analysis import measures
from mixed_company.analysis.data import SEAT, Data
from mixed_company.analysis.measures.plays import Plays, by_people, on_clock
from mixed_company.analysis.report.participants import head_count, participants
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest, short


@dataclass(frozen=True)
class Thresholds:
    """The thresholds of all flags.

    quiz_attempts    attempts at the quiz
    default_share    share of the person's periods in which no decision came in time
    dropouts         number of times that the person lost the seat
    disconnections   number of times that the person's page was silent for more than 15 s
    same_periods     number of decisions, flagged if all are identical
    median_ms        median decision time in ms, flagged if the person's is below it
    """

    quiz_attempts: int = 4
    default_share: float = 0.1
    dropouts: int = 1
    disconnections: int = 3
    same_periods: int = 5
    median_ms: int = 1000


@dataclass(frozen=True)
class Rule:
    """A flag: its name, its threshold, its rule in words (with `{threshold}`), and its test of a
    participant."""

    name: str
    threshold: str
    words: str
    meets: Callable[[Mapping[Any, Any], float], bool]


RULES = (
    Rule(
        "unfinished",
        "",
        "did not play in a group until the end, and is not still playing",
        lambda row, _: row["stage"] not in ("finished", "playing"),
    ),
    Rule(
        "quiz",
        "quiz_attempts",
        "submitted the quiz {threshold} times or more (not used in a rehearsal, because policies "
        "retry until they pass)",
        lambda row, minimum: not row["rehearsed"] and _at_least(row["quiz_attempts"], minimum),
    ),
    Rule(
        "defaults",
        "default_share",
        "ran out of time in a share of at least {threshold} of the periods in the seat (not used "
        "with pace=clock, because pressing no key is a choice there)",
        lambda row, minimum: not row["on_clock"] and _at_least(row["defaulted"], minimum),
    ),
    Rule(
        "away",
        "dropouts",
        "lost the seat to a policy, or left it empty, {threshold} times or more",
        lambda row, minimum: _at_least(row["dropouts"], minimum),
    ),
    Rule(
        "connection",
        "disconnections",
        "was disconnected for more than 15 s, {threshold} times or more, while a page was open",
        lambda row, minimum: _at_least(row["disconnections"], minimum),
    ),
    Rule(
        "same",
        "same_periods",
        "decided {threshold} times or more, and always the same",
        lambda row, minimum: row["different"] == 1 and _at_least(row["decided"], minimum),
    ),
    Rule(
        "fast",
        "median_ms",
        "decided in less than {threshold} ms in at least half of the periods",
        lambda row, below: row["median_decision_time"] < below,
    ),
)


def _at_least(value: Any, minimum: float) -> bool:
    return not pd.isna(value) and value >= minimum


def thresholds(changes: Mapping[str, Any]) -> Thresholds:
    """Return the default thresholds, with these changes. Raises UnknownName, ConfigError."""
    names = {field.name: field for field in fields(Thresholds)}
    for name, value in changes.items():
        if name not in names:
            raise UnknownName(f"unknown threshold {short(name)}{nearest(name, names)}")
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            raise ConfigError(f"{name} = {value!r}: should be a number, 0 or more")
    return replace(Thresholds(), **changes)


_MEASURES = ["decided", "defaulted", "median_decision_time"]


def of_participants(
    data: Data, limits: Thresholds | None = None, plays: Plays | None = None
) -> pd.DataFrame:
    """Return the rows of `participants`, with their flags and the numbers behind the flags.

    decided, defaulted, median_decision_time   measures of the seat; see `analysis.measures`
    different   number of distinct decisions, as sent by the person
    flags       names of the rules that apply, separated by commas; empty: none

    With blocks, a participant has one row for each play. `plays` holds the same data, if they have
    been prepared for measures already.
    """
    measured = measures.people(plays or data, _MEASURES)
    measured = measured[measured["person"].astype(bool) | (measured["defaulted"] > 0)]
    decisions = data.decisions[by_people(data.decisions, data.config)]
    sent = [name for name in decisions.columns if str(name).startswith("sent_")]
    different = decisions.drop_duplicates([*SEAT, *sent]).groupby(SEAT, as_index=False).size()
    table = participants(data)
    table = table.merge(measured[[*SEAT, *_MEASURES]], on=SEAT, how="left")
    table = table.merge(different.rename(columns={"size": "different"}), on=SEAT, how="left")
    table = table.astype({**dict.fromkeys(_MEASURES, "float64"), "different": "Int64"})
    values = asdict(limits or Thresholds())
    rehearsed = bool(data.manifest.get("rehearsed"))
    rows = table.assign(on_clock=on_clock(table, data.config), rehearsed=rehearsed)
    table["flags"] = [
        ", ".join(rule.name for rule in RULES if rule.meets(row, values.get(rule.threshold, 0)))
        for row in rows.to_dict("records")
    ]
    return table


def rules(people: pd.DataFrame, limits: Thresholds | None = None) -> pd.DataFrame:
    """Return one row per flag: its rule, its threshold, and how many participants have it.

    `people` is the result of `of_participants` with the same limits.
    """
    values = asdict(limits or Thresholds())
    by_flag = people.assign(flags=people["flags"].astype("str").str.split(", ")).explode("flags")
    met = {str(name): head_count(rows) for name, rows in by_flag.groupby("flags")}
    rows = [
        {
            "flag": rule.name,
            "rule": rule.words.format(threshold=values.get(rule.threshold)),
            "threshold": rule.threshold,
            "value": values.get(rule.threshold),
            "participants": int(met.get(rule.name, 0)),
        }
        for rule in RULES
    ]
    return pd.DataFrame(rows, dtype=object)


def flagged(people: pd.DataFrame) -> int:
    """Return the number of participants with at least one flag."""
    return head_count(people[people["flags"] != ""])
