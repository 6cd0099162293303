"""A session's manager watches and acts on the board, and the pay is correct at the end."""

from __future__ import annotations

import re
from typing import Any

from tests.door.audit import table, wrong_numbers
from tests.door.harness import seated, synced
from tests.server.wire import Live, Person, Server, server

__all__ = ["server"]  # a fixture

CALM_PLAY = {"bot_delay": "instant", "decision_seconds": 600.0, "grace_seconds": 600.0}
CALM = {"quiz": False, **CALM_PLAY}


def board(server: Server, session: dict[str, Any]) -> dict[str, Any]:
    answer = server.get(f"/api/session_board/{session['code']}")
    assert answer.status_code == 200, answer.text
    seen: dict[str, Any] = answer.json()
    return seen


def direct(server: Server, session: dict[str, Any], kind: str, **more: Any) -> dict[str, Any]:
    body = {"kind": kind, "id": f"{kind} {sorted(more.items())}", **more}
    address = f"{server.url}/api/session_board/{session['code']}"
    answer = server.post(address, json=body)
    assert answer.status_code in (200, 409), answer.text
    result: dict[str, Any] = answer.json()
    return result


def two(server: Server, **options: Any) -> tuple[dict[str, Any], list[tuple[Person, Live]]]:
    session = server.session("commons_two_people", 4, **{**CALM, **options})
    return session, seated(server, session, 2)


def seat_of(live: Live) -> int:
    return next(seat["seat"] for seat in synced(live)["seats"] if seat["you"])


def test_the_board_shows_who_plays_and_its_actions_take_effect_and_are_exported(server):
    session, people = two(server)
    [group] = board(server, session)["groups"]
    assert (group["group"], group["period"], group["glance"]["name"]) == (1, 0, "stock")
    assert group["glance"]["value"] == 100.0
    seats = {seat["participant"]: seat for seat in group["seats"] if "participant" in seat}
    assert set(seats) == {person.code for person, _ in people}
    assert all(seat["connected"] for seat in seats.values())
    (first, live), (second, other) = people
    seat_by_code = {first.code: seat_of(live), second.code: seat_of(other)}

    assert direct(server, session, "pause", group=1)["kind"] == "ack"
    assert live.receive("view")["paused"] is True
    assert live.act(0, "too early", harvest=1, contribution=0)["reason"] == "the game is paused"
    assert direct(server, session, "go_on")["kind"] == "ack"  # all groups
    assert direct(
        server, session, "message", group=1, seat=seat_by_code[first.code], text="Hello <b>"
    )
    assert synced(live)["note"]["text"] == "Hello <b>"
    assert (
        direct(server, session, "stand_in", group=1, seat=seat_by_code[second.code])["kind"]
        == "ack"
    )
    assert synced(other)["called"] is True
    assert live.act(0, "mine", harvest=2, contribution=0)["kind"] == "ack"
    other.send({"kind": "back", "id": "here"})
    assert other.receive("ack")["id"] == "here"
    again = direct(server, session, "pause", group=7)
    assert again["reason"] == "group = 7: no group with this number is playing"
    assert direct(server, session, "end", group=1)["kind"] == "ack"
    for person, _ in people:
        person.next()
        assert person.page_name == "Results"
        assert "The game ended early." in person.page.text
    assert board(server, session)["groups"] == []
    done = {row["participant"]: row for row in board(server, session)["finished"]}
    assert {row["status"] for row in done.values()} == {"ended"}

    events = list(table(server, "events", session)["event"])
    assert [name for name in events if name != "ending"] == [
        *("paused", "resumed", "message", "handed", "ended")
    ]
    assert wrong_numbers(server, session) == []


def test_a_person_whose_page_is_the_lobby_is_shown_there_before_the_page_connects(server):
    session = server.session("commons_two_people", 2, **CALM)
    person = server.join(session)
    person.walk_to("Lobby")
    seen = board(server, session)
    [row] = seen["lobby"]
    assert (row["participant"], row["here"], row["left_s"]) == (person.code, False, None)
    assert 0 <= row["since_s"] < 600
    assert [row["page"] for row in seen["before"]] == [""]


def test_a_waiting_person_is_seen_written_to_and_released_with_pay(server):
    session = server.session("commons_two_people", 2, lobby_seconds=3600.0, **CALM)
    person = server.join(session)
    person.walk_to("Lobby")
    room = person.live()
    assert room.ask({"kind": "sync"}, "view")["phase"] == "waiting"
    [row] = board(server, session)["lobby"]
    assert (row["participant"], row["here"]) == (person.code, True)
    whom = {"participant": person.code}
    assert direct(server, session, "message", text="Soon.", **whom)["kind"] == "ack"
    assert room.receive("view")["note"]["text"] == "Soon."
    for _ in range(2):  # two requests get two answers but cause only one release
        assert direct(server, session, "release", **whom)["kind"] == "ack"
    assert room.receive("view")["phase"] == "released"
    person.next()
    assert person.page_name == "Results"
    outcomes = table(server, "outcomes", session).set_index("participant")
    assert outcomes.loc[person.code, "status"] == "released"
    assert outcomes.loc[person.code, "payment"] == 2.0
    assert outcomes.loc[person.code, "managed"].count('"what"') == 2


def test_a_page_of_the_board_is_for_the_admin_and_names_missing_sessions(server):
    assert server.get("/SessionBoard/nothere").status_code == 404
    session = server.session("commons", 1, **CALM)
    page = server.get(f"/SessionBoard/{session['code']}")
    assert page.status_code == 200
    assert "Commons: you and three bots" in page.text
    address = f"{server.url}/SessionBoard/{session['code']}"
    assert server.post(address, data={"directive": "{}"}).status_code == 403
    refused = direct(server, session, "dance")
    assert refused["reason"].startswith("kind = 'dance': should be one of skip")


def test_the_form_shows_groups_and_choices_and_the_description_shows_changes(server):
    form = server.get("/session_form/commons").text
    assert "<summary>People and bots (" in form
    assert '<select name="commons.growth"' in form
    assert "largest stock the resource can reach" in form
    session = server.session("commons", 1, capacity=60, **CALM)
    listed = server.get("/sessions").text
    assert "capacity 60" in listed
    shown = server.get(f"/SessionDescription/{session['code']}").text
    changed = re.findall(r'<th scope="row">(\w+) \(changed\)', shown)
    assert {"capacity", "quiz", "bot_delay", "decision_seconds", "grace_seconds"} <= set(changed)
    assert "people_per_group" not in changed


def test_an_excluded_person_is_paid_nothing_and_closed_admission_lets_nobody_in(server):
    session = server.session("commons_two_people", 4, quiz=False, budget=1.0, **CALM_PLAY)
    people = seated(server, session, 2)
    (first, first_live), (second, other) = people
    for live in (first_live, other):
        assert live.act(0, "a", harvest=0, contribution=0)["kind"] == "ack"
    assert direct(server, session, "shut")["kind"] == "ack"
    assert direct(server, session, "shut")["kind"] == "ack"  # once more
    assert board(server, session)["door"] == "shut"
    newcomer = server.join(session)
    assert newcomer.page.status_code == 404
    assert "This session is closed" in newcomer.page.text
    listed = server.get(f"/api/sessions/{session['code']}").json()
    codes = [person["code"] for person in listed["participants"]]
    unused = next(code for code in codes if code not in {first.code, second.code})
    by_own_link = server.get(f"/InitializeParticipant/{unused}")
    assert by_own_link.status_code == 404
    assert "This session is closed" in by_own_link.text
    first.reload()
    assert first.page_name == "Play"
    assert direct(server, session, "open")["kind"] == "ack"
    assert server.join(session).page_name == "Instructions"

    assert direct(server, session, "exclude", group=1, seat=seat_of(other))["kind"] == "ack"
    second.next()
    assert second.page_name == "Results"
    assert "The person who runs the session has ended your participation." in second.page.text
    assert direct(server, session, "end", group=1)["kind"] == "ack"
    first.next()
    outcomes = table(server, "outcomes", session).set_index("participant")
    assert outcomes.loc[second.code, "status"] == "excluded"
    assert outcomes.loc[second.code, "payment"] == 0.0
    assert outcomes.loc[first.code, "payment"] == 2.0
    assert wrong_numbers(server, session) == []
    alarms = board(server, session)["alarms"]
    assert "Payments so far are 2.00, but the budget is 1" in alarms


def end_all(server: Server) -> None:
    """End the plays of all sessions, including those of earlier tests."""
    for session in server.get("/api/sessions").json():
        board = f"{server.url}/api/session_board/{session['code']}"
        for group in server.get(board).json().get("groups", []):
            end = {"kind": "end", "id": "end", "group": group["group"], "app": group["app"]}
            server.post(board, json=end)


def test_the_card_of_the_board_says_whether_the_session_can_begin(server):
    session = server.session("commons_four_people", 5, quiz=False, periods=3, **CALM_PLAY)
    card = f"{server.url}/session_preflight/{session['code']}"
    playing = server.session("commons", 1, quiz=False, **CALM_PLAY)
    seated(server, playing)
    answer = server.get(card)
    assert (answer.status_code, "people are playing" in answer.json()["reason"]) == (409, True)
    end_all(server)
    answer = server.get(card)
    assert answer.status_code == 200
    stops = [
        finding["sentence"] for finding in answer.json()["findings"] if finding["verdict"] == "STOP"
    ]
    assert any("5 people cannot form complete groups" in sentence for sentence in stops)
