"""Policies asked outside the server's loop may answer late, and the export says how late."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from mixed_company import policies
from mixed_company.analysis.audit import audited
from mixed_company.analysis.data import Data
from mixed_company.table.answers import Recalled
from mixed_company.table.protocol import Message
from mixed_company.table.seating import play_seed
from mixed_company.table.table import Table
from tests.analysis.audit.tables import START, exported, setup


@pytest.fixture
def data(monkeypatch: pytest.MonkeyPatch) -> Data:
    """Return an export of one person and three slow policies: one answers on time, one late, one
    never.
    """
    monkeypatch.setattr(policies.find("random", "commons_game"), "slow", True)
    settings = setup(periods=3, bot_delay="fixed:seconds=0.2")
    seed = play_seed(settings.config["identity"]["seed"], 1)
    table = Table.open(settings, [0], seed, START)
    table.apart = True
    table.hear(0, START)
    now = START
    for period, wait in enumerate((100, 700, 2000)):
        for seat in (1, 2, 3):
            question = table.question(seat)
            table.answered(seat, period, question.answered(), now + wait)
        action = {"harvest": 1, "contribution": 0}
        now += 3000
        table.act(0, Message("act", f"{period}", period, action), now)
    assert table.episode.done
    return exported(settings, [table])


def test_an_export_with_late_answers_is_valid(data: Data) -> None:
    events = data.events["event"].tolist()
    assert events.count("policy_late") == 3 + 3
    assert events.count("policy_fault") == 3
    assert audited(data).problems == ()


@pytest.mark.parametrize("change", ["detail", "at_ms", "gone", "twice"])
def test_a_wrong_delay_of_a_late_answer_is_named(data: Data, change: str) -> None:
    events = data.events.copy()
    row = events.index[events["event"] == "policy_late"][0]
    if change == "detail":
        events.loc[row, "detail"] = '{"late_ms": 1}'
    elif change == "at_ms":
        events.loc[row, "at_ms"] -= 1
    elif change == "gone":
        events = events.drop(index=row)
    else:
        events = pd.concat([events.loc[:row], events.loc[row:]], ignore_index=True)
    assert audited(replace(data, events=events)).problems


def changed_answer(data: Data, **values: Any) -> Data:
    """Return the export with different values in the journal's first policy answer."""
    assert data.journal is not None
    journal = data.journal.copy()
    row = journal.index[journal["kind"] == "answer"][0]
    journal.loc[row, "entry"] = json.dumps(json.loads(journal.loc[row, "entry"]) | values)
    return replace(data, journal=journal)


def test_another_memory_of_a_policy_is_named(data: Data) -> None:
    problems = [str(problem) for problem in audited(changed_answer(data, memory={"a": 1})).problems]
    assert (
        "answer: period 0, seat 1: the recorded memory differs from that of random here"
        in problems[0]
    )


def test_a_decision_in_place_of_a_failed_one_is_the_default(data: Data) -> None:
    changed = changed_answer(data, fault="too slow", action={"harvest": 7.0, "contribution": 0.0})
    problems = [str(problem) for problem in audited(changed).problems]
    whose = "sent_harvest: period 0, seat 1, the default for a failed policy: 7.0 should be"
    assert any(whose in problem for problem in problems)


def test_an_invented_failure_of_a_policy_does_not_excuse_its_decision() -> None:
    settings = setup(periods=2, bots="steward")
    table = Table.open(settings, [0], play_seed(settings.config["identity"]["seed"], 1), START)
    invented = {"kind": "event", "event": "policy_fault", "period": 0, "seat": 1, "detail": "late"}
    table.recalled = Recalled([invented])
    table.recalled.actions[0, 1] = {"harvest": 7.0, "contribution": 0.0}
    table.hear(0, START)
    for period in (0, 1):
        action = {"harvest": 1, "contribution": 0}
        table.act(0, Message("act", f"{period}", period, action), START + 5000 * (period + 1))
    data = exported(settings, [table])
    assert data.decisions["decided_by"].tolist().count("default") == 1
    problems = [str(problem) for problem in audited(data).problems]
    whose = "sent_harvest: period 0, seat 1, the default for a failed policy: 7.0 should be"
    assert [problem for problem in problems if whose in problem], problems
