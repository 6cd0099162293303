"""The body of a request is read whole, within its limits, before anybody waits for it.

oTree reads a body inside its only lock: whoever sends half of one, or a very long one, stops all.
"""

from __future__ import annotations

import asyncio

from mixed_company.server.gate.limits import Limits
from mixed_company.server.gate.refusals import Receive, Refused, Scope

__all__ = ["Bodies", "Gone", "again"]


class Gone(Exception):
    """Whoever asked has gone away."""


class Bodies:
    """All bodies that are held; `held` is how many bytes they have."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.held = 0

    async def read(self, scope: Scope, receive: Receive) -> bytearray:
        """The whole body, which whoever asks for it gives up with `drop`.

        Raises Refused if it is longer, or takes longer, than it may; Gone if it never ends.
        """
        self._check_length(scope)
        body = bytearray()
        try:
            seconds = self._limits.body_seconds
            await asyncio.wait_for(self._fill(body, receive), seconds)
        except TimeoutError:
            self.drop(body)
            raise Refused(408, f"the request did not end within {seconds:g} s") from None
        except BaseException:
            self.drop(body)
            raise
        return body

    def drop(self, body: bytearray) -> None:
        """The body is not needed any more."""
        self.held -= len(body)
        body.clear()

    async def _fill(self, body: bytearray, receive: Receive) -> None:
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Gone
            part = message.get("body", b"")
            body += part
            self.held += len(part)
            self._check(len(body))
            more = message.get("more_body", False)

    def _check_length(self, scope: Scope) -> None:
        """Refuse by what the head says, before anything of the body is read."""
        for name, value in scope["headers"]:
            if name == b"content-length":
                self._check(int(value))

    def _check(self, length: int) -> None:
        most = self._limits.body_bytes
        if length > most:
            raise Refused(413, f"the request has {length} bytes: at most {most}")
        if self.held > self._limits.bodies_bytes:
            raise Refused(503, "too much is being sent to the server at once", seconds=5)


def again(body: bytes, receive: Receive) -> Receive:
    """What oTree reads the body from: all of it at once, then what comes after it."""
    rest = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> dict[str, object]:
        return rest.pop() if rest else await receive()

    return receive_again
