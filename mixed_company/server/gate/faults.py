"""Error responses: no matter what failed, people get a page, and programs and scripts get a plain
sentence.

The error itself goes to the server's log.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mixed_company.server.gate.request import Refused, Scope, Send, answer

AWAY_SECONDS = 3
"""Seconds after which a page retries automatically while the database is down."""
FAILED = "the server failed; see its log"
AWAY = "the database is not responding; nothing is lost, please try again"
_PLAIN = (b"", b"text/plain")
_log = logging.getLogger(__name__)

Page = Callable[[int, str, Scope, bytes], bytes]
"""Function that returns the page for a status and a sentence; the page can resend the form's
body.
"""


@dataclass(frozen=True)
class Tell:
    """Functions that report failures.

    page      returns the page for people; if it is None, everybody gets the sentence
    is_away   returns whether an error means that the database is not answering
    trouble   returns a sentence while the database is not answering, otherwise an empty string
    """

    page: Page | None = None
    is_away: Callable[[BaseException], bool] = lambda _error: False
    trouble: Callable[[], str] = str


as_sentences = Tell()


class Faults:
    """Response to one request: applications call `send`, and `fail` handles their errors."""

    def __init__(self, tell: Tell, scope: Scope, send: Send) -> None:
        self._tell = tell
        accepted = dict(scope["headers"]).get(b"accept", b"")
        self._page = tell.page if b"text/html" in accepted else None
        self._scope = scope
        self._send = send
        self._held: tuple[dict[str, Any], Page] | None = None
        self._text = bytearray()
        self._started = False
        self.form = b""

    async def send(self, message: dict[str, Any]) -> None:
        """Pass on a message of the response; if it is an error sentence for a browser, turn it into
        a page.
        """
        if message["type"] == "http.response.start":
            self._started = True
            if self._page is not None and _is_sentence(message):
                self._held = message, self._page
                return
        elif self._held is not None:
            self._text += message.get("body", b"")
            if not message.get("more_body", False):
                await self._show(*self._held)
            return
        await self._send(message)

    async def fail(self, error: Exception) -> None:
        """Log an error and respond to the request; raise the error if the response has started."""
        if self._held is not None:  # oTree raises it again at the end of its response
            await self._show(*self._held)
        away = self._tell.is_away(error)
        if away:
            _log.warning("%s: the database is not responding: %s", self._scope["path"], error)
        elif self._started:
            raise error
        else:
            _log.error("%s: failed", self._scope["path"], exc_info=error)
        if not self._started:
            refused = Refused(503, AWAY, AWAY_SECONDS) if away else Refused(500, FAILED)
            await answer(refused, self.send)

    async def _show(self, start: dict[str, Any], page: Page) -> None:
        sentence = self._text.decode("utf-8", "replace").strip()
        body = page(start["status"], sentence, self._scope, self.form)
        replaced = (b"content-type", b"content-length")
        headers = [pair for pair in start["headers"] if pair[0].lower() not in replaced]
        headers.append((b"content-type", b"text/html; charset=utf-8"))
        headers.append((b"content-length", str(len(body)).encode()))
        self._held = None
        await self._send({**start, "headers": headers})
        await self._send({"type": "http.response.body", "body": body})


def _is_sentence(start: dict[str, Any]) -> bool:
    """Return whether the response that starts with this message is a plain-text error."""
    kind = dict(start.get("headers", ())).get(b"content-type", b"").partition(b";")[0]
    return start["status"] >= 400 and kind in _PLAIN
