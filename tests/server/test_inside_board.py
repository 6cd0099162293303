"""The board, lists of payments, the file of an export and the page Demo, asked in this process."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from typing import Any

import pytest

import engine
from server.board.looking import sign_of
from tests.server.inside import Session, asked, inside, posted

__all__ = ["inside"]  # a fixture

SOON: dict[str, Any] = {
    "seed": "3",
    "periods": 2,
    "quiz": False,
    "participation_fee": 2.0,
    "real_world_currency_per_point": 0.1,
}


@pytest.fixture
def session(inside: None) -> Session:
    """One has played (6 points: 2.60), one plays, one waits to begin, one has not come."""
    made = Session("commons", 4, **SOON)
    ann, ben, eve, _ = made.people
    ann.come().send().play(harvest=3.0)
    assert ann.send().page == "Results"
    ben.come().send().play(periods=1, harvest=3.0)
    eve.come()
    return made


def names(rows: list[dict[str, Any]]) -> list[str]:
    return [row["name"] for row in rows]


def test_the_board_shows_where_everybody_is(session: Session) -> None:
    seen = session.board()
    assert seen["session"] == session.code
    assert names(seen["before"]) == ["P3", "P4"]
    assert [row["page"] for row in seen["before"]] == ["Instructions", ""]
    assert seen["before"][1]["since_s"] == 0
    [done] = seen["finished"]
    assert (done["name"], done["group"], done["status"]) == ("P1", 1, "finished")
    assert (done["points"], done["pay"]) == (6.0, "€2.60")
    [group] = [row for row in seen["groups"] if row["period"] == 1]
    assert (group["group"], group["periods"], seen["door"]) == (2, 2, "open")
    assert [seat["name"] for seat in group["seats"] if "participant" in seat] == ["P2"]


def test_the_manager_closes_the_door_once_for_a_name(session: Session) -> None:
    assert session.direct("shut", "a") == (200, {"kind": "ack", "id": "a"})
    assert session.direct("shut", "a") == (200, {"kind": "ack", "id": "a"})
    status, answer = session.direct("shut", "b")
    assert (status, answer["kind"], answer["id"]) == (409, "refused", "b")
    assert answer["reason"] == "the door is closed already"
    assert session.board()["door"] == "shut"
    late = session.people[3]
    assert asked(f"/InitializeParticipant/{late.code}").status_code == 404
    assert session.direct("open", "c")[0] == 200
    assert late.come().page == "Instructions"


def test_the_manager_acts_on_people_without_a_seat(session: Session) -> None:
    ann, _, eve, late = session.people
    assert session.direct("release", "a", participant=eve.code)[0] == 200
    assert session.direct("release", "a", participant=eve.code)[0] == 200
    [done] = json.loads(eve.player().managed)
    assert (done["what"], done["id"], done["at_ms"] > 1e12) == ("release", "a", True)
    assert eve.player().status == "released"
    assert session.direct("exclude", "b", participant=late.code)[0] == 200
    assert late.player().status == "excluded"
    refused = {
        "this person has a seat, or is done": session.direct("release", "c", participant=ann.code),
        "participant = 'nobody': not in this session": session.direct(
            "release", "d", participant="nobody"
        ),
        "participant = 7: not in this session": session.direct("release", "e", participant=7),
    }
    for reason, (status, answer) in refused.items():
        assert (status, answer["reason"]) == (409, reason)
    _, answer = session.direct("stand_in", "f", participant=ann.code, seat=0)
    assert "is for a seat" in answer["reason"]


def test_the_manager_acts_on_groups(session: Session) -> None:
    assert session.direct("pause", "a")[0] == 200  # all of them
    assert session.direct("message", "b", group=2, text="Hello")[0] == 200
    [group] = [row for row in session.board()["groups"] if row["group"] == 2]
    assert group["paused"] is True
    assert session.direct("go_on", "c", group=2, app="commons_game")[0] in (200, 409)
    for about in ({"group": 9}, {"group": 2, "app": "sanctions"}):
        status, answer = session.direct("pause", "d", **about)
        assert (status, "no such group plays" in answer["reason"]) == (409, True)
    _, answer = session.direct("release", "e", seat=0)
    assert answer["reason"] == "group: is missing; release is for one group"
    nobody = posted("/api/session_board/nobody", json={"kind": "pause", "id": "f"})
    assert nobody.status_code == 404


def test_an_assistant_looks_on_with_the_link_and_sees_no_code(session: Session) -> None:
    right, wrong = f"{session.code}/{sign_of(session.code)}", f"{session.code}/{'0' * 20}"
    session.board()  # what was known is of before
    page, seen = asked(f"/BoardView/{right}"), asked(f"/board_view/{right}")
    assert (page.status_code, seen.status_code) == (200, 200)
    assert session.code in page.text
    assert "Commons: you and three bots" in page.text
    assert names(seen.json()["before"]) == ["P3", "P4"]
    assert not any(person.code in seen.text for person in session.people)
    assert [asked(f"/{path}/{wrong}").status_code for path in ("BoardView", "board_view")] == [
        404,
        404,
    ]
    own = asked(f"/SessionBoard/{session.code}")
    assert own.status_code == 200
    assert sign_of(session.code) in own.text
    assert asked("/SessionBoard/nobody").status_code == 404
    begins = asked(f"/session_preflight/{session.code}").json()
    assert set(begins) == {"findings"} or set(begins) == {"reason"}


def test_an_assistant_sees_numbers_and_never_labels(inside: None) -> None:
    """A label is often the id of a panel, with which anybody could come back as that person."""
    made = Session("commons", 2, **SOON)
    ann, ben = made.people
    ann.come("?participant_label=5f3c-of-a-panel").send()
    ben.come("?participant_label=6a1b-of-a-panel")
    assert names(made.board()["before"]) == ["6a1b-of-a-panel"]
    seen = asked(f"/board_view/{made.code}/{sign_of(made.code)}")
    assert names(seen.json()["before"]) == ["P2"]
    assert "of-a-panel" not in seen.text


def test_the_lists_of_payments_have_who_is_paid_and_their_sum(session: Session) -> None:
    receipt = asked(f"/SessionReceipt/{session.code}").text
    assert "<td>€2.60</td>" in receipt
    assert '<td id="total">€2.60</td>' in receipt
    assert "Paid: 1. Not paid, and not in this list: 3." in receipt
    ann = session.people[0].code
    answer = asked(f"/session_payments/{session.code}/payments")
    rows = list(csv.reader(io.StringIO(answer.text)))
    assert rows[1] == ["1", ann, "", "", "finished", "2.00", "0.60", "2.60"]
    assert rows[-1][-3:] == ["2.00", "0.60", "2.60"]
    assert f"payments_{session.code}.csv" in answer.headers["content-disposition"]
    for path in ("SessionReceipt/nobody", "session_payments/nobody/payments"):
        assert asked(f"/{path}").status_code == 404
    assert asked(f"/session_payments/{session.code}/other").status_code == 404


def table(archive: zipfile.ZipFile, name: str) -> list[dict[str, str]]:
    text = archive.read(f"commons_game/{name}.csv").decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_the_file_of_an_export_has_the_sessions_that_were_asked_for(session: Session) -> None:
    other = Session("commons", 1, **SOON)
    answer = asked(f"/api/export_archive?session_code={session.code}")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/zip")
    assert f"-{session.code}.zip" in answer.headers["content-disposition"]
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    manifest = json.loads(archive.read("manifest.json"))
    assert list(manifest["sessions"]) == [session.code]
    about = manifest["sessions"][session.code]
    assert (about["participants"], about["session_config"]) == (4, "commons")
    assert about["total"] == 2.6
    assert "rehearsed" not in manifest
    people = table(archive, "outcomes")
    assert {row["session"] for row in people} == {session.code}
    assert [row["status"] for row in people] == ["finished", "seated", "arriving", "arriving"]
    assert {row["wall_ms"] for row in table(archive, "seats")} != {""}
    assert [len(table(archive, name)) for name in ("periods", "decisions")] == [3, 12]
    both = asked("/api/export_archive")
    manifest = json.loads(zipfile.ZipFile(io.BytesIO(both.content)).read("manifest.json"))
    assert {session.code, other.code} <= set(manifest["sessions"])
    nobody = asked("/api/export_archive?session_code=nobody")
    assert nobody.status_code == 404
    assert "there is none" in nobody.text


def test_the_export_has_what_people_wrote_and_what_the_manager_did(inside: None) -> None:
    session = Session("commons", 2, **SOON, comments=True)
    ann, ben = session.people
    ann.come().send().play(periods=1)
    for kind in ("pause", "go_on"):
        assert session.direct(kind, kind)[0] == 200
    ann.play()
    assert ann.come().send(comments="two words\r\nand more").page == "Results"
    assert session.direct("exclude", "x", participant=ben.code)[0] == 200
    answer = asked(f"/api/export_archive?session_code={session.code}")
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    first, second = table(archive, "outcomes")
    assert (first["comments"], first["managed"]) == ("two words  and more", "")
    assert second["comments"] == ""
    assert [done["id"] for done in json.loads(second["managed"])] == ["x"]
    details = [json.loads(row["detail"]) for row in table(archive, "events") if row["detail"]]
    assert details
    own = {"kind", "at_ms", "period", "event", "seat"}
    assert not any(own & set(detail) for detail in details)


def test_the_page_demo_lists_sessions_below_the_game_that_they_play(inside: None) -> None:
    page = asked("/demo").text
    places = [page.index(f"/static/{game_id}/picture.svg") for game_id in engine.game_ids()]
    assert places == sorted(places)
    assert "Commons: you and three bots" in page
