"""The lobby over real sockets: what was promised is kept."""

from __future__ import annotations

import time

import pytest

from tests.door.audit import table
from tests.door.harness import Person, Server

pytestmark = [pytest.mark.door, pytest.mark.xdist_group("browser")]


def lone_person(server: Server, outcome: str) -> tuple[dict, Person, dict]:
    """One of two people comes and asks until the promise of one second is over."""
    session = server.session(
        "commons_two_people",
        2,
        quiz=False,
        bot_delay="instant",
        lobby_seconds=1.0,
        lobby_outcome=outcome,
    )
    person = server.join(session)
    person.walk_to("Lobby")
    live = person.live()
    view = live.ask({"kind": "sync"})
    assert (view["phase"], view["here"], view["needed"]) == ("waiting", 1, 2)
    assert 0 < view["remaining_ms"] <= 1000
    time.sleep(view["remaining_ms"] / 1000)
    return session, person, live.ask({"kind": "tick"})


def test_when_the_promise_is_over_bots_take_the_other_seats(server: Server) -> None:
    session, person, view = lone_person(server, "bots")
    assert view["phase"] == "seated"
    person.next()
    assert person.page_name == "Play"
    person.live().ask({"kind": "sync"})
    seats = table(server, "seats", session)
    assert sorted(seats["occupant"]) == ["person", "policy", "policy", "policy"]


def test_a_released_person_is_told_and_paid_for_coming(server: Server) -> None:
    session, person, view = lone_person(server, "release")
    assert view["phase"] == "released"
    person.next()
    assert person.page_name == "Results"
    assert "There were not enough people for a group." in person.page.text
    assert "2.00" in person.page.text
    assert table(server, "outcomes", session)["status"].tolist() == ["released", "arriving"]


def test_an_extended_promise_is_said_and_kept(server: Server) -> None:
    _, _, view = lone_person(server, "extend")
    assert (view["phase"], view["extended"]) == ("waiting", True)
    assert 0 < view["remaining_ms"] <= 1000


def test_a_page_that_lingers_in_the_lobby_disturbs_nobody(server: Server) -> None:
    session = server.session("commons_two_people", 4, quiz=False, lobby_seconds=2.0)
    people = [server.join(session) for _ in range(3)]
    rooms = []
    for person in people:
        person.walk_to("Lobby")
        rooms.append(person.live())
    rooms[0].ask({"kind": "sync"})
    rooms[1].ask({"kind": "sync"})
    assert rooms[2].ask({"kind": "sync"})["phase"] == "waiting"
    time.sleep(2)  # what the third was promised
    # the first has a group already; its page says once more that it is there
    assert rooms[0].ask({"kind": "tick"})["phase"] == "seated"
    assert rooms[2].receive("view")["phase"] == "seated"


def test_nobody_leaves_the_lobby_before_there_is_a_group(server: Server) -> None:
    session = server.session("commons_two_people", 2, quiz=False)
    person = server.join(session)
    person.walk_to("Lobby")
    person.live().ask({"kind": "sync"})
    person.next()
    assert person.page_name == "Lobby"
    assert "Your group is not complete yet." in person.page.text
