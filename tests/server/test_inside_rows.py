"""Rows of people in the results and in the export, requested in this process."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from typing import Any

import pytest

from mixed_company.server import clock, live
from mixed_company.server.open.tables import tables
from tests.server.inside import Session, asked, inside, posted

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
"""Number of seconds that a test may take on a busy machine. Times in these tests are far apart."""


def table(session: Session, name: str) -> list[dict[str, str]]:
    answer = asked(f"/api/export_archive?session_code={session.code}")
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    [path] = [
        name_in_archive
        for name_in_archive in archive.namelist()
        if name_in_archive.endswith(f"/{name}.csv")
    ]
    return list(csv.DictReader(io.StringIO(archive.read(path).decode(), newline="")))


@pytest.mark.parametrize(("seed", "seat"), [("0", 0), ("2", 3)])
def test_results_are_the_same_in_every_seat(inside, seed, seat):
    """Check that 3 fish in each of 2 periods earn 6 points: 0.60, or 2.60 with the fee."""
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
    """Decide after 100 s and 300 s, so the median is 200 s. Meanwhile, the page sends
    heartbeats."""
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
