"""The audit accepts everything a manager can do, and finds rows that contradict the log."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pandas as pd
import pytest

from mixed_company.analysis.audit import NOTES, audited
from mixed_company.analysis.data import Data
from mixed_company.analysis.notes import unfinished
from tests.analysis.audit.tables import exported, play, setup

CASES: dict[str, dict[str, Any]] = {
    "time limit": {"decision_seconds": 5.0},
    "no limit": {"decision_seconds": 0.0},
    "clock": {"pace": "clock", "decision_seconds": 5.0},
    "in turn": {"agents": {"timing": "sequential"}, "decision_seconds": 5.0},
    "pause": {"dropout": "pause", "pause_seconds": 7.0, "decision_seconds": 5.0},
    "end": {"dropout": "end", "decision_seconds": 5.0},
    "reduced": {"dropout": "reduced", "agents": {"may_leave": True}, "decision_seconds": 5.0},
    "slow bots": {"bot_delay": "fixed:seconds=6", "decision_seconds": 5.0},
}

OFTEN = ("time limit", "pause", "slow bots")
"""Cases that `make test` runs; the others are in tests/table/managing."""


@cache
def data_of(case: str, groups: int = 6) -> Data:
    """Return groups in which the manager acts at random; all tests share the data."""
    settings = setup(**{"grace_seconds": 10.0, "periods": 12, **CASES[case]})
    plays = [play(settings, 2, n, 0.03, managing=0.15) for n in range(1, groups + 1)]
    return exported(settings, plays)


def wrong(data: Data) -> list[str]:
    return [str(problem) for problem in audited(data).problems if problem.kind not in NOTES]


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=() if case in OFTEN else pytest.mark.long) for case in CASES]
)
def test_an_export_is_valid_whatever_the_manager_did(case: str) -> None:
    data = data_of(case)
    assert wrong(data) == []
    assert {"handed", "paused", "resumed", "message"} <= set(data.events["event"])
    assert "handed" in set(data.seats["reason"])


def test_these_plays_contain_everything_a_manager_can_do() -> None:
    events = pd.concat([data_of(case).events["event"] for case in ("time limit", "slow bots")])
    # nobody is barred here; tests/server/test_board_live.py checks an export with barring
    named = {"handed", "given_back", "released", "paused", "resumed", "extended", "ended"}
    assert {*named, "message"} <= set(events)


@pytest.mark.parametrize(
    ("case", "event"),
    [
        *(("time limit", event) for event in ("handed", "extended", "ended", "released", "paused")),
        *(("pause", event) for event in ("awaited", "takeover")),
    ],
)
def test_a_removed_event_is_noticed(case: str, event: str) -> None:
    data = data_of(case)
    without = data.events[data.events["event"] != event].reset_index(drop=True)
    problems = wrong(replace(data, events=without))
    assert len(problems) == len(data.events) - len(without) > 0
    assert all("missing: " in problem and event in problem for problem in problems)


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("time limit", "was ended by the manager after"),
        ("end", "was ended because somebody left after"),
    ],
)
def test_the_reason_is_reported_for_which_a_group_was_ended(case: str, words: str) -> None:
    data = data_of(case)
    ended = data.events[data.events["event"] == "ended"]
    groups = set(ended.loc[ended["seat"].isna() == (case == "time limit"), "group"])
    assert sum(words in str(problem) for problem in unfinished(data)) == len(groups) > 0


def test_a_wait_in_a_session_without_waiting_is_found() -> None:
    data = data_of("pause")
    config = data.config.assign(
        options=data.config["options"].str.replace('"dropout":"pause"', '"dropout":"bot"')
    )
    assert any("awaited" in problem for problem in wrong(replace(data, config=config)))
