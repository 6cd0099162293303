"""Files are read once for simultaneous requests, and are read again soon afterwards."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from mixed_company.server.gate.files import FRESH_SECONDS, MOST_BYTES, MOST_FILES, Files
from tests.loops import complete


class Disk:
    """File application that counts its requests and sends a file in two parts."""

    def __init__(self) -> None:
        self.files = {"/static/a.css": b"first"}
        self.reads: list[str] = []

    async def __call__(self, scope: dict[str, Any], _receive: Any, send: Any) -> None:
        path = scope["path"]
        self.reads.append(path)
        body = self.files.get(path)
        status, content = (404, b"Not Found") if body is None else (200, body)
        headers = [(b"etag", b'"%d"' % hash(content)), (b"content-type", b"text/css")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        half = len(content) // 2
        await send({"type": "http.response.body", "body": content[:half], "more_body": True})
        await send({"type": "http.response.body", "body": content[half:]})


class Place:
    """File cache in front of a disk, with a clock that a test moves."""

    def __init__(self) -> None:
        self.disk, self.seconds = Disk(), 100.0
        self.files = Files(self.disk, lambda: self.seconds)

    def ask(self, path: str = "/static/a.css", method: str = "GET", **headers: str) -> Any:
        """Return the status, headers and body of a response."""
        messages: list[dict[str, Any]] = []

        async def send(message: dict[str, Any]) -> None:
            messages.append(message)

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b""}

        pairs = [
            (name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()
        ]
        scope = {"type": "http", "method": method, "path": path, "headers": pairs}
        complete(self.files(scope, receive, send))
        body = b"".join(message.get("body", b"") for message in messages[1:])
        return messages[0]["status"], dict(messages[0]["headers"]), body


@pytest.fixture
def place() -> Place:
    return Place()


def test_a_file_is_read_once_for_simultaneous_requests(place):
    first = place.ask()
    assert first[0] == 200
    assert first[2] == b"first"
    assert [place.ask() for _ in range(3)] == [first] * 3
    assert place.disk.reads == ["/static/a.css"]


def test_a_changed_file_is_seen_soon_after(place):
    place.ask()
    place.disk.files["/static/a.css"] = b"second"
    place.seconds += FRESH_SECONDS - 0.01
    assert place.ask()[2] == b"first"
    place.seconds += 0.01
    assert place.ask()[2] == b"second"


def test_a_client_that_has_the_file_learns_that_it_is_unchanged(place):
    _, headers, _ = place.ask()
    tag = headers[b"etag"].decode()
    assert place.ask(if_none_match=tag) == (304, {b"etag": tag.encode()}, b"")
    assert place.ask(if_none_match='"another"')[0] == 200
    assert len(place.disk.reads) == 1


def test_ranges_heads_and_missing_files_are_requested_every_time(place):
    place.ask()
    place.ask(range="bytes=0-1")
    place.ask(method="HEAD")
    for _ in range(2):
        assert place.ask("/static/none.css")[0] == 404
    assert len(place.disk.reads) == 5


def test_memory_holds_a_limited_number_of_small_files(place):
    place.disk.files["/static/large"] = b"x" * (MOST_BYTES + 1)
    for _ in range(2):
        assert len(place.ask("/static/large")[2]) == MOST_BYTES + 1
    assert place.disk.reads == ["/static/large"] * 2
    paths = [f"/static/{number}" for number in range(MOST_FILES + 1)]
    place.disk.files |= dict.fromkeys(paths, b"small")
    for path in paths:
        place.ask(path)
    before = len(place.disk.reads)
    assert place.ask(paths[-1])[2] == b"small"
    assert len(place.disk.reads) == before
    place.ask(paths[0])  # the oldest was dropped
    assert len(place.disk.reads) == before + 1


def test_simultaneous_requests_read_a_file_once_and_nobody_waits_for_the_slowest():
    disk = Disk()
    files = Files(disk)

    async def all_at_once() -> list[bytes]:
        answered: list[bytes] = []
        gone = asyncio.Event()

        def sender(slow: bool) -> Any:
            async def send(message: dict[str, Any]) -> None:
                if slow:
                    await gone.wait()
                elif message["type"] == "http.response.body":
                    answered.append(message["body"])

            return send

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b""}

        scope = {"type": "http", "method": "GET", "path": "/static/a.css", "headers": []}
        asking = [files(scope, receive, sender(slow=number == 0)) for number in range(5)]
        tasks = [asyncio.ensure_future(request) for request in asking]
        await asyncio.wait(tasks[1:])
        gone.set()
        await tasks[0]
        return answered

    assert complete(all_at_once()) == [b"first"] * 4
    assert disk.reads == ["/static/a.css"]


def test_a_large_file_is_sent_to_everybody_who_requests_it_at_the_same_time():
    disk = Disk()
    disk.files["/static/large"] = b"x" * (MOST_BYTES + 1)
    files, sizes = Files(disk), []

    async def send(message: dict[str, Any]) -> None:
        sizes.append(len(message.get("body", b"")))
        await asyncio.sleep(0)

    async def all_at_once() -> None:
        scope = {"type": "http", "method": "GET", "path": "/static/large", "headers": []}
        await asyncio.gather(*(files(scope, send, send) for _ in range(4)))

    complete(all_at_once())
    assert sum(sizes) == 4 * (MOST_BYTES + 1)


def test_an_unreadable_file_leaves_nobody_waiting():
    async def broken(_scope: Any, _receive: Any, _send: Any) -> None:
        raise OSError("no disk")

    async def twice() -> None:
        scope = {"type": "http", "method": "GET", "path": "/static/a.css", "headers": []}
        files = Files(broken)
        for _ in range(2):
            with pytest.raises(OSError, match="no disk"):
                await files(scope, broken, broken)

    complete(twice())
