"""The board, payment lists, the export file and the Demo page, requested in this process."""

from __future__ import annotations

import csv
import io
import json
import os
import zipfile
from html import escape
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.exceptions import HTTPException

from mixed_company import engine
from mixed_company.server.board import addresses
from mixed_company.server.board.acting import Answer
from mixed_company.server.board.addresses import sign_of
from mixed_company.server.board.people import Crowd, session_people
from mixed_company.server.board.words import WORDS
from mixed_company.server.preflight import go, look, whole
from tests.loops import complete
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
    """Return a session in which one person has finished (6 points: 2.60), one plays, one waits to
    begin and one has not come."""
    started = Session("commons", 4, **SOON)
    ann, ben, eve, _ = started.people
    ann.come().send().play(harvest=3.0)
    assert ann.send().page == "Results"
    ben.come().send().play(periods=1, harvest=3.0)
    eve.come()
    return started


def names(rows: list[dict[str, Any]]) -> list[str]:
    return [row["name"] for row in rows]


def test_the_board_shows_where_everybody_is(session):
    seen = session.board()
    assert seen["session"] == session.code
    assert session_people("nobody") is None
    assert names(seen["before"]) == ["P3", "P4"]
    assert [row["page"] for row in seen["before"]] == ["Instructions", ""]
    assert seen["before"][1]["since_s"] == 0
    [done] = seen["finished"]
    assert (done["name"], done["group"], done["status"]) == ("P1", 1, "finished")
    assert (done["points"], done["pay"]) == (6.0, "€2.60")
    [group] = [row for row in seen["groups"] if row["period"] == 1]
    assert (group["group"], group["periods"], seen["door"]) == (2, 2, "open")
    assert [seat["name"] for seat in group["seats"] if "participant" in seat] == ["P2"]


def test_the_manager_closes_admission_once_per_id(session):
    assert session.direct("shut", "a") == (200, {"kind": "ack", "id": "a"})
    assert session.direct("shut", "a") == (200, {"kind": "ack", "id": "a"})
    status, answer = session.direct("shut", "b")
    assert (status, answer["kind"], answer["id"]) == (409, "refused", "b")
    assert answer["reason"] == "admissions are already stopped"
    assert session.board()["door"] == "shut"
    late = session.people[3]
    assert asked(f"/InitializeParticipant/{late.code}").status_code == 404
    assert session.direct("open", "c")[0] == 200
    assert late.come().page == "Instructions"


def test_the_manager_acts_on_people_without_a_seat(session):
    ann, _, eve, late = session.people
    assert session.direct("release", "a", participant=eve.code)[0] == 200
    assert session.direct("release", "a", participant=eve.code)[0] == 200
    [done] = json.loads(eve.player().managed)
    assert (done["what"], done["id"], done["at_ms"] > 1e12) == ("release", "a", True)
    assert eve.player().status == "released"
    assert session.direct("exclude", "b", participant=late.code)[0] == 200
    assert late.player().status == "excluded"
    refused = {
        "this person already has a seat or has finished": session.direct(
            "release", "c", participant=ann.code
        ),
        "participant = 'nobody': not in this session": session.direct(
            "release", "d", participant="nobody"
        ),
        "participant = 7: not in this session": session.direct("release", "e", participant=7),
    }
    for reason, (status, answer) in refused.items():
        assert (status, answer["reason"]) == (409, reason)
    _, answer = session.direct("stand_in", "f", participant=ann.code, seat=0)
    assert "applies to a seat" in answer["reason"]


def test_the_manager_acts_on_groups(session):
    assert session.direct("pause", "a")[0] == 200  # all of them
    assert session.direct("message", "b", group=2, text="Hello")[0] == 200
    [group] = [row for row in session.board()["groups"] if row["group"] == 2]
    assert group["paused"] is True
    assert session.direct("go_on", "c", group=2, app="commons_game")[0] in (200, 409)
    for about in ({"group": 9}, {"group": 2, "app": "sanctions"}):
        status, answer = session.direct("pause", "d", **about)
        assert (status, "no group with this number is playing" in answer["reason"]) == (409, True)
    _, answer = session.direct("release", "e", seat=0)
    assert answer["reason"] == "group: is missing; release applies to one group"
    nobody = posted("/api/session_board/nobody", json={"kind": "pause", "id": "f"})
    assert nobody.status_code == 404


def test_an_assistant_watches_by_a_link_and_sees_no_code(session):
    right, wrong = f"{session.code}/{sign_of(session.code)}", f"{session.code}/{'0' * 20}"
    session.board()  # cached data from before
    page, seen = asked(f"/BoardView/{right}"), asked(f"/board_view/{right}")
    assert (page.status_code, seen.status_code) == (200, 200)
    assert session.code in page.text
    assert "Commons: you and three bots" in page.text
    assert "act-all" not in page.text
    assert posted(f"/BoardView/{right}").status_code == 405
    assert names(seen.json()["before"]) == ["P3", "P4"]
    assert not any(person.code in seen.text for person in session.people)
    assert [asked(f"/{path}/{wrong}").status_code for path in ("BoardView", "board_view")] == [
        404,
        404,
    ]
    manager_page = asked(f"/SessionBoard/{session.code}")
    assert manager_page.status_code == 200
    assert f'href="/BoardView/{right}"' in manager_page.text
    assert asked("/SessionBoard/nobody").status_code == 404
    begins = asked(f"/session_preflight/{session.code}").json()
    assert set(begins) == {"findings"} or set(begins) == {"reason"}


def test_an_assistant_sees_numbers_and_never_labels(inside):
    """Hide labels. A label is often a panel id, and anyone could use it to pose as that person."""
    started = Session("commons", 2, **SOON)
    ann, ben = started.people
    ann.come("?participant_label=5f3c-of-a-panel").send()
    ben.come("?participant_label=6a1b-of-a-panel")
    assert names(started.board()["before"]) == ["6a1b-of-a-panel"]
    seen = asked(f"/board_view/{started.code}/{sign_of(started.code)}")
    assert names(seen.json()["before"]) == ["P2"]
    assert "of-a-panel" not in seen.text


def test_the_lists_of_payments_contain_the_people_who_are_paid_and_the_sum(session):
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


def test_the_file_of_an_export_contains_the_requested_sessions(session):
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
    assert "no such session" in nobody.text


def test_the_export_contains_messages_and_the_acts_of_the_manager(inside):
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
    columns = {"kind", "at_ms", "period", "event", "seat"}
    assert not any(columns & set(detail) for detail in details)


def test_the_page_demo_lists_sessions_under_their_game(inside):
    page = asked("/demo").text
    places = [page.index(f"/static/{game_id}/picture.svg") for game_id in engine.game_ids()]
    assert places == sorted(places)
    assert "Commons: you and three bots" in page


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the codes that were looked up in a database with session `s`. The clock is at 10 s."""
    listed: list[str] = []

    async def with_database(work: Any) -> Any:
        return work()

    def session_people(code: str) -> Crowd | None:
        listed.append(code)
        return Crowd(len(listed), [], False, 0.0) if code == "s" else None

    monkeypatch.setattr(addresses, "with_database", with_database)
    monkeypatch.setattr(addresses, "session_people", session_people)
    monkeypatch.setattr(addresses, "tables", SimpleNamespace(trouble=None))
    monkeypatch.setattr(addresses, "time", SimpleNamespace(monotonic=lambda: 10.0))
    monkeypatch.setattr(addresses, "_crowds", {})
    return listed


def crowd(code: str, **how: bool) -> int | None:
    people = complete(addresses._crowd(code, **how))
    return None if people is None else people.session_id


def test_people_are_read_once_in_two_seconds_unless_fresh_data_is_requested(reads, monkeypatch):
    assert [crowd("s"), crowd("s"), crowd("s", fresh=True), crowd("s")] == [1, 1, 2, 2]
    for now, number in ((11.9, 2), (12.0, 3)):
        monkeypatch.setattr(
            "mixed_company.server.board.addresses.time.monotonic", lambda now=now: now
        )
        assert crowd("s") == number
    assert (crowd("t"), list(addresses._crowds)) == (None, ["s"])


def test_people_are_read_even_if_the_machine_has_just_started(reads, monkeypatch):
    monkeypatch.setattr(addresses, "time", SimpleNamespace(monotonic=lambda: 0.0))
    assert crowd("s") == 1


def test_while_the_database_is_away_the_last_known_people_are_shown(reads, monkeypatch):
    assert crowd("s") == 1
    monkeypatch.setattr(
        "mixed_company.server.board.addresses.tables.trouble", SimpleNamespace(reason="disk full")
    )
    monkeypatch.setattr("mixed_company.server.board.addresses.time.monotonic", lambda: 99.0)
    assert crowd("s") == 1
    for code, fresh in (("s", True), ("t", False)):
        with pytest.raises(HTTPException) as refused:
            crowd(code, fresh=fresh)
        refusal = (refused.value.status_code, refused.value.detail)
        assert refusal == (503, "the database is not responding: disk full")
    assert reads == ["s"]


@pytest.mark.parametrize(("refused", "status"), [("", 200), ("why", 409)])
def test_after_an_act_people_are_read_anew(reads, monkeypatch, refused, status):
    calls: list[Any] = []

    async def direct(*about: Any) -> Answer:
        calls.append(about)
        return Answer("a", refused)

    monkeypatch.setattr(addresses, "direct", direct)
    answer = complete(addresses._directed("s", {"kind": "end"}))
    assert (answer.status_code, json.loads(answer.body)["id"]) == (status, "a")
    assert calls == [("s", 1, [], {"kind": "end"})]
    assert addresses._crowds == {}
    gone = complete(addresses._directed("t", None))
    assert (gone.status_code, gone.body) == (404, b"session t: there is no such session\n")


def test_the_name_of_a_session_is_remembered_while_the_database_is_away(reads, monkeypatch):
    session = SimpleNamespace(config={"display_name": "Commons"})
    model = SimpleNamespace(objects_first=lambda code: session if code == "s" else None)
    monkeypatch.setattr(addresses, "Session", model)
    monkeypatch.setattr(addresses, "_names", {})
    assert [complete(addresses._name(code)) for code in "st"] == ["Commons", None]
    monkeypatch.setattr(
        "mixed_company.server.board.addresses.tables.trouble", SimpleNamespace(reason="disk full")
    )
    assert [complete(addresses._name(code)) for code in "st"] == ["Commons", "t"]


def test_everything_that_both_pages_show_is_escaped():
    shown = addresses._shown("s", "<b>")
    assert shown == {
        "code": "s",
        "name": "&lt;b&gt;",
        "words": WORDS,
        "words_json": escape(json.dumps(WORDS)),
    }


@pytest.mark.parametrize(("text", "read"), [(None, None), ("{", None), (b'{"a": 1}', {"a": 1})])
def test_invalid_json_is_read_as_nothing(text, read):
    assert addresses._read(text) == read


@pytest.mark.parametrize(("parts", "people"), [({}, 4), ({"parts": 3}, 12)])
def test_before_the_start_everything_is_checked(monkeypatch, parts, people):
    config = {"name": "commons", **parts}
    session = SimpleNamespace(config=config, num_participants=4)
    model = SimpleNamespace(objects_first=lambda code: session if code == "s" else None)
    connected = {"x": 1}

    async def with_database(work: Any) -> Any:
        return work()

    def checks(name: str, *wanted: Any) -> Any:
        return lambda *arguments: [look(name)] if arguments == wanted else [go("other")]

    here = SimpleNamespace(SECRET_KEY="key", ROOMS=["room"])
    monkeypatch.setenv("DATABASE_URL", "url")
    monkeypatch.setattr(addresses, "settings", here)
    monkeypatch.setattr(addresses, "Session", model)
    monkeypatch.setattr(addresses, "with_database", with_database)
    monkeypatch.setattr(whole, "of_server", checks("server", os.environ, "key", "0.0.0.0"))
    monkeypatch.setattr(whole, "of_rooms", checks("rooms", ["room"]))
    monkeypatch.setattr(whole, "of_database", checks("database", "url"))
    monkeypatch.setattr(whole, "of_session", checks("session", config, people, None, ""))
    monkeypatch.setattr(whole, "of_agents", checks("agents", config, os.environ, connected))
    over = SimpleNamespace(table=SimpleNamespace(over=True))
    tables = Tables([over])
    tables.agents = SimpleNamespace(connected=connected)
    monkeypatch.setattr(addresses, "tables", tables)
    names = ("server", "rooms", "database", "session", "agents")
    listed = [{"verdict": "look", "sentence": name} for name in names]
    assert complete(addresses.findings("s")) == listed
    assert complete(addresses.findings("t")) == "session t: there is no such session"
    tables.append(SimpleNamespace(table=SimpleNamespace(over=False)))
    reason = "people are playing: check before they start, or run `mixed preflight` elsewhere"
    assert complete(addresses.findings("s")) == reason


class Tables(list[Any]):
    """Open tables, and the connected agents."""

    agents: Any
