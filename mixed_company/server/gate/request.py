"""A request as ASGI has it: its types, whose it is, and the answer to one that is refused."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from ipaddress import IPv6Address, ip_address
from typing import Any
from urllib.parse import parse_qs

__all__ = ["App", "Receive", "Refused", "Scope", "Send", "address_of", "answer", "participant_of"]

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


_BEFORE_A_CODE = ("p", "InitializeParticipant", "OutOfRangeNotification")


def address_of(scope: Scope) -> str:
    """Return the address a request comes from; of IPv6 its network, which is one client's.

    Behind a proxy that the server trusts (FORWARDED_ALLOW_IPS), what the proxy says it is.
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
    """Return the code of the participant whose page or socket it is; None: the address has none.

    A code is taken as it is: whether there is such a participant, only oTree knows.
    """
    parts = scope["path"].split("/")
    if len(parts) > 2 and parts[1] in _BEFORE_A_CODE:
        return str(parts[2])
    if scope["type"] != "websocket":
        return None
    query: dict[str, list[str]] = parse_qs(scope["query_string"].decode("latin-1"))
    return query["participant_code"][0] if "participant_code" in query else None
