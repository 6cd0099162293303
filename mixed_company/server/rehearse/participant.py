"""Participant without a browser: pages over HTTP, the live channel over a socket."""

from __future__ import annotations

import html
import json
import re
import time
from collections import deque
from contextlib import suppress
from typing import Any

import requests
import websocket

from mixed_company.server.rehearse.server import ServerError


def live_url(url: str, page: str) -> str:
    """Return the address of a page's live channel. Raises ServerError for a page without one."""
    match = re.search(r'id="otree-live" data-socket-url="([^"]+)"', page)
    if match is None:
        raise ServerError(f"{url} has no live channel:\n{page[:2000]}")
    host = url.split("/")[2]
    return f"ws://{host}{html.unescape(match.group(1))}"


_TRIES = 3


class Participant:
    """Participant who has followed a session's link; `page` is the current page."""

    def __init__(self, link: str) -> None:
        self.http = requests.Session()
        self.page = self.http.get(link, timeout=60)

    @property
    def code(self) -> str:
        """oTree's code of the participant."""
        return self.page.url.split("/p/")[1].split("/")[0]

    @property
    def page_name(self) -> str:
        """Name of the page: Instructions, Quiz, Lobby, Play or Results."""
        return self.page.url.split("/")[-2]

    def next(self, **fields: Any) -> None:
        """Submit the current page; retry if the connection was lost. The server closes idle
        connections, sometimes while a request is on its way. If a page is submitted twice, oTree
        responds with the current page.
        """
        for tries_left in reversed(range(_TRIES)):
            try:
                self.page = self.http.post(self.page.url, data=fields, timeout=60)
            except requests.ConnectionError:
                if not tries_left:
                    raise
            else:
                return

    def live_url(self) -> str:
        """Return the address of the page's live channel. Raises ServerError if it has none."""
        return live_url(self.page.url, self.page.text)


class Live:
    """Live channel of a page."""

    def __init__(self, url: str) -> None:
        self.socket = websocket.create_connection(url, timeout=60)
        self._unread = deque[dict[str, Any]]()

    def send(self, message: Any) -> None:
        """Send a message of the protocol (`table.protocol`)."""
        self.socket.send(json.dumps(message))

    def receive(self, kind: str | None = None) -> dict[str, Any]:
        """Return the next message, or the next message of this kind."""
        while True:
            payload = self._unread.popleft() if self._unread else self._received()
            if kind is None or payload["kind"] == kind:
                return payload

    def wait(self, seconds: float) -> None:
        """Wait, and keep any messages that arrive in the meantime for `receive`. Like a browser,
        answer the server's pings, because the server closes a channel that does not.
        """
        deadline, patience = time.monotonic() + seconds, self.socket.gettimeout()
        while (left := deadline - time.monotonic()) > 0:
            self.socket.settimeout(left)
            with suppress(websocket.WebSocketTimeoutException):
                self._unread.append(self._received())
        self.socket.settimeout(patience)

    def _received(self) -> dict[str, Any]:
        data = json.loads(self.socket.recv())
        if not data["otree_success"]:
            raise ServerError("the live method raised an exception")
        payload: dict[str, Any] = data["live_method_payload"]
        return payload

    def close(self) -> None:
        """Close the page."""
        self.socket.close()
