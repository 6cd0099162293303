"""A participant in a rehearsal continues if the server closes the connection."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
import requests

from mixed_company.server.rehearse import participant

PAGE = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@contextmanager
def server(resets: int) -> Iterator[tuple[str, list[bytes]]]:
    """Serve pages, but reset the connection for this many requests after the first."""
    seen: list[bytes] = []

    def serve(listening: socket.socket) -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            with closing(connection):
                while request := connection.recv(65536):
                    if not request.startswith((b"GET", b"POST")):  # the fields of a form
                        continue
                    seen.append(request.split(b" ")[0])
                    if 1 < len(seen) <= 1 + resets:
                        linger = b"\1\0\0\0\0\0\0\0"  # closing sends a reset
                        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                        break
                    connection.sendall(PAGE)

    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        threading.Thread(target=serve, args=[listening], daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/p/abc/Play/7", seen
        listening.shutdown(socket.SHUT_RDWR)


def test_a_page_is_submitted_again_after_a_reset():
    with server(resets=1) as (link, seen):
        person = participant.Participant(link)
        person.next(answer="1")
        person.http.close()
    assert person.page.text == "ok"
    assert seen == [b"GET", b"POST", b"POST"]


def test_a_server_that_always_resets_is_an_error():
    with server(resets=100) as (link, seen):
        person = participant.Participant(link)
        with pytest.raises(requests.ConnectionError):
            person.next()
        person.http.close()
    assert seen == [b"GET", *[b"POST"] * 3]
