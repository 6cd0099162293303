"""Time in plays with turns: each seat has its own time, and bots think only during their turn."""

from __future__ import annotations

import pytest

from mixed_company.engine.play.period import Decision
from mixed_company.table import answers
from tests.table.in_turn.tables import turns
from tests.table.layered import misreplayed, stay
from tests.table.plays import SECOND, act, reopened, rows, view, whole

# -- time ------------------------------------------------------------------------------------


def test_each_seat_has_a_decision_time_of_its_own():
    table = turns()
    assert view(table, 2, 4 * SECOND)["remaining_ms"] == 6 * SECOND
    assert view(table, 0, 4 * SECOND)["remaining_ms"] == 6 * SECOND  # before other turns
    act(table, 2, 7 * SECOND)
    assert view(table, 0, 7 * SECOND)["remaining_ms"] == 10 * SECOND
    act(table, 0, 16 * SECOND)
    # 1 and 3 answer two seconds after their turns begin
    table.advance(20 * SECOND)
    first = rows(table, "period")[0]
    assert [who["at_ms"] for who in first["seats"]] == [16000, 18000, 7000, 20000]
    assert (first["shown_ms"], first["at_ms"], table.turn_ms) == (0, 20000, 20000)


def test_when_the_time_is_up_the_default_counts_and_the_next_seat_is_asked():
    table = turns()
    table.advance(10 * SECOND)
    assert table.episode.turn == 0
    nothing = {"harvest": 0.0, "contribution": 0.0}
    assert table.decided[2] == Decision(nothing, "default", 10 * SECOND)
    assert view(table, 0, 10 * SECOND)["phase"] == "decide"
    assert view(table, 0, 10 * SECOND)["remaining_ms"] == 10 * SECOND
    assert view(table, 0, 10 * SECOND)["observation"]["earlier_harvest"][2] == 0.0
    act(table, 0, 11 * SECOND, harvest=4)
    table.advance(15 * SECOND)
    first = rows(table, "period")[0]
    assert [who["by"] for who in first["seats"]] == ["person", "policy", "default", "policy"]
    assert first["sent"]["harvest"] == [4.0, 2.0, 0.0, 2.0]
    assert first["at_ms"] == 15 * SECOND


def test_a_decision_in_the_millisecond_in_which_time_is_up_is_too_late():
    table = turns()
    refused = act(table, 2, 10 * SECOND)
    assert (refused["kind"], refused["reason"]) == (
        "refused",
        "you have already made your decision",
    )
    table = turns()
    assert act(table, 2, 10 * SECOND - 1)["kind"] == "ack"


def test_an_unattended_play_takes_the_time_of_every_person_in_every_period():
    table = turns(core={"periods": 3})
    table.advance(3600 * SECOND)
    # 10 + 10 for the people, 2 + 2 for the bots
    assert [row["at_ms"] for row in rows(table, "period")] == [24000, 48000, 72000]
    assert table.episode.reason == "horizon"
    assert misreplayed(table) == []


def test_without_a_time_limit_the_table_waits_for_the_seat_whose_turn_it_is():
    table = turns(decision_seconds=0)
    stay(table, [0, 2], 0, 3600)
    assert (table.episode.period, table.episode.turn) == (0, 2)
    assert view(table, 2, 3600 * SECOND)["remaining_ms"] is None


@pytest.mark.parametrize("pauses", [[200], list(range(1, 201)), [7 * n for n in range(1, 29)]])
def test_it_does_not_matter_how_often_the_table_is_asked(pauses):
    table = turns(grace_seconds=30)
    act(table, 2, 1 * SECOND, harvest=5)
    for second in [*pauses, 200]:
        log = table.rows
        table = reopened(table)
        table.rows = log
        table.advance(second * SECOND)
    once = turns(grace_seconds=30)
    act(once, 2, 1 * SECOND, harvest=5)
    once.advance(200 * SECOND)
    assert whole(table) == whole(once)
    assert {row["reason"] for row in rows(table, "seat")} == {"seated", "dropout"}


def test_one_message_does_not_settle_more_periods_than_allowed():
    table = turns(core={"periods": 12})
    assert table.advance(3600 * SECOND, max_periods=5) is False
    assert table.episode.period == 5
    assert table.advance(3600 * SECOND, max_periods=5) is False
    assert table.episode.period == 10
    assert table.advance(3600 * SECOND, max_periods=5) is True
    assert table.episode.done


# -- bots ------------------------------------------------------------------------------------


def test_bots_think_only_in_their_turn_and_see_earlier_decisions(monkeypatch):
    seats = []
    real = answers.question

    def question(setup, episode, chair, *talk):  # type: ignore[no-untyped-def]
        wanted = real(setup, episode, chair, *talk)
        seats.append((chair.seat, wanted.seen["earlier_harvest"].tolist()))
        return wanted

    monkeypatch.setattr(answers, "question", question)
    table = turns()
    assert (seats, table.answers) == ([], {})
    act(table, 2, 1 * SECOND, harvest=7)
    assert seats == []
    act(table, 0, 2 * SECOND, harvest=4)
    assert list(table.answers) == [1]
    table.advance(3 * SECOND)
    assert len(seats) == 1
    table.advance(4 * SECOND)
    assert list(table.answers) == [3]
    table.advance(6 * SECOND)
    seen = [(seat, [x for x in earlier if x == x]) for seat, earlier in seats]
    assert seen == [(1, [4.0, 7.0]), (3, [4.0, 2.0, 7.0])]


def test_a_bot_never_takes_longer_than_a_seat_has():
    table = turns(people=(2,), bot_delay="fixed:seconds=60")
    act(table, 2, 1 * SECOND)
    table.advance(31 * SECOND)
    # three bots of 10 s each
    assert [who["at_ms"] for who in rows(table, "period")[0]["seats"]] == [
        11000,
        21000,
        1000,
        31000,
    ]
    assert [who["by"] for who in rows(table, "period")[0]["seats"]].count("policy") == 3
