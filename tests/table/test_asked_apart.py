"""Slow policies are asked outside the table, by its keeper, and answer later."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from mixed_company import engine, policies
from mixed_company.table.answers import LATE_MS
from mixed_company.table.options import Options
from mixed_company.table.protocol import Ack, Message
from mixed_company.table.rebuilding import rebuilt
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from tests.table.test_rebuilding import everything

SECOND = 1000
IN_TURN = {"timing": "sequential"}


@pytest.fixture(autouse=True)
def _slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make `random` a policy that is asked outside the table."""
    monkeypatch.setattr(policies.find("random", "commons_game"), "slow", True)


def setup(agents: dict[str, Any] | None = None, **options: Any) -> Setup:
    game = engine.make("commons_game", archetype="lab", periods=4, agents=agents or {})
    chosen = {"bots": "random", "bot_delay": "fixed:seconds=0.5", "decision_seconds": 9.0}
    config = game.config.model_dump(mode="json")
    return Setup(config=config, options=Options(**{**chosen, **options}))


def opened(agents: dict[str, Any] | None = None, **options: Any) -> Table:
    """Open a table with a person in seat 0 and the slow policy elsewhere. The first period has
    begun."""
    table = Table.open(setup(agents, **options), [0], seed=7, now=0)
    table.apart = True
    table.hear(0, now=0)
    return table


def decides(table: Table, now: int) -> Ack:
    action = {"harvest": 1, "contribution": 0}
    message = Message("act", f"at {now}", table.episode.period, action)
    acked = table.act(0, message, now)
    assert isinstance(acked, Ack)
    return acked


def events(table: Table) -> list[dict[str, Any]]:
    return [row for row in table.rows if row["kind"] == "event"]


def test_the_table_continues_while_a_policy_is_asked():
    table = opened()
    assert table.pending == {1: 0, 2: 0, 3: 0}
    decides(table, now=300)
    assert list(table.decided) == [0]
    for seat in (1, 2, 3):
        table.answered(seat, 0, table.question(seat).answered(), now=400)
    assert table.pending == {}
    assert list(table.decided) == [0]  # they are still thinking, like all bots
    table.advance(now=500)
    assert table.episode.period == 1
    assert events(table) == []


def test_a_policy_asked_elsewhere_answers_as_it_would_have_at_the_table():
    here = Table.open(setup(), [0], seed=7, now=0)
    here.hear(0, now=0)
    elsewhere = opened()
    for seat in (1, 2, 3):
        elsewhere.answered(seat, 0, elsewhere.question(seat).answered(), now=10)
    assert elsewhere.answers == here.answers


def test_an_answer_after_the_thinking_time_counts_on_arrival_and_is_noted():
    table = opened()
    table.answered(2, 0, table.question(2).answered(), now=700)
    assert (table.decided[2].at_ms, table.decided[2].by) == (700, "policy")
    assert [(row["event"], row["seat"], row["late_ms"]) for row in events(table)] == [
        ("policy_late", 2, 200)
    ]


def test_a_missing_answer_means_the_default_and_a_fault():
    table = opened()
    decides(table, now=100)
    table.advance(now=LATE_MS)
    assert table.episode.period == 1
    first = next(row for row in table.rows if row["kind"] == "period")
    assert [decided["by"] for decided in first["seats"]] == ["person", *["default"] * 3]
    faults = [row for row in events(table) if row["event"] == "policy_fault"]
    assert [row["detail"] for row in faults] == ["no answer within 1000 ms"] * 3
    assert first["sent"]["harvest"][1:] == [0.0] * 3


def test_the_time_of_the_period_is_also_a_limit():
    table = opened(decision_seconds=0.6)
    table.advance(now=600)
    details = [row["detail"] for row in events(table) if row["event"] == "policy_fault"]
    assert details == ["no answer within 600 ms"] * 3


def test_an_answer_for_a_period_that_is_over_changes_nothing():
    table = opened()
    decides(table, now=100)
    question = table.question(1)
    table.advance(now=LATE_MS)
    before = table.to_json()
    table.answered(1, 0, question.answered(), now=LATE_MS)
    assert table.to_json() == before


def test_a_fault_of_a_policy_elsewhere_is_recorded_as_its_fault(monkeypatch):
    def act(*_: Any) -> Any:
        raise ValueError("no idea")

    monkeypatch.setattr(policies.find("random", "commons_game"), "act_within", act)
    table = opened()
    table.answered(1, 0, table.question(1).answered(), now=10)
    assert [row["detail"] for row in events(table)] == ["ValueError: no idea"]
    assert table.answers[1].by == "default"


def seated_with_times(monkeypatch: pytest.MonkeyPatch, which: str) -> Table:
    """Open a table that asks policies itself, with a clock that advances 60 ms each time it is
    read.
    """
    monkeypatch.setattr(policies.find("random", "commons_game"), "slow", False)
    monkeypatch.setattr("mixed_company.table.answers.BUDGET_SECONDS", 0.02)
    time = iter(np.arange(0.0, 1000.0, 0.06).tolist())
    monkeypatch.setattr(f"mixed_company.policies.policy.time.{which}", lambda: next(time))
    return opened()


def test_a_policy_that_took_too_long_is_asked_elsewhere_from_then_on(monkeypatch):
    table = seated_with_times(monkeypatch, "thread_time")
    assert sorted(table.answers) == [1]  # the last one that is asked here
    assert table.pending == {2: 0, 3: 0}
    assert [row["detail"] for row in events(table)] == ["took 60.0 ms of 20 ms"]


def test_a_busy_machine_makes_no_policy_slow(monkeypatch):
    """If the server was busy for 60 ms during one answer, the policy used to be treated as slow
    forever."""
    table = seated_with_times(monkeypatch, "monotonic")
    assert sorted(table.answers) == [1, 2, 3]
    assert (table.pending, events(table)) == ({}, [])


HABITS: list[dict[str, Any]] = [{}, {"pace": "clock", "decision_seconds": 2.0}, {"agents": IN_TURN}]


@pytest.mark.few(1)
@pytest.mark.parametrize("habits", HABITS, ids=["answers", "clock", "turns"])
def test_a_table_can_be_rebuilt_after_every_answer(habits):
    rng = np.random.default_rng(5)
    table, journal, now = opened(**habits), [], 0
    setup = table.setup
    for _ in range(60):
        now += int(rng.integers(0, SECOND))
        table.advance(now)
        choice = rng.random()
        if choice < 0.6 and table.pending:
            seat = int(rng.choice(sorted(table.pending)))
            question, period = table.question(seat), table.episode.period
            table.answered(seat, period, question.answered(), now)
        elif not table.out(0) and table.episode.turn in (None, 0) and 0 not in table.decided:
            decides(table, now)
        journal += json.loads(json.dumps(table.take_rows()))
        text = table.to_json()
        for again in (rebuilt(setup, journal), rebuilt(setup, [], text)):
            assert again.pending == table.pending
            again.apart, restored = True, Table.from_json(setup, text)
            restored.apart = True
            assert everything(again, now + 50) == everything(restored, now + 50)
    kinds = {row["kind"] for row in journal}
    assert {"asked", "answer", "period", "act"} <= kinds
    assert {row["event"] for row in journal if row["kind"] == "event"} >= {
        "policy_late",
        "policy_fault",
    }
