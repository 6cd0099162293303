"""Security headers of responses: which scripts may run, and what browsers may store or send.

A page may run scripts from the server's files and inline scripts from its template. Inline scripts
carry the `NONCE_MARK` placeholder, which is replaced with a fresh nonce in every response. A script
injected through user input has no nonce and does not run.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Iterable
from typing import Any

from mixed_company.server.gate.request import Scope, Send

NONCE_MARK = f"nonce-{secrets.token_hex(10)}"
"""Placeholder in templates, drawn at random once per process. It is as long as a nonce, so
replacing it does not change the length of the page.
"""

ALWAYS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"SAMEORIGIN"),
    (b"referrer-policy", b"same-origin"),
)
POLICY = (
    "default-src 'self'; script-src 'self' 'nonce-{nonce}'; script-src-attr {handlers}; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self' {sockets}; "
    "frame-ancestors 'self'; base-uri 'self'; form-action 'self'; object-src 'none'"
)
_ANY_HANDLER = ("/SessionData/",)
"""Pages where oTree's script creates an event handler for every row."""


def hashed(handlers: Iterable[str]) -> str:
    """Return the script-src-attr value that allows these event handlers and no others."""
    digests = sorted({hashlib.sha256(text.encode()).digest() for text in handlers})
    words = [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]
    return " ".join(["'unsafe-hashes'", *words]) if words else "'none'"


class Headers:
    """Application that adds security headers to responses; `handlers` are the event handlers that
    may run.
    """

    def __init__(self, handlers: Iterable[str]) -> None:
        self._handlers = hashed(handlers)

    def dress(self, scope: Scope, send: Send) -> Send:
        """Return a `send` that adds the headers and replaces the placeholder with a nonce."""
        nonce = secrets.token_hex(len(NONCE_MARK) // 2)
        mark, word = NONCE_MARK.encode(), nonce.encode()

        async def dressed(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = self._headers(scope, list(message.get("headers", ())), nonce)
                message = {**message, "headers": headers}
            elif mark in message.get("body", b""):
                message = {**message, "body": message["body"].replace(mark, word)}
            await send(message)

        return dressed

    def _headers(
        self, scope: Scope, headers: list[tuple[bytes, bytes]], nonce: str
    ) -> list[tuple[bytes, bytes]]:
        safe = scope["scheme"] in ("https", "wss")
        dressed = [
            (name, value + b"; Secure" if safe and _is_open_cookie(name, value) else value)
            for name, value in headers
        ]
        names = {name.lower() for name, _ in headers}
        policy = (b"content-security-policy", self._policy(scope, nonce).encode("latin-1"))
        more = [*ALWAYS, policy]
        if not scope["path"].startswith("/static/"):
            more.append((b"cache-control", b"no-store"))
        return dressed + [(name, value) for name, value in more if name not in names]

    def _policy(self, scope: Scope, nonce: str) -> str:
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        sockets = f"ws://{hosts[-1]} wss://{hosts[-1]}" if hosts else ""
        free = scope["path"].startswith(_ANY_HANDLER)
        handlers = "'unsafe-inline'" if free else self._handlers
        return POLICY.format(nonce=nonce, handlers=handlers, sockets=sockets)


def _is_open_cookie(name: bytes, value: bytes) -> bool:
    return name.lower() == b"set-cookie" and b"; secure" not in value.lower()
