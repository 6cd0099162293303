"""Tests of exports from a running server: play continues during the export, and a key can be
required.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import socket
import threading
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest
import requests
from playwright.sync_api import expect

from tests.door.audit import wrong_numbers
from tests.door.harness import Server, seated, when

pytestmark = [pytest.mark.door, pytest.mark.long]

QUICK: dict[str, Any] = {"quiz": False, "bot_delay": "instant", "decision_seconds": 0.0}


def opened(data: bytes) -> zipfile.ZipFile:
    """Open an export, after checking the hash of every file."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    for path, entry in json.loads(archive.read("manifest.json"))["tables"].items():
        assert hashlib.sha256(archive.read(path)).hexdigest() == entry["sha256"]
    return archive


def counts(archive: zipfile.ZipFile) -> dict[str, int]:
    tables = json.loads(archive.read("manifest.json"))["tables"]
    return {path: entry["rows"] for path, entry in tables.items()}


def exporters(server: Server) -> list[psutil.Process]:
    """Return the processes that are exporting now."""
    assert server.process is not None
    children = psutil.Process(server.process.pid).children(recursive=True)
    return [child for child in children if "archive" in child.cmdline()]


def test_people_keep_playing_while_the_file_is_made(any_server):
    """Suspend each export until everyone has decided again."""
    sessions = [
        any_server.session("commons", 1, periods=5000, collapse_stock=0.0, **QUICK)
        for _ in range(2)
    ]
    lives = [seated(any_server, session)[0][1] for session in sessions]
    taken, period = list[bytes](), 0
    with ThreadPoolExecutor() as asking:
        for session in sessions:
            export = asking.submit(any_server.archive, session["code"])
            [exporter] = when(partial(exporters, any_server))
            exporter.suspend()
            for _ in range(10):
                for live in lives:
                    answer = live.act(period, f"p{period}", harvest=0, contribution=0)
                    assert (answer["kind"], answer["period"]) == ("ack", period)
                period += 1
            assert not export.done()
            exporter.resume()
            taken.append(export.result())
    for session, data, live in zip(sessions, taken, lives, strict=True):
        row_counts = counts(opened(data))
        # a consistent snapshot: four seats per period, and no later periods
        assert (
            row_counts["commons_game/decisions.csv"] == 4 * row_counts["commons_game/periods.csv"]
        )
        assert row_counts["commons_game/periods.csv"] <= period
        answer = live.act(period, f"p{period}", harvest=0, contribution=0)
        assert answer["kind"] == "ack"
        assert wrong_numbers(any_server, session) == []
    after = counts(opened(any_server.archive(sessions[0]["code"])))
    assert after["commons_game/periods.csv"] == period + 1


def test_an_unknown_session_is_refused_with_a_sentence(any_server):
    code = any_server.session("commons", 1)["code"]
    wrong = code[:-1] + "_"
    for place in ("api/export_archive", "export_archive"):
        query = {"session_code": wrong}
        answer = requests.get(f"{any_server.url}/{place}", params=query, timeout=600)
        assert answer.status_code == 404
        assert answer.text == f"session '{wrong}': no such session; did you mean '{code}'?\n"


def test_simultaneous_requests_each_get_the_file_or_a_sentence_and_nothing_is_left(tmp_path):
    (tmp_path / "tmp").mkdir()
    with Server(tmp_path / "project", variables={"TMPDIR": str(tmp_path / "tmp")}) as server:
        server.session("commons", 1)
        answers: list[requests.Response] = []
        address = f"{server.url}/api/export_archive"
        threads = [
            threading.Thread(target=lambda: answers.append(requests.get(address, timeout=600)))
            for _ in range(4)
        ]
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as leaving:
            leaving.sendall(b"GET /api/export_archive HTTP/1.1\r\nHost: localhost\r\n\r\n")
        when(lambda: requests.get(address, timeout=600).status_code != 503)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert {answer.status_code for answer in answers} <= {200, 503}
        for answer in answers:
            if answer.status_code == 200:
                opened(answer.content)
            else:
                assert answer.text == "another export is running: try again in a moment\n"
        assert any(answer.status_code == 200 for answer in answers)
        opened(server.archive())
        assert list((tmp_path / "tmp").iterdir()) == []


class InMemory(Server):
    """Server as `otree devserver` runs it, with the database in memory."""

    command = "devserver_inner"


def test_a_server_with_its_database_in_memory_makes_the_file_itself(tmp_path):
    with InMemory(tmp_path / "project") as server:
        none = requests.get(f"{server.url}/api/export_archive", timeout=600)
        assert (none.status_code, none.text) == (404, "there are no sessions in the database\n")
        session = server.session("commons", 1, periods=2, **QUICK)
        [(_, live)] = seated(server, session)
        live.act(0, "p0", harvest=1, contribution=0)
        archive = opened(server.archive(session["code"]))
        assert counts(archive)["commons_game/periods.csv"] == 1
        assert live.act(1, "p1", harvest=1, contribution=0)["kind"] == "ack"


# -- servers with a key and a login ---------------------------------------------------------------

KEY = {"otree-rest-key": "a key of sixteen or more"}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server with the settings for a study."""
    variables = {
        "OTREE_AUTH_LEVEL": "STUDY",
        "OTREE_REST_KEY": KEY["otree-rest-key"],
        "OTREE_ADMIN_PASSWORD": "open sesame",
        "OTREE_SECRET_KEY": "known to this test alone",
    }
    with Server(tmp_path_factory.mktemp("guarded") / "project", variables=variables) as server:
        body = {"session_config_name": "commons", "num_participants": 1}
        created = requests.post(f"{server.url}/api/sessions", json=body, headers=KEY, timeout=600)
        created.raise_for_status()
        yield server


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ({}, "HTTP Request Header otree-rest-key is missing"),
        ({"otree-rest-key": "a key"}, "HTTP Request Header otree-rest-key is incorrect"),
    ],
)
def test_without_the_key_nothing_is_sent(guarded, headers, words):
    answer = requests.get(f"{guarded.url}/api/export_archive", headers=headers, timeout=600)
    assert (answer.status_code, answer.text) == (403, f"{words}\n")


def test_with_the_key_the_file_is_sent(guarded):
    answer = requests.get(f"{guarded.url}/api/export_archive", headers=KEY, timeout=600)
    assert answer.status_code == 200
    assert counts(opened(answer.content))["commons_game/outcomes.csv"] == 1


def test_without_a_login_the_link_leads_to_the_login(guarded):
    for headers in ({}, KEY):
        answer = requests.get(f"{guarded.url}/export_archive", headers=headers, timeout=600)
        assert answer.url.endswith("/login")
        assert "application/zip" not in answer.headers["content-type"]


def test_a_logged_in_administrator_gets_the_file_with_a_click(guarded, browser):
    page = browser.new_page()
    try:
        page.goto(f"{guarded.url}/ExportIndex")
        page.fill("[name=username]", "admin")
        page.fill("[name=password]", "open sesame")
        page.click("button[type=submit], input[type=submit]")
        page.goto(f"{guarded.url}/ExportIndex")
        with page.expect_download() as waiting:
            page.click("#export-archive")
        assert re.fullmatch(
            r"mixed-company-[\d-]{10}-anonymous\.zip", waiting.value.suggested_filename
        )
        archive = opened(Path(waiting.value.path()).read_bytes())
        [code] = json.loads(archive.read("manifest.json"))["sessions"]
        page.goto(f"{guarded.url}/SessionData/{code}")
        with page.expect_download() as waiting:
            page.click("#export-archive")
        assert waiting.value.suggested_filename.endswith(f"-{code}-anonymous.zip")
        archive = opened(Path(waiting.value.path()).read_bytes())
        assert json.loads(archive.read("manifest.json"))["codes"] == "of this server"
        expect(page.locator("#export-archive-whole")).to_be_hidden()
        page.click("#with-personal-data summary")
        with page.expect_download() as waiting:
            page.click("#export-archive-whole")
        assert waiting.value.suggested_filename.endswith(f"-{code}.zip")
        archive = opened(Path(waiting.value.path()).read_bytes())
        assert "anonymous" not in json.loads(archive.read("manifest.json"))
    finally:
        page.close()
