"""Occupants of seats: takeover after the grace period, return of the person, and pay."""

from __future__ import annotations

import pytest

from mixed_company import engine, policies
from mixed_company.table.options import Options
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from tests.table.plays import SECOND, act, events, open_table, rows, started, view


def stay(table, seat, start, end):  # type: ignore[no-untyped-def]
    """Send a heartbeat from an open page every five seconds."""
    for second in range(start, end + 1, 5):
        table.hear(seat, second * SECOND)


def test_bots_fill_the_empty_seats_in_turn():
    table = open_table([1], bots="greedy,fixed:harvest=3")
    assert [chair.policy_id for chair in table.seats] == [
        "greedy",
        None,
        "fixed:harvest=3",
        "greedy",
    ]


def test_a_person_who_is_silent_for_the_grace_time_is_replaced_and_the_play_goes_on():
    table = started([0, 1], decision_seconds=0, grace_seconds=30, dropout_bot="greedy")
    stay(table, 0, 0, 40)
    assert table.seats[1].occupant == "policy"
    assert events(table, "takeover") == [
        {
            "kind": "event",
            "at_ms": 30 * SECOND,
            "period": 0,
            "event": "takeover",
            "seat": 1,
            "detail": "greedy",
        }
    ]
    assert table.seats[1].gaps == 1
    act(table, 0, 41 * SECOND)
    assert rows(table, "period")[0]["sent"]["harvest"] == [1.0, 10.0, 2.5, 2.5]


def test_the_person_who_returns_gets_the_seat_back_at_the_next_period():
    table = started([0, 1], decision_seconds=60, grace_seconds=20, bot_delay="fixed:seconds=2")
    stay(table, 0, 0, 25)
    table.hear(1, 26 * SECOND)
    assert view(table, 1, 26 * SECOND)["phase"] == "waiting"
    assert view(table, 1, 26 * SECOND)["standin"] is True
    refused = act(table, 1, 26 * SECOND)
    assert refused["kind"] == "refused"
    assert "stand-in" in refused["reason"]
    act(table, 0, 27 * SECOND)
    assert table.episode.period == 1
    assert view(table, 1, 27 * SECOND)["phase"] == "decide"
    assert act(table, 1, 28 * SECOND)["kind"] == "ack"
    timeline = [
        (row["occupant"], row["since_period"], row["reason"])
        for row in rows(table, "seat")
        if row["seat"] == 1
    ]
    assert timeline == [
        ("person", 0, "seated"),
        ("policy", 0, "dropout"),
        ("person", 1, "returned"),
    ]


def test_a_decision_made_before_leaving_counts_and_the_stand_in_starts_later():
    table = started([0, 1], decision_seconds=0, grace_seconds=20)
    act(table, 1, 1 * SECOND, harvest=4)
    stay(table, 0, 0, 25)
    act(table, 0, 26 * SECOND)
    first = rows(table, "period")[0]
    assert first["seats"][1] == {
        "action": {"harvest": 4.0, "contribution": 0.0},
        "by": "person",
        "at_ms": 1 * SECOND,
        "policy_id": None,
        "delay_ms": None,
        "occupant": "person",
    }
    dropout = [row for row in rows(table, "seat") if row["reason"] == "dropout"]
    assert dropout[0]["since_period"] == 1
    assert table.seats[1].points == 4.0


def test_a_person_is_paid_for_the_periods_with_an_own_decision():
    # Fixed bots take 2 per period. Person 1 takes 5, is away for one period, and takes 5 again.
    table = started(
        [0, 1], decision_seconds=0, grace_seconds=20, bots="fixed:harvest=2", dropout_bot="greedy"
    )
    act(table, 1, 1 * SECOND, harvest=5)
    act(table, 0, 1 * SECOND)
    stay(table, 0, 5, 25)
    act(table, 0, 26 * SECOND)
    assert table.episode.period == 2
    table.hear(1, 27 * SECOND)
    act(table, 0, 28 * SECOND)  # the stand-in of period 2 has answered: period 3 begins
    assert table.episode.period == 3
    act(table, 1, 29 * SECOND, harvest=5)
    act(table, 0, 29 * SECOND)
    assert table.seats[1].points == 10.0
    assert table.seats[1].periods == 2
    assert table.seats[1].seat_points == 5 + 10 + 10 + 5


def test_a_person_who_never_returned_sees_no_points_of_the_stand_in():
    table = started([0, 1], decision_seconds=10, grace_seconds=15)
    table.advance(600 * SECOND)
    assert table.episode.done
    assert view(table, 1, 600 * SECOND)["points"] == 0.0


def test_silences_are_counted_as_disconnections():
    table = started([0], decision_seconds=0, grace_seconds=60)
    stay(table, 0, 5, 20)
    table.hear(0, 45 * SECOND)
    table.hear(0, 50 * SECOND)
    assert table.seats[0].gaps == 1


def test_with_disclosure_none_a_view_never_reveals_a_bot():
    table = started([0, 1], decision_seconds=30, bot_delay="fixed:seconds=7")
    shown = view(table, 0, 1 * SECOND)
    assert [set(seat) for seat in shown["seats"]] == [{"seat", "you", "decided"}] * 4
    assert shown["remaining_ms"] == 29 * SECOND
    act(table, 0, 2 * SECOND)
    # while waiting, the clock still shows the period's deadline, not the time of a bot's answer
    assert view(table, 0, 2 * SECOND)["remaining_ms"] == 28 * SECOND


def test_with_disclosure_labels_a_view_shows_which_seats_are_bots_now():
    table = started([0, 1], disclosure="labels", decision_seconds=0, grace_seconds=20)
    occupants = [seat["occupant"] for seat in view(table, 0, 0)["seats"]]
    assert occupants == ["person", "person", "policy", "policy"]
    stay(table, 0, 0, 25)
    occupants = [seat["occupant"] for seat in view(table, 0, 25 * SECOND)["seats"]]
    assert occupants == ["person", "policy", "policy", "policy"]


@pytest.mark.parametrize("answer", ["raise", "nonsense"])
def test_a_failing_policy_takes_the_default_is_logged_and_the_play_goes_on(answer, monkeypatch):
    from bots.commons_game.greedy import Greedy

    def act_badly(self, seats):  # type: ignore[no-untyped-def]
        if answer == "raise":
            raise RuntimeError("out of order")
        return {"harvest": "all of it"}, seats.memory

    monkeypatch.setattr(Greedy, "act_together", act_badly)
    table = started([0], bots="greedy")
    act(table, 0, 1 * SECOND)
    first = rows(table, "period")[0]
    assert first["sent"]["harvest"] == [1.0, 0.0, 0.0, 0.0]
    assert [who["by"] for who in first["seats"]] == ["person", "default", "default", "default"]
    faults = [row for row in events(table, "policy_fault") if row["period"] == 0]
    assert len(faults) == 3
    assert ("out of order" if answer == "raise" else "is missing") in faults[0]["detail"]
    assert table.episode.period == 1


def test_a_policy_takes_over_with_its_initial_memory():
    """A grim trigger remembers from the start that nobody has broken the rule."""
    game = engine.make("sanctions", archetype="lab")
    chosen = Setup(config=game.config.model_dump(mode="json"), options=Options(bots="grim_trigger"))
    table = Table.open(chosen, [0], seed=7, now=0)
    start = policies.make("grim_trigger", game).start()
    assert start != {}
    assert [chair.memory for chair in table.seats] == [{}, *[start] * 3]


def test_a_clock_that_never_stopped_has_stopped_for_no_time():
    table = started([0])
    assert [table.stands_ms(time_ms) for time_ms in (0, 5 * SECOND)] == [0, 0]
    table.stood_ms = 2 * SECOND
    assert table.stands_ms(5 * SECOND) == 0
    assert table.apart is False
