"""ASGI requests: their types, their client, and the response to a rejected request."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from ipaddress import IPv6Address, ip_address
from typing import Any
from urllib.parse import parse_qs

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Refused(Exception):
    """Rejection of a request.

    status    HTTP status: 4xx, or 503 if the server is overloaded
    sentence  names the value and the rule that it breaks
    seconds   time until a retry makes sense; None if a retry never does
    """

    def __init__(self, status: int, sentence: str, seconds: float | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.seconds = seconds


async def answer(refusal: Refused, send: Send) -> None:
    """Send the sentence as plain text and close; the rest of the request is not read."""
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


_BEFORE_A_CODE = ("p", "InitializeParticipant", "OutOfRangeNotification")


def address_of(scope: Scope) -> str:
    """Return the client's IP address or, for IPv6, its /64 network, which belongs to a single
    client.

    Behind a trusted proxy (FORWARDED_ALLOW_IPS), it is the address that the proxy reports.
    """
    host = str((scope.get("client") or ("unknown",))[0])
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return f"{IPv6Address(int(address) >> 64 << 64)}/64"


def participant_of(scope: Scope) -> str | None:
    """Return the participant code in the path of a page or the query of a socket, or None.

    The code is not checked: only oTree knows whether this participant exists.
    """
    parts = scope["path"].split("/")
    if len(parts) > 2 and parts[1] in _BEFORE_A_CODE:
        return str(parts[2])
    if scope["type"] != "websocket":
        return None
    query: dict[str, list[str]] = parse_qs(scope["query_string"].decode("latin-1"))
    return query["participant_code"][0] if "participant_code" in query else None
