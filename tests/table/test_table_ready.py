"""Readiness: if people must say that they are ready, an open page alone is not enough."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mixed_company.table.exchange import exchange
from mixed_company.table.options import Options
from mixed_company.table.protocol import Message, Refusal, parse
from mixed_company.table.rebuilding import rebuilt
from mixed_company.table.setup import session_config
from mixed_company.table.table import Table
from tests.table.plays import SECOND, act, open_table, rows, setup, view

PATIENT = {"ready": True, "grace_seconds": 60.0, "people_per_group": 2}


def says(table: Table, seat: int, kind: str, now: int) -> Any:
    """Send a message from a seat's page, and return the answer."""
    fields = {"kind": kind, "id": f"{kind} of {seat}"}
    message = parse(fields)
    assert isinstance(message, Message)
    return exchange(table, seat, message, now).answer


def stay(table: Table, seat: int, start: int, end: int) -> None:
    """Send a heartbeat from an open page every 3 s."""
    for now in range(start, end + 1, 3 * SECOND):
        says(table, seat, "alive", now)


def test_the_play_begins_when_everybody_has_said_that_they_are_ready():
    table = open_table([0, 1], **PATIENT)
    for seat in (0, 1):
        says(table, seat, "sync", 1 * SECOND)
        assert view(table, seat, 1 * SECOND)["to_confirm"]
    assert says(table, 0, "ready", 2 * SECOND).to_json()["kind"] == "ack"
    assert "to_confirm" not in view(table, 0, 2 * SECOND)
    assert table.started_ms is None
    says(table, 1, "alive", 4 * SECOND)
    assert table.started_ms is None
    says(table, 1, "ready", 5 * SECOND)
    assert table.started_ms == 5 * SECOND
    assert view(table, 1, 5 * SECOND)["phase"] == "decide"


def test_without_the_option_an_open_page_is_enough():
    table = open_table([0, 1])
    for seat in (0, 1):
        says(table, seat, "sync", 1 * SECOND)
    assert table.started_ms == 1 * SECOND
    assert "to_confirm" not in view(table, 0, 1 * SECOND)


def test_a_person_who_does_not_confirm_is_replaced_and_gets_the_seat_back_after_confirming():
    """The table waits 30 s, however active the page is. Then a policy takes the seat."""
    table = open_table([0, 1], decision_seconds=0.0, **PATIENT)
    says(table, 0, "ready", 0)
    stay(table, 1, 0, 27 * SECOND)
    assert table.started_ms is None
    says(table, 0, "alive", 29 * SECOND)
    stay(table, 1, 30 * SECOND, 33 * SECOND)
    assert table.started_ms == 30 * SECOND
    assert table.seats[1].occupant == "policy"
    assert rows(table, "seat")[-1]["reason"] == "dropout"
    shown = view(table, 1, 33 * SECOND)
    assert (shown["standin"], shown["to_confirm"]) == (True, True)
    says(table, 1, "ready", 34 * SECOND)
    assert "to_confirm" not in view(table, 1, 34 * SECOND)
    act(table, 0, 35 * SECOND)
    assert table.seats[1].occupant == "person"
    assert table.episode.period == 1


def test_a_person_alone_with_bots_has_the_grace_time_to_confirm_because_nobody_waits():
    """In a group of two, the limit would be 30 s."""
    table = open_table([0], decision_seconds=0.0, **{**PATIENT, "people_per_group": 1})
    stay(table, 0, 0, 57 * SECOND)
    assert table.started_ms is None
    stay(table, 0, 60 * SECOND, 60 * SECOND)
    assert table.started_ms == 60 * SECOND
    assert table.seats[0].occupant == "policy"


def test_a_person_who_has_confirmed_need_not_do_so_again_after_a_silence():
    table = open_table([0, 1], **{**PATIENT, "grace_seconds": 20.0}, decision_seconds=0.0)
    for seat in (0, 1):
        says(table, seat, "ready", 0)
    stay(table, 0, 0, 27 * SECOND)
    assert table.seats[1].occupant == "policy"
    says(table, 1, "alive", 28 * SECOND)
    assert table.seats[1].returning
    assert "to_confirm" not in view(table, 1, 28 * SECOND)


def test_a_decision_counts_as_being_ready():
    """A client without the button can still play."""
    table = open_table([0], **{**PATIENT, "people_per_group": 1})
    answer = act(table, 0, 1 * SECOND)
    assert table.started_ms == 1 * SECOND
    assert answer["kind"] == "ack"


def test_a_person_who_is_out_because_of_not_confirming_is_refused_later():
    table = open_table(
        [0, 1], archetype="unequal", ready=True, dropout="reduced", grace_seconds=20.0
    )
    says(table, 0, "ready", 0)
    says(table, 0, "alive", 15 * SECOND)
    stay(table, 1, 0, 21 * SECOND)
    assert table.seats[1].occupant == "nobody"
    answer = says(table, 1, "ready", 24 * SECOND)
    assert isinstance(answer, Refusal)
    assert answer.reason == "the game is over"


def test_confirming_twice_changes_nothing():
    table = open_table([0, 1], **PATIENT)
    first = says(table, 0, "ready", 1 * SECOND)
    again = says(table, 0, "ready", 1 * SECOND)
    assert first == again
    assert len(rows(table, "heard")) == 1


@pytest.mark.parametrize("last", [12, 40])
def test_the_table_is_the_same_when_rebuilt_from_its_journal(last):
    """The two are compared before and after the late person has come."""
    table = open_table([0, 1], decision_seconds=9.0, **PATIENT)
    journal: list[Any] = []
    for now in range(0, last * SECOND, 3 * SECOND):
        says(table, 0, "ready" if now == 0 else "alive", now)
        says(table, 1, "ready" if now == 36 * SECOND else "alive", now)
        journal += table.take_rows()
    again = rebuilt(setup(decision_seconds=9.0, **PATIENT), json.loads(json.dumps(journal)))
    again.advance(last * SECOND)
    table.advance(last * SECOND)
    table.take_rows()
    again.take_rows()
    assert json.loads(again.to_json()) == json.loads(table.to_json())
    assert table.seats[1].came == (last > 36)


def test_new_sessions_ask_and_configs_of_earlier_releases_do_not():
    assert session_config("x", "commons_game", "lab")["ready"] is True
    assert Options().ready is False


# -- the first view -------------------------------------------------------------------------------


def sync(table: Table, seat: int, now: int, drawn: bool) -> None:
    exchange(table, seat, Message("sync", drawn=drawn), now)


def test_the_first_period_begins_when_the_page_is_drawn_and_not_when_it_asks():
    """The time for the decision counts from the heartbeat that the page sends after drawing."""
    table = open_table([0], decision_seconds=2.0)
    sync(table, 0, 0, drawn=False)
    exchange(table, 0, Message("shown", sent_ms=0), SECOND)
    assert table.started_ms is None
    assert view(table, 0, SECOND)["phase"] == "waiting"
    says(table, 0, "alive", 3 * SECOND)
    shown = view(table, 0, 3 * SECOND)
    assert (shown["phase"], shown["remaining_ms"]) == ("decide", 2 * SECOND)


def test_a_page_that_is_never_drawn_holds_the_table_for_half_a_minute_at_most():
    """The other person's play begins with a bot in that seat."""
    table = open_table([0, 1])
    sync(table, 0, 0, drawn=True)
    for now in range(0, 30 * SECOND, 3 * SECOND):
        sync(table, 1, now, drawn=False)
        says(table, 0, "alive", now)
    assert table.started_ms is None
    says(table, 0, "alive", 30 * SECOND)
    assert table.started_ms == 30 * SECOND
    assert table.seats[1].occupant == "policy"


def test_a_person_who_has_come_is_there_as_soon_as_a_reloaded_page_asks():
    table = open_table([0, 1])
    for seat in (0, 1):
        says(table, seat, "alive", 0)
    sync(table, 0, 5 * SECOND, drawn=False)
    assert table.seats[0].last_seen_ms == 5 * SECOND
