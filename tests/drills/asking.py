"""Requests from a hostile browser: valid requests, corrupted requests, and bytes that were never
requests."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, replace

__all__ = ["hostile"]

Draw = random.Random

_ADDRESSES = (
    *("/", "/demo", "/login", "/logout", "/join/nobody1", "/room/lab", "/live_state"),
    *("/InitializeParticipant/nobody", "/SessionData/nobody", "/AdminReport/nobody"),
    *("/SessionBoard/nobody", "/board_view/nobody/0", "/session_payments/nobody/payments"),
    *("/api/sessions", "/api/otree_version", "/api/get_session/nobody", "/api/rooms"),
    *("/api/session_board/nobody", "/api/participant_vars/nobody", "/api/export_archive"),
    *(
        "/api/export_app",
        "/api/export_app_custom",
        "/static/mixed/play.js",
        "/static/../settings.py",
    ),
    *(
        "/static/%2e%2e/settings.py",
        "/_static_private/x",
        "//elsewhere",
        "/live",
        "/p/nobody/x/y/1",
    ),
)
_TYPES = (
    "application/x-www-form-urlencoded",
    'application/x-www-form-urlencoded; !="' + "\\" * 60,
    "multipart/form-data; boundary=x",
    "multipart/form-data",
    "application/json",
    "text/plain; charset=nothing",
    "\xff",
)
_TEXTS = (
    "",
    "a=" * 900,
    "\0",
    "%00",
    "<script>",
    "=1+1",
    "\ud7ff",
    "' OR 1=1 --",
    "%ff%fe",
    "..%2f" * 40,
)
_METHODS = ("GET", "GET", "POST", "POST", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "A" * 300, "")
_RAW = (
    b"\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00",  # start of a TLS handshake
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"POST /login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 3000 + b"\r\n",
)


@dataclass(frozen=True)
class Request:
    """Request before it is serialized."""

    method: str
    address: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def written(self) -> bytes:
        """Return the request as bytes."""
        lines = [f"{self.method} {self.address} HTTP/1.1", *(f"{k}: {v}" for k, v in self.headers)]
        return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace") + self.body


def hostile(page: str, draw: Draw) -> bytes:
    """Return a request from a person whose page has this address."""
    if draw.random() < 0.1:
        return draw.choice(_RAW)
    request = _right(page, draw)
    for _ in range(draw.choice((0, 1, 1, 2))):
        request = draw.choice(_BENDS)(request, draw)
    return request.written()


def _right(page: str, draw: Draw) -> Request:
    address = page if draw.random() < 0.4 else draw.choice(_ADDRESSES)
    method = draw.choice(("GET", "POST"))
    body = b""
    if method == "POST":
        is_json = address.startswith("/api/")
        text = json.dumps({"id": draw.choice(_TEXTS)}) if is_json else f"a={draw.choice(_TEXTS)}"
        body = text.encode("utf-8", "replace")
    kind = "application/json" if address.startswith("/api/") else _TYPES[0]
    headers = (
        ("Host", "lab.example"),
        ("Connection", "close"),
        ("Content-Type", kind),
        ("Content-Length", str(len(body))),
    )
    return Request(method, address, headers, body)


def _bend_method(request: Request, draw: Draw) -> Request:
    return replace(request, method=draw.choice(_METHODS))


def _bend_address(request: Request, draw: Draw) -> Request:
    more = draw.choice(("/", "?", "?participant_label=", "?session_code=", "?app=", "?visit=", "%"))
    return replace(request, address=f"{request.address}{more}{draw.choice(_TEXTS)}")


def _bend_header(request: Request, draw: Draw) -> Request:
    name, value = _header(draw)
    kept = tuple(pair for pair in request.headers if pair[0] != name)
    return replace(request, headers=(*kept, (name, value)))


def _bend_before(request: Request, draw: Draw) -> Request:
    """Put a header before the valid one, to fool a parser that prefers the first."""
    return replace(request, headers=(_header(draw), *request.headers))


def _header(draw: Draw) -> tuple[str, str]:
    name = draw.choice(("Host", "Content-Type", "Cookie", "X-Forwarded-For", "Range", "Expect"))
    value = draw.choice((*_TYPES, *_TEXTS, "bytes=0-,-1", "session=" + "\\" * 500, "127.0.0.1"))
    return name, value


def _bend_length(request: Request, draw: Draw) -> Request:
    kept = tuple(pair for pair in request.headers if pair[0] != "Content-Length")
    length = draw.choice(("0", "-1", "1e9", "99999999999", "", str(len(request.body) + 7)))
    return replace(request, headers=(*kept, ("Content-Length", length)))


def _bend_body(request: Request, draw: Draw) -> Request:
    body = draw.choice((b"", b"{", b"[" * 5000, b"a=&" * 2000, b"\xff" * 300, b'{"id": NaN}'))
    return _bend_length(replace(request, body=body), draw)


_BENDS: tuple[Callable[[Request, Draw], Request], ...] = (
    _bend_method,
    _bend_address,
    _bend_header,
    _bend_before,
    _bend_length,
    _bend_body,
)
