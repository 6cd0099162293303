"""Responses of pages, the administrator's addresses and REST to requests that no page sends."""

from __future__ import annotations

import json
import os
import re
from types import SimpleNamespace
from typing import Any

import pytest

from tests.server.inside import Session, asked, inside, posted

__all__ = ["inside"]  # a fixture

BRIEF: dict[str, Any] = {"seed": "3", "periods": 2, "participation_fee": 2.0}


def token(page: str) -> dict[str, str]:
    """Return the token in an administrator's form, which proves where a request comes from."""
    [(name, value)] = set(re.findall(r'type="hidden" name="(\w+)" value="(\d+)"', page))
    return {name: value}


def test_no_text_of_an_address_gets_into_the_script_of_a_page(inside):
    """Guard against a script that runs in the browser of a logged-in administrator."""
    answer = asked("/demo/';alert(1);'")
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/plain")
    assert asked("/demo/commons").status_code == 200


@pytest.mark.parametrize(
    "path", ["room_without_session/attic", "room_with_session/attic", "demo/attic"]
)
def test_missing_things_are_reported_by_name(inside, path):
    answer = asked(f"/{path}")
    assert answer.status_code == 404
    assert "'attic': unknown" in answer.text


def test_a_missing_room_cannot_be_closed(inside):
    form = token(asked("/create_session").text)
    assert posted("/CloseRoom/attic", data=form).status_code == 404


@pytest.mark.parametrize("path", ["MTurkStart/{}?assignmentId=a&workerId=b", "MTurkCreateHIT/{}"])
def test_a_session_that_is_not_for_mechanical_turk_says_so(inside, path):
    code = Session("commons", 1, **BRIEF).code
    answer = asked(f"/{path.format(code)}")
    assert answer.status_code == 404
    assert answer.text == f"session {code} does not use Mechanical Turk"
    form = token(asked("/create_session").text)
    assert posted(f"/MTurkExpireHIT/{code}", data=form).status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        *("/demo", "/sessions", "/rooms", "/room_without_session/lab", "/SessionMonitor/{}"),
        *("/SessionPayments/{}", "/SessionReceipt/{}", "/session_board/{}"),
    ],
)
def test_a_page_without_a_form_accepts_nothing(inside, path):
    code = Session("commons", 1, **BRIEF).code
    form = token(asked("/create_session").text)
    assert posted(path.format(code), data=form).status_code == 405


@pytest.mark.parametrize(
    "path", ["/AdvanceSession/{}", "/ToggleArchivedSessions", "/CloseRoom/lab", "/PayMTurk/{}"]
)
def test_an_address_that_only_accepts_data_is_not_a_page(inside, path):
    assert asked(path.format(Session("commons", 1, **BRIEF).code)).status_code == 405


def test_the_person_to_advance_must_be_named(inside):
    session = Session("commons", 1, **BRIEF)
    form = token(asked(f"/SessionMonitor/{session.code}").text)
    answer = posted(f"/AdvanceSession/{session.code}", data=form)
    assert answer.status_code == 400
    assert "is required" in answer.text


@pytest.mark.parametrize(
    ("fee", "rate"),
    [("NaN", "0.1"), ("2", "NaN"), ("1e400", "0.1"), ("2", "-1"), ("", "0.1"), (None, None)],
)
def test_a_fee_or_a_rate_that_cannot_be_paid_is_refused(inside, fee, rate):
    session = Session("commons", 1, **BRIEF)
    page = asked(f"/SessionEditProperties/{session.code}").text
    amounts = {"participation_fee": fee, "real_world_currency_per_point": rate}
    form = {key: value for key, value in amounts.items() if value is not None}
    answer = posted(f"/SessionEditProperties/{session.code}", data={**token(page), **form})
    assert answer.status_code == 200
    assert "should be a number from 0" in answer.text or "Not a valid decimal" in answer.text
    assert session.people[0].come().page == "Instructions"
    form = {"participation_fee": "3", "real_world_currency_per_point": "0.2", **token(page)}
    assert posted(f"/SessionEditProperties/{session.code}", data=form).status_code == 302


def test_nobody_learns_the_number_of_the_process(inside):
    answer = posted("/SaveDB", data="foo")
    assert answer.status_code == 404
    assert str(os.getpid()) not in answer.text


@pytest.mark.parametrize("body", ["[1]", "5", "{", '{"participant_label": ["a"]}', ""])
def test_a_message_to_a_room_must_be_an_object(inside, body):
    answer = posted("/room/lab", data=body)
    assert answer.status_code == 400
    assert posted("/room/lab", json={"participant_label": "P1"}).json() == {"status": "ok"}


def test_an_unknown_button_shows_the_page_again(inside):
    [ann] = Session("commons", 1, **BRIEF).people
    ann.come()
    for page in ("Instructions", "Quiz"):
        assert ann.page == page
        ann.send(back_button="1")
        assert ann.page == page
        ann.send()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", {}),
        ("app_name=&round_number=", {}),  # fields left empty
        ("app_name=a&round_number=99", {"app_name": "a", "round_number": "99"}),
        ("app_name=c", "app_name = 'c': should be one of a, b"),
        *(
            (f"round_number={number}", "round_number: should be a whole number")
            for number in ("-1", "x", "1.5", "\u0661", "9" * 5000)
        ),
    ],
)
def test_the_round_of_a_report_must_be_a_number(inside, monkeypatch, query, expected):
    from starlette.exceptions import HTTPException
    from starlette.requests import Request

    from mixed_company.server.mends import answers

    monkeypatch.setattr(answers, "_report", lambda view: dict(view.request.query_params))
    stored = SimpleNamespace(
        code="abc", has_admin_report=lambda: True, _admin_report_apps=lambda: ["a", "b"]
    )
    scope = {"type": "http", "headers": [], "query_string": query.encode()}
    view = SimpleNamespace(session=stored, request=Request(scope))
    if isinstance(expected, str):
        with pytest.raises(HTTPException) as refused:
            answers._checked_report(view)
        assert (refused.value.status_code, refused.value.detail) == (404, expected)
    else:
        assert answers._checked_report(view) == expected


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("session_vars/{session}", {"vars": ["ab"]}, "vars = ['ab']: should be an object"),
        ("session_vars/{session}", {"vars": "abc"}, "vars"),
        ("participant_vars/{person}", {"vars": [1]}, "vars"),
        ("participant_vars", {"room_name": "lab", "participant_label": "P1", "vars": [1]}, "vars"),
        (
            "participant_vars",
            {"room_name": "lab", "participant_label": {"a": 1}, "vars": {}},
            "participant_label = {'a': 1}: should be a string",
        ),
        (
            "participant_vars",
            {"room_name": "lab", "participant_label": "x" * 300, "vars": {}},
            "participant_label: 300 characters; at most 100 are allowed",
        ),
        ("get_session/{session}", {"participant_labels": 5}, "should be a list of strings"),
        ("get_session/{session}", {"participant_labels": [{}]}, "should be a list of strings"),
        ("get_session/{session}", {"session_vars": [[]]}, "should be a list of strings"),
        ("get_session/{session}", {"participant_vars": ["a", 1]}, "should be a list of strings"),
    ],
)
def test_rest_explains_errors(inside, path, body, words):
    session = Session("commons", 1, **BRIEF)
    address = path.format(session=session.code, person=session.people[0].code)
    answer = posted(f"/api/{address}", json=body)
    assert answer.status_code == 400
    assert words in answer.text


@pytest.mark.parametrize(
    "fields",
    [
        {"participation_fee": "abc"},
        {"participation_fee": float("nan")},
        {"participation_fee": 1e300},
        {"participation_fee": {"a": 1}},
        {"participation_fee": -1},
        {"real_world_currency_per_point": 10**400},
        {"real_world_currency_per_point": float("inf")},
        {"seed": "\u00b2"},
        {"seed": "9" * 5000},
        {"seed": "\u00b2", "parts": 2},
        {"seed": "9" * 5000, "parts": 2},
    ],
)
def test_an_impossible_session_is_refused_by_the_name_of_its_key(inside, fields):
    body = {"session_config_name": "commons", "num_participants": 4}
    text = json.dumps({**body, "modified_session_config_fields": fields})  # with NaN
    answer = posted("/api/sessions", data=text)
    assert answer.status_code == 400
    assert answer.text.startswith(f"{next(iter(fields))} = ")
    assert len(answer.text) < 500


@pytest.mark.parametrize("fields", [{"label": {"a": 1}}, {"is_demo": "yes"}, {"is_mturk": 2}])
def test_the_other_arguments_of_a_session_are_checked(inside, fields):
    body = {"session_config_name": "commons", "num_participants": 4, **fields}
    answer = posted("/api/sessions", json=body)
    assert answer.status_code == 400
    assert answer.text.startswith(f"{next(iter(fields))} = ")


@pytest.mark.parametrize("value", ["abc", "a.b", "a.b.c", ""])
def test_a_cookie_of_another_application_on_the_host_is_ignored(inside, value):
    """Guard against pages that fail for people with another application's cookie of that name."""
    answer = posted("/login", headers={"cookie": f"session={value}"})
    assert answer.status_code == 403


@pytest.mark.parametrize("labels", [None, b"P1 P-2", b"\xff\xfe"])
def test_an_unreadable_list_of_labels_is_reported(inside, monkeypatch, tmp_path, labels):
    from otree.room import ROOM_DICT, LabelRoom

    file = tmp_path / "labels.txt"
    if labels is not None:
        file.write_bytes(labels)
    monkeypatch.setitem(ROOM_DICT, "listed", LabelRoom("listed", "Listed", str(file)))
    address = "/room/listed?participant_label=P1&welcome_page_ok=1"
    for answer in (
        asked(address),
        asked("/room_without_session/listed"),
        posted("/room/listed", json={"participant_label": "P1"}),
    ):
        assert answer.status_code == 503
        assert answer.text == "room listed: the list of labels cannot be read; see the server's log"
    file.write_text("P1 P2")
    assert "wait" in asked(address).text


def test_endless_time_cannot_be_added(inside):
    session = Session("commons", 1, **BRIEF)
    for seconds in (10**400, -1, True, "5"):
        status, answer = session.direct("extend", "e", group=1, seconds=seconds)
        assert (status, answer["kind"]) == (409, "refused")
        assert "seconds = " in answer["reason"]


def test_a_live_page_without_a_participant_is_read_slowly_and_not_looked_up_again(
    inside, monkeypatch
):
    """Otherwise each message would cause a database lookup, and some lookups failed."""
    from otree import database

    from mixed_company.server import sockets
    from tests.loops import complete

    [ann] = Session("commons", 1, **BRIEF).people
    looked: list[str] = []
    find = sockets.Participant.objects_first

    def first(**which: Any) -> Any:
        looked.append(which["code"])
        return find(**which)

    monkeypatch.setattr(sockets.Participant, "objects_first", staticmethod(first))
    waits: list[float] = []

    async def waited(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(sockets.asyncio, "sleep", waited)
    for code, looks in (("nobody", 1), (ann.code, 30)):  # Ann has not come yet
        page = {"participant_code": code, "page_name": "Play"}
        channel = sockets.Channel(SimpleNamespace(clean_kwargs=lambda page=page: page), None)
        looked.clear()
        for _ in range(30):
            complete(channel.receive('{"kind": "sync"}'))
        assert looked == [code] * looks
    assert any(waits)  # messages of a missing participant after the first twenty
    database.db.new_session()
