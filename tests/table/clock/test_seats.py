"""Seats in plays on a clock: people leave and return in the middle of turns, and bots choose in
time."""

from __future__ import annotations

import pytest

from tests.table.clock.tables import UP, clock, press, settled, vote
from tests.table.plays import act, events, rows, view


def test_a_stand_in_takes_over_in_the_middle_of_a_turn_and_leaves_at_the_next_one() -> None:
    table = vote([0, 1], 4, {"turns": 30}, grace_seconds=10)
    for now in (3000, 6000, 9000, 12_000):
        table.hear(0, now)
    table.hear(1, 13_000)  # not heard from since 0: replaced at 10 s, in turn 2 (from 8 s to 12 s)
    assert table.period_ms == 12_000
    shown = view(table, 1, 13_000)
    assert (shown["phase"], shown["standin"]) == ("waiting", True)
    refused = press(table, 1, 13_500, UP)
    assert "stand-in" in refused["reason"]
    table.hear(0, 16_000)
    assert view(table, 1, 16_000)["phase"] == "decide"
    assert press(table, 1, 16_500, UP)["kind"] == "ack"
    table.advance(20_000)
    assert [row["seats"][1]["by"] for row in rows(table, "period")] == [
        "default",
        "default",
        "policy",
        "policy",
        "person",
    ]
    assert rows(table, "period")[2]["seats"][1]["at_ms"] == 10_000
    assert settled(table) == [4000, 8000, 12_000, 16_000, 20_000]
    timeline = [
        (row["occupant"], row["since_period"], row["reason"], row["at_ms"])
        for row in rows(table, "seat")
        if row["seat"] == 1
    ]
    assert timeline == [
        ("person", 0, "seated", 0),
        ("policy", 2, "dropout", 10_000),
        ("person", 4, "returned", 16_000),
    ]
    assert table.seats[1].periods == 3


def test_a_stand_in_who_arrives_as_the_turn_ends_still_plays_it() -> None:
    table = vote([0, 1], 2, grace_seconds=10)
    table.hear(0, 9000)
    table.advance(12_000)
    assert [row["seats"][1]["by"] for row in rows(table, "period")] == ["default"] * 4 + [
        "policy"
    ] * 2
    assert [row["at_ms"] for row in events(table, "takeover")] == [10_000]
    assert settled(table) == [2000, 4000, 6000, 8000, 10_000, 12_000]


def test_the_choice_of_a_person_who_leaves_in_the_same_turn_counts() -> None:
    table = clock([0, 1], 15, grace_seconds=10)
    act(table, 1, 1000, harvest=6)
    table.hear(0, 9000)
    table.hear(1, 12_000)  # a policy takes over at 11 s, and the person is back in the same turn
    assert table.seats[1].occupant == "policy"
    assert "stand-in" in act(table, 1, 12_000, id="again", harvest=1)["reason"]
    table.hear(0, 15_000)
    row = rows(table, "period")[0]
    assert (row["at_ms"], row["sent"]["harvest"][1]) == (15_000, 6.0)
    assert (row["seats"][1]["by"], table.seats[1].points) == ("person", 6.0)
    assert view(table, 1, 15_000)["phase"] == "decide"


def test_bots_choose_when_a_turn_begins() -> None:
    table = vote([0], bots="forager,noisy_person")
    assert {seat: decision.at_ms for seat, decision in table.decided.items()} == {1: 0, 2: 0}
    chosen = [table.decided[seat].action["action"] for seat in (1, 2)]
    press(table, 0, 1900, UP)
    table.advance(2000)
    row = rows(table, "period")[0]
    assert row["sent"]["action"][1:] == chosen
    assert [who["at_ms"] for who in row["seats"]] == [1900, 0, 0]
    assert {seat: decision.at_ms for seat, decision in table.decided.items()} == {1: 2000, 2: 2000}


@pytest.mark.parametrize(("delay", "received"), [(1.2, 1200), (2, 2000), (60, 2000)])
def test_bots_that_think_long_choose_by_the_end_of_the_turn(delay: float, received: int) -> None:
    table = vote([0], bot_delay=f"fixed:seconds={delay}")
    table.advance(4000)
    for turn, row in enumerate(rows(table, "period")):
        assert [who["by"] for who in row["seats"]] == ["default", "policy", "policy"]
        assert [who["at_ms"] - 2000 * turn for who in row["seats"][1:]] == [received] * 2
    assert settled(table) == [2000, 4000]
