"""The lobby keeps its promises, over live channels."""

from __future__ import annotations

import pytest

from mixed_company.server import clock
from tests.door.audit import table
from tests.server.test_board_live import board
from tests.server.wire import Live, Person, Server, server

__all__ = ["server"]  # a fixture


def lone_person(server: Server, outcome: str) -> tuple[dict, Person, list[dict]]:
    """Let one of two people come and simply stay connected. Return all views until the wait is
    over."""
    session = server.session(
        "commons_two_people",
        2,
        quiz=False,
        bot_delay="instant",
        lobby_seconds=1.0,
        lobby_outcome=outcome,
        disclosure="labels",
    )
    person = server.join(session)
    person.walk_to("Lobby")
    live = person.live()
    views = [live.ask({"kind": "sync"})]
    while views[-1]["phase"] == "waiting":
        view = views[-1]
        assert (view["here"], view["needed"]) == (1, 2)
        assert 0 <= view["remaining_ms"] <= 1000
        views.append(live.receive("view"))
    return session, person, views


def test_when_the_promise_is_over_bots_take_the_other_seats(server):
    session, person, views = lone_person(server, "bots")
    assert views[-1]["phase"] == "seated"
    person.next()
    assert person.page_name == "Play"
    person.live().ask({"kind": "sync"})
    seats = table(server, "seats", session)
    assert sorted(seats["occupant"]) == ["person", "policy", "policy", "policy"]


def test_a_released_person_is_told_and_paid_for_coming(server):
    session, person, views = lone_person(server, "release")
    assert views[-1]["phase"] == "released"
    person.next()
    assert person.page_name == "Results"
    assert "There were not enough people for a group." in person.page.text
    assert "2.00" in person.page.text
    assert table(server, "outcomes", session)["status"].tolist() == ["released", "arriving"]


def test_an_extended_promise_is_announced_and_kept(server):
    since_ms = clock.now_ms()
    _, _, views = lone_person(server, "extend")
    assert clock.now_ms() - since_ms == 2000  # one second, and then another
    assert views[-1]["phase"] == "seated"
    extended = [view["extended"] for view in views if view["phase"] == "waiting"]
    assert extended == sorted(extended)


@pytest.mark.long
def test_a_page_that_lingers_in_the_lobby_disturbs_nobody(server):
    session = server.session("commons_two_people", 4, quiz=False, lobby_seconds=2.0)
    rooms = in_the_lobby(server, session, 3)
    rooms[0].ask({"kind": "sync"})
    rooms[1].ask({"kind": "sync"})
    third = rooms[2].ask({"kind": "sync"})
    # the first already has a group; its page sends another heartbeat
    assert rooms[0].ask({"kind": "tick"})["phase"] == "seated"
    while third["phase"] == "waiting":
        third = rooms[2].receive("view")
    assert third["phase"] == "seated"


def in_the_lobby(server: Server, session: dict, people: int) -> list[Live]:
    """Return the live pages of people who have reached the lobby, before their first message."""
    persons = [server.join(session) for _ in range(people)]
    for person in persons:
        person.walk_to("Lobby")
    return [person.live() for person in persons]


def test_a_person_who_closed_the_page_is_in_no_group(server):
    session = server.session(
        "commons_two_people", 4, quiz=False, lobby_seconds=600.0, disclosure="labels"
    )
    first, second, third = in_the_lobby(server, session, 3)
    assert first.ask({"kind": "sync"})["phase"] == "waiting"
    first.close()
    [first_row] = [row for row in board(server, session)["lobby"] if row["name"] == "P1"]
    assert not first_row["here"]
    view = second.ask({"kind": "sync"})
    assert (view["phase"], view["here"]) == ("waiting", 1)
    assert third.ask({"kind": "sync"})["phase"] == "seated"
    assert second.receive("view")["phase"] == "seated"
    statuses = table(server, "outcomes", session)["status"].tolist()
    assert statuses == ["waiting", "seated", "seated", "arriving"]


def test_nobody_leaves_the_lobby_before_there_is_a_group(server):
    session = server.session("commons_two_people", 2, quiz=False)
    person = server.join(session)
    person.walk_to("Lobby")
    person.live().ask({"kind": "sync"})
    person.next()
    assert person.page_name == "Lobby"
    assert "Your group is not complete yet." in person.page.text
