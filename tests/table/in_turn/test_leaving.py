"""Leaving and returning when seats decide in turn: a stand-in waits for its seat's turn."""

from __future__ import annotations

import pytest

from tests.table.in_turn.tables import turns
from tests.table.layered import IN_TURN, misreplayed, opened, stay
from tests.table.plays import SECOND, act, events, rows, view


def test_a_stand_in_that_takes_over_in_the_middle_of_a_turn_decides_in_it() -> None:
    table = turns(decision_seconds=0, grace_seconds=15, dropout_bot="fixed:harvest=9")
    stay(table, [0], 0, 15)
    assert table.seats[2].occupant == "policy"
    assert list(table.answers) == [2]
    table.advance(16 * SECOND)
    assert table.episode.turn == 2
    table.advance(17 * SECOND)
    assert table.episode.turn == 0
    assert table.decided[2].action["harvest"] == 9.0
    assert act(table, 0, 18 * SECOND)["kind"] == "ack"
    table.advance(22 * SECOND)
    assert rows(table, "period")[0]["sent"]["harvest"] == [1.0, 2.0, 9.0, 2.0]
    assert misreplayed(table) == []


def test_a_stand_in_that_takes_over_out_of_turn_waits_for_its_turn() -> None:
    table = turns(decision_seconds=0, grace_seconds=15, dropout_bot="fixed:harvest=9")
    stay(table, [2], 0, 15)
    assert table.seats[0].occupant == "policy"
    assert (table.answers, table.episode.turn) == ({}, 2)
    table.advance(60 * SECOND - 1)  # seat 2 has been silent since 15 s, so it leaves at 30 s
    assert table.seats[2].occupant == "policy"
    # 2 answers at 32 s, then 0 at 34 s
    period = rows(table, "period")[0]
    assert [who["at_ms"] for who in period["seats"]] == [34000, 36000, 32000, 38000]


def test_a_decision_made_before_leaving_counts_and_the_stand_in_starts_later() -> None:
    table = turns(decision_seconds=0, grace_seconds=15, dropout_bot="fixed:harvest=9")
    act(table, 2, 1 * SECOND, harvest=4)
    stay(table, [0], 0, 20)
    act(table, 0, 20 * SECOND)
    table.advance(24 * SECOND)
    assert rows(table, "period")[0]["sent"]["harvest"] == [1.0, 2.0, 4.0, 2.0]
    [dropout] = [row for row in rows(table, "seat") if row["reason"] == "dropout"]
    assert (dropout["seat"], dropout["since_period"]) == (2, 1)
    assert list(table.answers) == [2]  # period 1 began with its turn
    assert table.seats[2].points == 4.0


@pytest.mark.parametrize("turn", ["own", "of another"])
def test_a_person_who_returns_decides_again_in_the_next_period(turn: str) -> None:
    seat, other = (2, 0) if turn == "own" else (0, 2)
    table = turns(decision_seconds=0, grace_seconds=15, bot_delay="fixed:seconds=3")
    stay(table, [other], 0, 16)
    table.hear(seat, 16 * SECOND)
    assert view(table, seat, 16 * SECOND)["standin"] is True
    refused = act(table, seat, 16 * SECOND + 1)
    assert "stand-in" in refused["reason"]
    table.advance(19 * SECOND)
    assert act(table, other, 19 * SECOND)["kind"] == "ack"
    table.advance(28 * SECOND)
    assert table.episode.period == 1
    assert table.seats[seat].occupant == "person"
    assert view(table, 2, 28 * SECOND)["phase"] == "decide"
    assert act(table, 2, 28 * SECOND)["kind"] == "ack"
    assert act(table, 0, 28 * SECOND)["kind"] == "ack"
    assert misreplayed(table) == []
    assert len(events(table, "takeover")) == 1


def test_a_person_who_never_comes_is_replaced_at_the_start_and_the_turns_go_on() -> None:
    table = opened(
        [0, 2], agents=IN_TURN, grace_seconds=20, decision_seconds=10, bots="fixed:harvest=2"
    )
    stay(table, [0], 0, 20)
    assert table.started_ms == 20 * SECOND
    assert table.seats[2].occupant == "policy"
    assert table.episode.turn == 0  # the stand-in answered at once
    assert act(table, 0, 21 * SECOND)["kind"] == "ack"
    assert table.episode.period == 1
