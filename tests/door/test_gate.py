"""Tests of a real server's gate, which handles requests that once blocked or broke the server."""

from __future__ import annotations

import csv
import shutil
import socket
from collections.abc import Iterator
from io import StringIO

import pytest
import requests
import websocket

from tests.door.harness import ROOT, Server
from tests.server.gate.test_reading import BACKTRACKING

pytestmark = [pytest.mark.door]

SCRIPT = "<script>alert(1)</script>"
SECONDS = 300
"""Time limit for a response on a busy machine. Each of these requests once exceeded it."""


def sent(server: Server, text: bytes) -> socket.socket:
    """Return a connection over which this has been sent."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=SECONDS)
    connection.sendall(text)
    return connection


def answered(server: Server, text: bytes) -> str:
    """Return the complete raw response to a request."""
    with sent(server, text) as connection:
        parts = b""
        while part := connection.recv(65536):
            parts += part
    return parts.decode()


def post(path: str, kind: bytes, body: bytes, length: int | None = None) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: "
    head += f"{len(body) if length is None else length}\r\nContent-Type: "
    return head.encode() + kind + b"\r\n\r\n" + body


def get(server: Server, path: str, **more: object) -> requests.Response:
    return requests.get(f"{server.url}{path}", timeout=SECONDS, **more)


def test_a_header_that_a_library_would_read_for_ever_is_refused(server):
    assert " 415 " in answered(server, post("/login", BACKTRACKING, b"a=1")).splitlines()[0]
    twice = post("/login", BACKTRACKING + b"\r\nContent-Type: text/plain", b"a=1")
    assert " 400 " in answered(server, twice).splitlines()[0]
    assert get(server, "/demo").status_code == 200


def test_half_a_request_delays_nobody(server):
    form = b"application/x-www-form-urlencoded"
    with sent(server, post("/login", form, b"a=", length=100)), sent(server, b"GET /demo HT"):
        assert get(server, "/demo").status_code == 200


def test_an_endless_form_is_refused_unread(server):
    form = b"application/x-www-form-urlencoded"
    answer = answered(server, post("/login", form, b"a=&", length=3_000_000))
    assert " 413 " in answer.splitlines()[0]
    answer = answered(server, post("/login", form, b"a=&" * 80_000))
    assert "the form has 80001 fields; at most 1000 are allowed" in answer


def test_addresses_that_once_failed_answer(server):
    code = server.session("commons", 1)["code"]
    out = get(server, "/logout", allow_redirects=False)
    assert (out.status_code, out.headers["location"]) == (302, f"{server.url}/login")
    for path, status, words in [
        (f"/AdminReport/{code}", 404, "has no report"),
        ("/api/export_app", 404, "app = '': should be one of "),
        ("/api/export_app?app=os", 404, "app = 'os': should be one of "),
        ("/api/export_app_custom?app=commons_game&function_name=x", 404, "function_name = 'x'"),
        ("/api/export_wide?session_code=none", 404, "there is no such session"),
        ("/join/%00", 400, "an unprintable character"),
    ]:
        answer = get(server, path)
        assert (answer.status_code, words in answer.text) == (status, True), (path, answer.text)
    answer = requests.post(f"{server.url}/api/sessions", data=b"no JSON", timeout=SECONDS)
    assert (answer.status_code, answer.text) == (400, "the body is not JSON\n")
    before = server.log().count("Traceback")
    with pytest.raises(websocket.WebSocketBadStatusException, match="403"):
        websocket.create_connection(f"ws://127.0.0.1:{server.port}/live", timeout=SECONDS)
    assert server.log().count("Traceback") == before


def test_an_invalid_label_reaches_no_page_and_no_table(server):
    session = server.session("commons", 6, quiz=False)
    link = session["session_wide_url"]
    for label in (SCRIPT, "=1+1", "@x", "a\x00b", "x" * 101):
        answer = requests.get(link, params={"participant_label": label}, timeout=SECONDS)
        assert (answer.status_code, "participant_label" in answer.text) == (400, True)
        assert answer.headers["content-type"].startswith(
            "text/plain"
        )  # a browser must not parse it as HTML
    answer = requests.get(link, params={"participant_label": "P 17"}, timeout=SECONDS)
    assert answer.status_code == 200
    rows = csv.DictReader(StringIO(get(server, "/api/export_wide").text))
    labels = [row["participant.label"] for row in rows if row["session.code"] == session["code"]]
    assert labels == ["P 17", "", "", "", "", ""]


def test_every_answer_tells_the_browser_what_is_allowed(server):
    person = server.join(server.session("commons", 1))
    for answer in (person.page, get(server, "/demo"), get(server, "/nowhere")):
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"
        assert "script-src 'self' 'nonce-" in answer.headers["Content-Security-Policy"]
        assert "nonce-" not in answer.text  # the placeholder of the templates is replaced
    cookie = {"X-Forwarded-Proto": "https"}  # from a proxy on this machine
    answer = get(server, "/login", headers=cookie)
    assert "; Secure" in answer.headers["Set-Cookie"]


# -- a server with small limits --------------------------------------------------------------------


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    variables = {"MIXED_LIMITS": "body_seconds=1, head_seconds=1, frame_bytes=20000"}
    server = Server(tmp_path_factory.mktemp("narrow") / "project", variables=variables)
    public = server.folder / "_static"
    if public.is_symlink():  # otherwise its siblings would be outside the project
        public.unlink()
        shutil.copytree(ROOT / "_static", public)
    with server:
        yield server


@pytest.mark.long
def test_a_folder_beside_the_public_one_is_not_served(narrow):
    private = narrow.folder / "_static_private"
    private.mkdir(exist_ok=True)
    (private / "key.txt").write_text("secret")
    for up in ("..", "%2e%2e", ".%2E"):
        request = f"GET /static/{up}/_static_private/key.txt HTTP/1.0\r\n\r\n"
        answer = answered(narrow, request.encode())
        assert " 404 " in answer.splitlines()[0]
        assert "secret" not in answer
    assert get(narrow, "/static/mixed/play.js").status_code == 200
    assert get(narrow, "/static/" + "x" * 300).status_code == 404
    assert get(narrow, "/static/mixed/play.js/x").status_code == 404


@pytest.mark.long
def test_an_unfinished_request_is_answered_or_closed(narrow):
    half = sent(narrow, post("/login", b"application/x-www-form-urlencoded", b"a=", length=100))
    slow = sent(narrow, b"GET /demo HTTP/1.1\r\nHost: ")
    silent = sent(narrow, b"")
    assert b" 408 " in half.recv(65536)
    for connection in (slow, silent):
        assert connection.recv(65536) == b""
    kept = sent(narrow, b"GET /demo HTTP/1.1\r\nHost: x\r\n\r\n")
    assert b" 200 " in kept.recv(65536)
    for connection in (half, slow, silent, kept):
        connection.close()


@pytest.mark.long
def test_a_message_that_is_too_long_closes_only_its_own_socket(narrow):
    person = narrow.join(narrow.session("commons", 1, quiz=False))
    person.walk_to("Play")
    first, second = person.live(), person.live()
    first.ask({"kind": "sync"}, "view")
    second.socket.send("x" * 20_001)
    second.socket.settimeout(SECONDS)
    while second.socket.recv():  # empty once it is closed
        pass
    assert first.ask({"kind": "sync"}, "view")["period"] == 0
