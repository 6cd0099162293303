"""An export with slow connections shows whom the group waited for and for how long, and its times
agree."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from mixed_company.analysis.audit import audited
from mixed_company.analysis.data import Data
from mixed_company.table.table import Table
from tests.analysis.audit.tables import exported, play, setup

LIMIT = {"periods": 30, "decision_seconds": 3.0}
TURNS = {"timing": "sequential"}
HABITS: list[dict[str, Any]] = [
    {},
    {"pace": "clock"},
    {"agents": TURNS},
    {"dropout": "pause", "pause_seconds": 5.0, "grace_seconds": 10.0},
    {"dropout": "reduced", "agents": {"may_leave": True}, "grace_seconds": 10.0},
]


def played(habits: dict[str, Any], silent: float = 0.03) -> tuple[Any, list[Table]]:
    """Return an export of four groups of two people whose connection speeds keep changing."""
    settings = setup(**{**LIMIT, **habits})
    return settings, [play(settings, 2, n, silent, slow=0.2) for n in range(1, 5)]


@pytest.mark.parametrize(
    "habits",
    [
        pytest.param(habits, marks=() if place in (1, 2) else pytest.mark.long)
        for place, habits in enumerate(HABITS)
    ],
    ids=str,
)
def test_an_export_of_people_on_slow_connections_is_valid(habits: dict[str, Any]) -> None:
    data = exported(*played(habits))
    assert (data.events["event"] == "slow_line").sum() > 10
    problems = audited(data).problems
    assert [str(problem) for problem in problems if problem.kind != "unfinished"] == []


@pytest.fixture(scope="module")
def data() -> Data:
    return exported(*played({"pace": "clock"}))


def test_some_decisions_arrive_after_the_time_is_up(data: Data) -> None:
    took = data.decisions["received_ms"] - data.decisions["shown_ms"]
    late = data.decisions[(took > 3000) & (data.decisions["decided_by"] == "person")]
    assert len(late) > 5


def test_a_decision_later_than_the_wait_is_named(data: Data) -> None:
    decisions = data.decisions.copy()
    took = decisions["received_ms"] - decisions["shown_ms"]
    row = decisions.index[(took > 3000) & (decisions["decided_by"] == "person")][0]
    decisions.loc[row, "received_ms"] = decisions.loc[row, "shown_ms"] + 3000 + 1500
    assert named(replace(data, decisions=decisions), "received_ms")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("detail", json.dumps({"wait_ms": 1501})),
        ("detail", json.dumps({"wait_ms": 10})),
        ("detail", ""),
        ("at_ms", 1),
        ("seat", 1),
    ],
)
def test_a_wrong_wait_is_named(data: Data, column: str, value: Any) -> None:
    events = data.events.copy()
    row = events.index[events["event"] == "slow_line"][0]
    events.loc[row, column] = value
    assert named(replace(data, events=events), "")


def test_a_missing_or_duplicate_wait_is_named(data: Data) -> None:
    events = data.events
    row = events.index[events["event"] == "slow_line"][0]
    assert named(replace(data, events=events.drop(index=row)), "")
    twice = pd.concat([events.loc[:row], events.loc[row:]], ignore_index=True)
    assert named(replace(data, events=twice), "slow_line: this row should not exist")


def named(data: Data, column: str) -> bool:
    problems = [str(problem) for problem in audited(data).problems if problem.kind != "unfinished"]
    return any(column in problem for problem in problems)
