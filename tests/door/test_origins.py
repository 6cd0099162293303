"""A page of another origin opens no socket and sends no form, in a browser with its cookies."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser

from tests.door.harness import Server

pytestmark = pytest.mark.door

OPEN = """async (address) => await new Promise((resolve) => {
    const socket = new WebSocket(address);
    socket.onopen = () => { socket.close(); resolve("open"); };
    socket.onerror = () => resolve("refused");
})"""


class _Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>another server</title>")

    def log_message(self, *_arguments: object) -> None:
        """Print nothing."""


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """The address of another server on the same host."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Page) as other:
        thread = threading.Thread(target=other.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{other.server_port}"
        other.shutdown()
        thread.join()


def test_only_pages_of_the_server_open_its_sockets(
    server: Server, browser: Browser, elsewhere: str
) -> None:
    session = server.session("commons", 1, quiz=False)
    person = server.join(session)
    person.walk_to("Play")
    own, other = browser.new_page(), browser.new_page()
    own.goto(f"{server.url}/demo")
    other.goto(elsewhere)
    base = server.url.replace("http", "ws")
    for address in (f"{base}/create_session", f"{base}/delete_sessions", person.live_url()):
        assert own.evaluate(OPEN, address) == "open", address
        assert other.evaluate(OPEN, address) == "refused", address


SEND = """async ([address, fields]) => await new Promise((resolve) => {
    const form = document.createElement("form");
    Object.assign(form, {action: address, method: "post"});
    for (const [name, value] of Object.entries(fields)) {
        const field = document.createElement("input");
        Object.assign(field, {name, value});
        form.append(field);
    }
    document.body.append(form);
    form.submit();
    resolve();
})"""


def test_only_pages_of_the_server_send_its_forms(
    server: Server, browser: Browser, elsewhere: str
) -> None:
    code = server.session("commons", 1, quiz=False)["code"]
    page = browser.new_page()
    said = []
    for start in (f"{server.url}/demo", elsewhere):
        page.goto(start)
        with page.expect_navigation():
            page.evaluate(SEND, [f"{server.url}/SessionBoard/{code}", {"directive": "{}"}])
        said.append("is not of this server" in page.content())
    assert said == [False, True]
