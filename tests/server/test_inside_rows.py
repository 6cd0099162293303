"""Rows of people on the board, in the results and in the export, requested in this process."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from typing import Any

import pytest

from mixed_company.server import clock, live
from mixed_company.server.archive import download
from mixed_company.server.open.tables import tables
from tests.loops import complete
from tests.server.inside import Session, Visitor, asked, inside, posted

__all__ = ["inside"]  # a fixture

PAID: dict[str, Any] = {
    "seed": "3",
    "periods": 2,
    "quiz": False,
    "participation_fee": 2.0,
    "real_world_currency_per_point": 0.1,
}
SECOND = 1000
SLOW = 60
"""Seconds that a test may take on a busy machine. Times in these tests are far apart."""


def met(session: Session) -> list[Visitor]:
    """Return people who have been through a lobby together."""
    for person in session.people:
        person.come().send()
    for person in session.people:
        live.lobby(person.player(), {"kind": "sync"})
    return [person.come() for person in session.people]


def table(session: Session, name: str) -> list[dict[str, str]]:
    answer = asked(f"/api/export_archive?session_code={session.code}")
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    [path] = [
        name_in_archive
        for name_in_archive in archive.namelist()
        if name_in_archive.endswith(f"/{name}.csv")
    ]
    return list(csv.DictReader(io.StringIO(archive.read(path).decode(), newline="")))


def test_the_board_shows_everything_about_a_group_and_its_seats(inside):
    session = Session("commons_two_people", 2, **PAID, decision_seconds=300.0, grace_seconds=3000.0)
    ann, ben = met(session)
    for person in (ann, ben):
        live.play(person.player(), {"kind": "sync"})
    first = ann.player()
    decided = {"kind": "act", "id": "a", "period": 0, "action": {"harvest": 3, "contribution": 0}}
    live.play(first, decided)
    clock.put_on(100 * SECOND)
    [group] = session.board()["groups"]
    seats = {seat.get("participant", ""): seat for seat in group.pop("seats")}
    assert group.pop("in_period_ms") == pytest.approx(100 * SECOND, abs=SLOW * SECOND)
    assert group.pop("left_ms") == pytest.approx(200 * SECOND, abs=SLOW * SECOND)
    assert group.pop("glance") == {"name": "stock", "value": 50.0, "unit": "fish"}
    assert group == {
        "app": "commons_game",
        "group": 1,
        "name": "Group 1",
        "treatment": "",
        "period": 0,
        "periods": 2,
        "started": True,
        "choosing": False,
        "paused": False,
        "saving": 0,
    }
    ann_seat = seats[ann.code]
    assert ann_seat.pop("silent_ms") == pytest.approx(100 * SECOND, abs=SLOW * SECOND)
    assert ann_seat == {
        "seat": first.seat,
        "occupant": "person",
        "policy": "",
        "decided": True,
        "deciding": False,
        "points": 0.0,
        "fault": None,
        "talk_fault": None,
        "name": "P1",
        "participant": ann.code,
        "connected": False,
        "idle": 0,
        "held": False,
        "returning": False,
        "parted": False,
    }
    assert (seats[ben.code]["decided"], seats[ben.code]["deciding"]) == (False, True)
    assert seats[ben.code]["name"] == "P2"
    bot = seats[""]
    assert (bot["occupant"], bool(bot["policy"])) == ("policy", True)


def test_the_board_shows_who_waits_and_who_has_finished(inside):
    session = Session("commons_two_people", 3, **PAID, lobby_seconds=600.0)
    ann, ben, _ = session.people
    ann.come().send()
    live.lobby(ann.player(), {"kind": "sync"})
    clock.put_on(200 * SECOND)
    ben.come("?participant_label=Ben")
    seen = session.board()
    [waits] = seen["lobby"]
    assert waits.pop("since_s") == pytest.approx(200, abs=SLOW)
    assert waits.pop("left_s") == pytest.approx(400, abs=SLOW)
    assert waits == {"name": "P1", "participant": ann.code, "treatment": "", "here": False}
    reads, away = seen["before"]
    assert reads.pop("since_s") == pytest.approx(0, abs=SLOW)
    assert reads == {
        "name": "Ben",
        "participant": ben.code,
        "treatment": "",
        "page": "Instructions",
        "quiz_tries": 0,
    }
    assert (away["page"], away["since_s"]) == ("", 0)
    assert session.direct("release", "a", participant=ann.code)[0] == 200
    [done] = session.board()["finished"]
    assert done == {
        "name": "P1",
        "participant": ann.code,
        "treatment": "",
        "group": 0,
        "group_name": "",
        "status": "released",
        "points": 0.0,
        "pay": "€2.00",
    }


def test_a_repeated_command_of_the_manager_has_one_effect(inside):
    session = Session("commons_two_people", 1, **PAID)
    [ann] = session.people
    ann.come().send()
    live.lobby(ann.player(), {"kind": "sync"})
    for _ in range(2):
        assert session.direct("message", "m", participant=ann.code, text="Hello")[0] == 200
    assert session.direct("message", "n", participant=ann.code, text="Again")[0] == 200
    done = json.loads(ann.player().managed)
    assert [(entry["what"], entry["id"], entry["text"]) for entry in done] == [
        ("message", "m", "Hello"),
        ("message", "n", "Again"),
    ]
    status, answer = session.direct("pause", "p", participant=ann.code)
    assert (status, "pause: applies to a seat" in answer["reason"]) == (409, True)


@pytest.mark.parametrize(("seed", "seat"), [("0", 0), ("2", 3)])
def test_results_are_the_same_in_every_seat(inside, seed, seat):
    """Check that 3 fish in each of 2 periods are 6 points: 0.60, and 2.60 with the fee."""
    session = Session("commons", 1, **{**PAID, "seed": seed}, attention=True)
    ann = session.people[0].come().send()
    assert ann.player().seat == seat
    ann.play(harvest=3.0)
    assert ann.send(attention='{"hidden_times": 2}').page == "Results"
    assert "<strong>6</strong>" in ann.text
    assert "€2.60" in ann.text
    sent = ann.sent
    assert (sent["seat"], len(sent["history"]), sent["game"]) == (seat, 3, "commons_game")
    assert sent["picture"]
    assert sent["setting"]["capacity"] == 160.0
    assert json.loads(ann.player().attention) == {"hidden_times": 2}
    [done] = session.board()["finished"]
    assert (done["points"], done["pay"], done["group"]) == (6.0, "€2.60", 1)
    [row] = table(session, "outcomes")
    assert (row["seat"], row["points"], row["payment"]) == (str(seat), "6.0", "2.6")
    assert (row["pay_fee"], row["pay_points"], row["pay_elsewhere"]) == ("2.0", "0.6", "0.0")
    assert row["hidden_times"] == "2"


def test_the_time_of_a_person_is_the_median_of_the_own_decisions(inside):
    """Decide after 100 s and 300 s, so the median is 200 s. The page sends heartbeats meanwhile."""
    session = Session("commons", 1, **PAID, decision_seconds=900.0, grace_seconds=3000.0)
    ann = session.people[0].come().send()
    player = ann.player()
    live.play(player, {"kind": "sync"})
    for period, seconds in enumerate((100, 300)):
        clock.put_on(seconds * SECOND)
        act = {"kind": "act", "id": f"{period}", "period": period}
        live.play(player, {**act, "action": {"harvest": 3, "contribution": 0}})
        for _ in range(10):
            if tables.settled(player).episode.period > period:
                break
            clock.put_on(10)
            live.play(player, {"kind": "alive"})
    [row] = table(session, "outcomes")
    assert float(row["reaction_ms"]) == pytest.approx(200 * SECOND, abs=SLOW * SECOND)
    decisions = [row for row in table(session, "decisions") if row["occupant"] == "person"]
    waits = [int(row["received_ms"]) - int(row["shown_ms"]) for row in decisions]
    assert float(row["reaction_ms"]) == sum(waits) / 2
    assert (row["bot_share"], row["disconnections"], row["slot"]) == ("0.0", "2", "")


def test_people_of_a_plan_have_slots_from_zero_and_treatments(inside):
    session = Session("commons_governance", 8)
    for person in session.people[:2]:
        person.come()
    rows = table(session, "outcomes")
    assert [row["slot"] for row in rows] == ["0", "1", *[""] * 6]
    assert {row["treatment"] for row in rows[:2]} <= {"open", "pool"}
    assert [bool(row["assigned_ms"]) for row in rows] == [True, True, *[False] * 6]


def test_a_page_by_the_clock_gets_the_length_of_a_turn(inside):
    [ann] = Session("vote", 1, quiz=False, turns=4, decision_seconds=2.0).people
    sent = ann.come().send().sent
    assert (sent["turn_ms"], sent["periods"], sent["game"]) == (2000.0, 4, "punishment_vote")


def test_the_file_of_an_export_has_a_name_and_a_second_request_waits(inside):
    session = Session("commons", 1, **PAID)
    named = asked(f"/api/export_archive?session_code={session.code}").headers
    name = rf'attachment; filename="mixed-company-\d{{4}}-\d\d-\d\d-{session.code}.zip"'
    assert re.fullmatch(name, named["content-disposition"])
    complete(download._one_at_a_time.acquire())
    try:
        busy = asked("/api/export_archive")
    finally:
        download._one_at_a_time.release()
    assert (busy.status_code, busy.headers["retry-after"]) == (503, "5")
    assert "another export is running" in busy.text


def test_a_room_leads_to_its_session_and_keeps_the_parameters_of_a_panel(inside):
    body = {
        "session_config_name": "commons",
        "num_participants": 1,
        "room_name": "lab",
        "modified_session_config_fields": {**PAID, "panel_parameters": "PROLIFIC_PID"},
    }
    assert posted("/api/sessions", json=body).status_code == 200
    came = asked("/room/lab?welcome_page_ok=1&PROLIFIC_PID=p%20%2F9")
    assert came.url.endswith("/Instructions/2")
    again = asked("/room/lab?welcome_page_ok=1&PROLIFIC_PID=p%20%2F9")
    assert again.url == came.url
    full = asked("/room/lab?welcome_page_ok=1&PROLIFIC_PID=p-2")
    assert full.status_code == 404
