"""Responses from the administrator's pages and the REST API, in this process."""

from __future__ import annotations

import re
from typing import Any

import pytest

from mixed_company.server import live
from tests.server.inside import Session, asked, inside, posted

__all__ = ["inside"]  # a fixture

BRIEF: dict[str, Any] = {"seed": "3", "periods": 2, "participation_fee": 2.0}


def pressed(session: Session, mode: str = "all") -> None:
    """Press "Advance slowest participants" on the Monitor page."""
    page = asked(f"/SessionMonitor/{session.code}").text
    name, token = re.findall(r'type="hidden" name="(\w+)" value="(\d+)"', page)[0]
    answer = posted(f"/AdvanceSession/{session.code}", data={name: token, "advancemode": mode})
    assert answer.status_code in (200, 302)


def pages(session: Session) -> list[str]:
    """Return each person's page, or "elsewhere" for people who are playing or have not come."""
    before = {row["participant"]: row["page"] for row in session.board()["before"]}
    return [before.get(person.code, "elsewhere") for person in session.people]


def test_advancing_leads_readers_to_the_quiz_and_nobody_past_it(inside):
    session = Session("commons", 3, **BRIEF)
    ann, ben, _ = session.people
    ann.come()
    ben.come().send()
    assert pages(session) == ["Instructions", "Quiz", ""]
    for _ in range(3):
        pressed(session)
    assert pages(session) == ["Quiz", "Quiz", ""]


def test_advancing_leads_people_in_the_practice_to_the_play(inside):
    session = Session("commons", 2, **BRIEF, quiz=False, practice_periods=2)
    ann = session.people[0].come().send()
    assert ann.page == "Practice"
    pressed(session, "visited_only")
    assert ann.come().page == "Play"
    assert pages(session)[1] == ""
    without = Session("commons", 1, **BRIEF, quiz=False)
    without.people[0].come()
    pressed(without)
    assert pages(without) == ["Instructions"]  # nobody enters a play without having seen it


def test_advancing_lets_a_policy_decide_for_the_slowest_and_removes_nobody(inside):
    session = Session("commons_two_people", 2, **BRIEF, quiz=False)
    for person in session.people:
        person.come().send()
    for person in session.people:
        live.lobby(person.player(), {"kind": "sync"})
    ann, ben = (person.come() for person in session.people)
    seated = [person.player() for person in (ann, ben)]
    for player in seated:
        live.play(player, {"kind": "sync"})
    decision = {"kind": "act", "id": "a", "period": 0, "action": {"harvest": 1, "contribution": 0}}
    live.play(seated[0], decision)
    pressed(session)
    from mixed_company.server.open.tables import tables

    played = tables.settled(ann.player())
    assert played.episode.period == 1
    assert [person.come().page for person in (ann, ben)] == ["Play", "Play"]


def test_advancing_ends_the_wait_in_a_lobby(inside):
    session = Session("commons_two_people", 1, **BRIEF, quiz=False, lobby_outcome="release")
    [ann] = session.people
    assert ann.come().send().page == "Lobby"
    live.lobby(ann.player(), {"kind": "sync"})
    pressed(session)
    assert ann.come().page == "Results"
    assert ann.player().status == "released"


def test_payments_list_the_people_who_are_paid_with_their_mean(inside):
    """Pay two people who take 3 fish in each of 2 periods: 6 points at 0.1, plus 2.00, is 2.60."""
    session = Session("commons", 3, **BRIEF, quiz=False, real_world_currency_per_point=0.1)
    for person in session.people[:2]:
        person.come().send().play(harvest=3.0)
    page = asked(f"/SessionPayments/{session.code}").text
    assert page.count("€2.60") == 3  # for two people, and the mean
    assert page.count("€5.20") == 1
    assert "€0.00" in page
    participant = session.people[0].player().participant
    assert participant.payoff_plus_participation_fee() == 2.6
    assert participant.payoff_in_real_world_currency() == 0.6


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("api/export_app?app=nobody", "app = 'nobody': should be one of"),
        (
            "api/export_app_custom?app=commons_game&function_name=custom_export_nothing",
            "function_name = 'custom_export_nothing': should be one of",
        ),
        ("api/export_wide?session_code=nobody", "session_code = 'nobody': there is no such"),
        ("api/export_app?app=commons_game&session_code=nobody", "there is no such session"),
    ],
)
def test_missing_things_are_reported_by_name(inside, path, sentence):
    answer = asked(f"/{path}")
    assert answer.status_code == 404
    assert sentence in answer.text


def test_exports_of_existing_data_are_answered(inside):
    session = Session("commons", 1, **BRIEF)
    table = "api/export_app_custom?app=commons_game&function_name=custom_export_outcomes"
    for path in ("api/export_wide", "api/export_app?app=commons_game", table):
        joint = "&" if "?" in path else "?"
        for query in ("", f"{joint}session_code={session.code}"):
            answer = asked(f"/{path}{query}")
            assert answer.status_code == 200, (path, answer.text)
            assert session.people[0].code in answer.text


def test_a_report_of_a_session_without_one_is_refused_by_name(inside):
    session = Session("commons", 1, **BRIEF)
    answer = asked(f"/AdminReport/{session.code}")
    assert answer.status_code == 404
    assert f"session {session.code} has no report" in answer.text


@pytest.mark.parametrize(
    "path",
    [
        *("demo", "sessions", "create_session", "rooms", "room_without_session/lab"),
        *("ExportIndex", "server_check", "login"),
        *("SessionStartLinks/{code}", "SessionMonitor/{code}", "SessionPayments/{code}"),
        *("SessionData/{code}", "SessionDescription/{code}", "SessionEditProperties/{code}"),
    ],
)
def test_every_page_of_the_administrator_ends_its_head_with_our_style(inside, path):
    code = Session("commons_two_people", 2, **BRIEF).code if "{" in path else ""
    answer = asked(f"/{path.format(code=code)}")
    assert answer.status_code == 200
    assert '<html lang="en">' in answer.text
    *_, tokens, look = answer.text.partition("</head>")[0].split("<link")[1:]
    assert ["/static/mixed/tokens.css" in tokens, "/static/mixed/admin.css" in look] == [True] * 2
    assert "<style" not in look


def test_logging_out_leads_to_the_login(inside):
    for _ in range(2):
        answer = asked("/logout", follow=False)
        assert answer.status_code == 302
        assert answer.headers["location"].endswith("/login")


def test_the_state_of_play_is_reported_in_plain_text(inside):
    [ann] = Session("commons", 1, **BRIEF, quiz=False).people
    ann.come().send().play(periods=1)
    lines = asked("/live_state").text.splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        "tables open",
        "pages connected",
        "people in lobbies",
        "everything is saved",
        "longest delay in the last minute",
        "longest wait for a page in the last minute",
    ]
    assert int(lines[0].split()[-1]) >= 1
