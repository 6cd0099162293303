"""Views that are sent after a message, an answer, a directive, or the passage of time."""

from __future__ import annotations

from mixed_company import policies
from mixed_company.table.directives import Directive
from mixed_company.table.exchange import answered, exchange, looked_at, managed
from mixed_company.table.protocol import Ack, Message, Refusal
from mixed_company.table.table import Table
from tests.table.plays import SECOND, open_table, setup, started

HARVEST = {"harvest": 1.0, "contribution": 0.0}


def two() -> Table:
    """Return a table with two people and two bots, and 20 s for a decision."""
    return started([0, 1], decision_seconds=20)


def act(period: int = 0) -> Message:
    return Message("act", f"period {period}", period, HARVEST)


def test_the_person_who_asks_gets_a_view_and_the_others_get_none():
    table = two()
    exchanged = exchange(table, 1, Message("sync"), 0)
    assert exchanged.answer is None
    assert list(exchanged.views) == [1]
    assert exchange(table, 1, Message("alive"), 0).views == {}


def test_a_decision_that_ends_the_period_is_acknowledged_and_shown_to_all():
    table = two()
    first = exchange(table, 0, act(), SECOND)
    assert isinstance(first.answer, Ack)
    second = exchange(table, 1, act(), 2 * SECOND)
    assert isinstance(second.answer, Ack)
    assert {seat: view.period for seat, view in second.views.items()} == {0: 1, 1: 1}


def test_the_effects_of_passed_time_are_shown_to_everybody():
    table = two()
    assert looked_at(table, 19 * SECOND).views == {}
    assert looked_at(table, 21 * SECOND, max_periods=0).views == {}
    exchanged = looked_at(table, 21 * SECOND)
    assert exchanged.answer is None
    assert {seat: view.period for seat, view in exchanged.views.items()} == {0: 1, 1: 1}


def test_while_the_table_catches_up_nobody_decides_and_the_manager_cannot_act():
    """Two periods of 20 s were due, and one is settled at once."""
    table = two()
    refused = exchange(table, 0, act(), 45 * SECOND, max_periods=1).answer
    assert isinstance(refused, Refusal)
    assert "catching up" in refused.reason
    assert table.episode.period == 1
    table = two()
    answer, views = managed(table, Directive("pause", "a"), 45 * SECOND, max_periods=1)
    assert isinstance(answer, Refusal)
    assert (answer.id, "catching up" in answer.reason, views) == ("a", True, {})


def test_the_acts_of_the_manager_are_shown_to_the_people_they_concern():
    table = two()
    answer, views = managed(table, Directive("message", "a", 1, text="Hello."), SECOND)
    assert isinstance(answer, Ack)
    assert list(views) == [1]
    _, views = managed(table, Directive("message", "b", text="Hello."), SECOND)
    assert list(views) == [0, 1]
    _, views = managed(table, Directive("pause", "c"), SECOND)
    assert list(views) == [0, 1]
    answer, views = managed(table, Directive("pause", "d"), SECOND)
    assert isinstance(answer, Refusal)
    assert views == {}


def test_the_answer_of_a_policy_is_shown_but_not_one_for_a_period_that_is_over(monkeypatch):
    monkeypatch.setattr(policies.find("sustainable", "commons_game"), "slow", True)
    table = Table.open(setup(decision_seconds=20), [0], seed=7, now=0)
    table.apart = True
    table.hear(0, 0)
    exchange(table, 0, act(), 300)
    answers = [table.question(seat).answered() for seat in (1, 2, 3)]
    shown = [answered(table, seat, 0, answers[seat - 1], 400).views for seat in (1, 2, 3)]
    assert [{person: view.period for person, view in views.items()} for views in shown] == [
        *({0: 0}, {0: 0}, {0: 1})
    ]
    assert answered(table, 1, 0, answers[0], 500).views == {}


def test_nobody_is_at_a_table_before_the_first_message():
    assert looked_at(open_table([0]), SECOND).views == {}
