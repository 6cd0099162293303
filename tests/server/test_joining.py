"""Links for everyone: admission, the order of its checks, and the stored values."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from otree import database
from otree.common import get_models_module
from otree.models import Participant
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse

from mixed_company.server.gate.request import Refused
from mixed_company.server.mends import joining
from tests.server.inside import Session, inside, newcomer

__all__ = ["inside"]  # a fixture


@pytest.fixture
def way(inside: None, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a visitor's state. `way.done` lists the checks and the stored values."""
    state = SimpleNamespace(met=None, person=None, may=True, shut=False, placed=None, done=[])

    def label(request: str, options: str) -> str:
        if request == "wrong":
            raise Refused(400, "no label")
        return f"{request}-labelled"

    stand_ins = {
        (joining.places, "introduced"): lambda request, session: state.met,
        (joining.arrivals, "options_of"): lambda session: "options",
        (joining.arrivals, "with_label"): label,
        (joining.arrivals, "known_of"): lambda *arguments: arguments,
        (joining.returning, "named_by"): lambda request, session: state.person,
        (joining.returning, "may_return"): lambda *arguments: (
            state.done.append(arguments) or state.may
        ),
        (joining.returning, "placed"): lambda request, session: state.placed,
        (joining.returning, "remember"): lambda *arguments: state.done.append(arguments),
        (joining, "_is_shut"): lambda session: state.shut,
        (joining, "_started"): lambda *arguments: ("started", *arguments),
        (joining, "Participant"): SimpleNamespace(objects_first=lambda code: f"person {code}"),
        (joining.door, "elsewhere_page"): lambda options: f"elsewhere, {options}",
        (joining.door, "shut_page"): lambda options: f"shut, {options}",
        (joining.door, "full_page"): lambda *arguments: ("full", *arguments),
        (joining.door, "gone_page"): lambda: "gone",
    }
    for (owner, name), value in stand_ins.items():
        monkeypatch.setattr(owner, name, value)
    return state


def answered(answer: Any = "theirs", session: Any = "session", request: Any = "asks") -> Any:
    """Return the response to a visitor to whom oTree responds like this."""
    return joining._answered("view", request, lambda view, request: answer, session, "room")


def test_a_visitor_without_a_name_is_given_one_first(way):
    way.met = "introduction"
    assert answered() == answered(session=None) == "introduction"
    way.met = None
    assert answered(session=None) == "theirs"  # in a room without a session


def test_a_label_of_another_person_leads_elsewhere(way):
    way.person, way.may, way.shut = "person", False, True
    assert answered() == "elsewhere, options"
    assert way.done == [("person", "asks-labelled", "options", "room")]
    way.may = True
    assert answered() == "theirs"  # even while admission is closed


def test_closed_admission_is_open_for_people_who_had_a_place(way):
    way.shut = True
    assert answered() == "shut, options"
    way.placed = "person"
    assert answered() == "theirs"
    way.shut, way.placed = False, None
    assert answered() == "theirs"


def test_a_visitor_without_a_place_learns_what_to_do(way):
    assert answered(joining.door.Full()) == ("full", "options", ("asks-labelled", "options"))


def test_an_admitted_visitor_is_remembered_and_starts(way: Any) -> None:
    answer = answered(RedirectResponse("/InitializeParticipant/abc"))
    assert answer == ("started", "asks-labelled", "person abc")
    assert way.done == [("asks-labelled", "person abc")]


@pytest.mark.parametrize(("consent", "page"), [("", "Instructions"), ("We keep data.", "Consent")])
def test_a_link_leads_straight_to_the_first_page(inside: None, consent: str, page: str) -> None:
    session = Session("commons", 2, consent=consent, panel_parameters="P")
    answer = newcomer(f"{session.link}?P=k7")
    assert answer.url.split("/")[-2] == page
    # one redirect to see whether the browser keeps its cookie, and one to the page
    assert len(answer.history) == 2
    with database.session_scope():
        [person] = Participant.objects_filter(_session_code=session.code, visited=True)
        player = get_models_module("commons_game").Player.objects_get(participant=person)
        assert (person.label, player.parameters) == ("k7", '{"P": "k7"}')
    alone = session.people[1].come()
    assert alone.page == page


def test_a_refused_link_takes_no_place(inside: None) -> None:
    session = Session("commons", 1, panel_parameters="P,Q")
    assert newcomer(f"{session.link}?P=a&Q=<b>").status_code == 400
    assert newcomer(f"{session.link}?P=a&Q=b").url.split("/")[-2] == "Instructions"


def test_an_impossible_label_is_refused(way):
    answer: Any = answered(request="wrong")
    assert (answer.status_code, answer.body) == (400, b"no label")


@pytest.mark.parametrize(
    ("welcome", "is_room", "answer", "shown"),
    [
        ("", True, "theirs", "bids welcome"),
        ("1", False, "theirs", "bids welcome"),
        ("1", True, "theirs", "theirs"),
        ("1", True, HTMLResponse("<pre>no such label</pre>", 404), "gone"),
        ("1", True, HTMLResponse("<p>full</p>", 404), None),
        ("1", True, HTMLResponse("<pre>x</pre>", 200), None),
        ("1", True, PlainTextResponse("<pre>x</pre>", 404), None),
    ],
)
def test_a_room_answers_people_with_pages(way, welcome, is_room, answer, shown, monkeypatch):
    room = SimpleNamespace(get_session=lambda: "session")
    calls: list[Any] = []

    def recorded(*arguments: Any) -> Any:
        calls.append(arguments[-2:])
        return answer

    monkeypatch.setattr(joining, "ROOM_DICT", {"lab": room} if is_room else {})
    monkeypatch.setattr(joining, "_room", lambda view, request: "bids welcome")
    monkeypatch.setattr(joining, "_answered", recorded)
    request: Any = SimpleNamespace(
        path_params={"room_name": "lab"}, query_params={"welcome_page_ok": welcome}
    )
    result = joining._assigned("view", request)
    assert result == (answer if shown is None else shown)
    assert calls == ([] if shown == "bids welcome" else [("session", room)])


@pytest.mark.parametrize("exists", [True, False])
def test_the_link_of_a_missing_session_leads_to_a_page(way, exists, monkeypatch):
    def first(_anonymous_code: str) -> Any:
        assert _anonymous_code == "babecidu"
        return "session" if exists else None

    monkeypatch.setattr(joining, "Session", SimpleNamespace(objects_first=first))
    monkeypatch.setattr(joining, "_join", lambda view, request: "joined")
    request: Any = SimpleNamespace(path_params={"anonymous_code": "babecidu"})
    monkeypatch.setattr(joining.arrivals, "with_label", lambda request, options: request)
    assert joining._joined("view", request) == ("joined" if exists else "gone")


@pytest.mark.parametrize(
    ("exists", "visited", "shut", "shown"),
    [
        (False, False, False, "gone"),
        (True, False, False, "begins"),
        (True, False, True, "shut, options"),
        (True, True, True, "begins"),
    ],
)
def test_the_personal_link_is_closed_for_people_who_have_not_come(
    way, exists, visited, shut, shown, monkeypatch
):
    kept: list[Any] = []
    person = SimpleNamespace(visited=visited, session="session")
    people: dict[str, Any] = {"abc": person} if exists else {}
    stored = SimpleNamespace(objects_first=lambda code: people.get(code))
    monkeypatch.setattr(joining, "Participant", stored)
    monkeypatch.setattr(joining.door, "is_shut", lambda session: shut)
    monkeypatch.setattr(joining.arrivals, "with_label", lambda request, options: request)
    monkeypatch.setattr(joining, "_started", lambda *started: kept.append(started) or "begins")
    request: Any = SimpleNamespace(path_params={"code": "abc"}, query_params={"a": "1"})
    assert joining._begun("view", request) == shown
    assert kept == ([(request, person)] if shown == "begins" else [])


def test_a_label_that_breaks_the_rules_is_not_stored(monkeypatch):
    stored: list[str | None] = []
    monkeypatch.setattr(joining, "_set_label", lambda _person, label: stored.append(label))
    for label in ("anna", None, ""):
        joining._set_checked_label(None, label)
    with pytest.raises(HTTPException) as refusal:
        joining._set_checked_label(None, "<b>")
    assert refusal.value.status_code == 400
    assert stored == ["anna", None, ""]
