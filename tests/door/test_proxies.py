"""Tests of Caddy and nginx with the generated files, in front of two small servers."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import requests

from mixed_company.server.fleet.entrance import TRUSTED, Entrance
from mixed_company.server.fleet.proxy import PROXIES
from tests.door.fleet import free_ports
from tests.door.harness import when
from tests.proxy import installed

pytestmark = [pytest.mark.door, pytest.mark.long]
FIRST, SECOND = "/p/aaaaaaaa/x/Y/1", "/p/aaaaaaab/x/Y/1"


class Small(BaseHTTPRequestHandler):
    """Server that returns the headers it received, or closes the connection without a response."""

    posts: list[str] = []

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        if self.command == "POST":
            self.posts.append(self.path)
        if "fail" in self.path:
            self.close_connection = True
            return
        answer = {
            "port": self.server.server_address[1],
            "method": self.command,
            "path": self.path,
            "body": len(body),
            **dict(self.headers),
        }
        self.send_response(302 if "elsewhere" in self.path else 200)
        self.send_header("Set-Cookie", "one=1; Path=/")
        self.send_header("Set-Cookie", "two=2; Path=/")
        self.send_header("Location", "/somewhere")
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    do_POST = do_GET

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


@contextmanager
def small(port: int) -> Iterator[None]:
    with ThreadingHTTPServer(("127.0.0.1", port), Small) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield
        server.shutdown()


@pytest.fixture(params=list(PROXIES))
def proxy(request: pytest.FixtureRequest) -> str:
    if request.param not in installed():
        pytest.skip(f"there is no {request.param}: apt-get install {request.param}")
    return str(request.param)


@contextmanager
def street(proxy: str, folder: Path, trusted: str = TRUSTED) -> Iterator[tuple[str, int]]:
    """Run a proxy and the first server behind it; yield the URL and the second server's port."""
    port = free_ports(3)
    entrance = Entrance("127.0.0.1", port, [port + 1, port + 2], trusted=trusted)
    program = PROXIES[proxy].prepare(entrance, folder)
    with small(port + 1), subprocess.Popen(program.command) as running:
        try:
            when(lambda: answers(entrance.url))
            yield entrance.url, port + 2
        finally:
            running.terminate()


def answers(url: str) -> bool:
    try:
        return requests.get(url, timeout=60).ok
    except requests.ConnectionError:
        return False


def test_everything_that_was_sent_arrives_by_both_routes(proxy, tmp_path):
    with street(proxy, tmp_path) as (url, second), small(second):
        headers = {"X-Own": "1", "Cookie": "c=2"}
        answer = requests.post(f"{url}{SECOND}?x=%20%2F", data=b"abc", headers=headers, timeout=60)
        sent = answer.json()
        assert (sent["port"], sent["method"], sent["body"]) == (second, "POST", 3)
        assert sent["path"] == SECOND + "?x=%20%2F"
        assert (sent["X-Own"], sent["Cookie"]) == ("1", "c=2")
        assert f"http://{sent['Host']}" == url  # the public address
        assert (sent["X-Forwarded-For"], sent["X-Forwarded-Proto"]) == ("127.0.0.1", "http")
        assert answer.cookies.get_dict() == {"one": "1", "two": "2"}
        assert requests.get(f"{url}{FIRST}", timeout=60).json()["port"] == second - 1
        answer = requests.get(f"{url}/elsewhere", allow_redirects=False, timeout=60)
        assert (answer.status_code, answer.headers["Location"]) == (302, "/somewhere")


@pytest.mark.parametrize(
    ("trusted", "believed"),
    [(TRUSTED, True), ("192.0.2.1", False), ("192.0.2.1, 127.0.0.1", True), ("*", True)],
)
def test_a_trusted_proxy_in_front_is_believed_about_the_sender(proxy, tmp_path, trusted, believed):
    with street(proxy, tmp_path, trusted) as (url, _):
        headers = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https"}
        sent = requests.get(f"{url}{FIRST}", headers=headers, timeout=60).json()
        pair = (sent["X-Forwarded-For"], sent["X-Forwarded-Proto"])
        assert pair == (("192.0.2.7", "https") if believed else ("127.0.0.1", "http"))


def test_a_form_whose_server_ends_is_not_submitted_twice(proxy, tmp_path):
    with street(proxy, tmp_path) as (url, second), small(second):
        answer = requests.post(f"{url}{SECOND}?fail=1", data=b"abc", timeout=60)
        assert Small.posts.count(f"{SECOND}?fail=1") == 1
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
        assert "http-equiv=refresh" in answer.text
    Small.posts.clear()


def test_a_page_waits_for_a_server_that_is_starting_or_tries_again(proxy, tmp_path):
    """Caddy waits, whereas nginx sends a page that retries."""
    with street(proxy, tmp_path) as (url, second):
        came: list[requests.Response] = []
        waiting = threading.Thread(
            target=lambda: came.append(requests.get(f"{url}{SECOND}", timeout=60))
        )
        waiting.start()
        assert requests.get(
            f"{url}{FIRST}", timeout=60
        ).ok  # people on the other server are not affected
        if proxy == "nginx":
            waiting.join()
        with small(second):
            waiting.join()
            assert came[0].status_code == (200 if proxy == "caddy" else 503)
            assert requests.get(f"{url}{SECOND}", timeout=60).json()["port"] == second
