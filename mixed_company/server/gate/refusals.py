"""A request that is not let in, and its answer: a status and a sentence."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from typing import Any

__all__ = ["App", "Receive", "Refused", "Scope", "Send", "answer"]

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Refused(Exception):
    """Why a request is not let in.

    status    of HTTP: 4xx, or 503 where the server has no room
    sentence  what was wrong, by name, value and rule
    seconds   after which it may be tried again, where that helps
    """

    def __init__(self, status: int, sentence: str, seconds: float | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.seconds = seconds


async def answer(refusal: Refused, send: Send) -> None:
    """Send the sentence as plain text, and close: what is left of the request is not read."""
    text = f"{refusal.sentence}\n".encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(text)).encode()),
        (b"connection", b"close"),
    ]
    if refusal.seconds is not None:
        headers.append((b"retry-after", str(math.ceil(refusal.seconds)).encode()))
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": text})
