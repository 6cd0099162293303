"""Limits on sockets: how many may be open, how often they may be opened, how often they may send.

A message that exceeds the rate is not rejected. Instead, it and all later messages on that socket
are read after a delay. People who act at a normal pace never notice this, and nobody else is
affected.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from mixed_company.server.gate.limits import Limits
from mixed_company.server.gate.reading import plain_json
from mixed_company.server.gate.request import Receive, Refused

AS_MANY_PEOPLE = 100
"""Limits of an address, as a multiple of the limits of one participant."""
UNREADABLE = 1003  # a close code (RFC 6455, 7.4.1)


class Sockets:
    """All open sockets, and the message rate of each participant and address."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: Counter[str] = Counter()
        self._openings = _Pair(limits, "openings")
        self._messages = _Pair(limits, "messages")

    @contextmanager
    def opened(self, address: str, participant: str | None) -> Iterator[None]:
        """Count a socket while it is open. Raises Refused if too many are open."""
        allowed = {f"address {address}": self._limits.sockets_of_address}
        if participant is not None:
            allowed[f"participant {participant}"] = self._limits.sockets_of_participant
        for owner, number in allowed.items():
            if self._open[owner] >= number:
                raise Refused(
                    429, f"{owner}: {number} sockets are already open, the maximum; close some"
                )
        self._open.update(allowed.keys())
        try:
            yield
        finally:
            self._open.subtract(allowed.keys())
            for owner in allowed:
                if not self._open[owner]:
                    del self._open[owner]

    async def begin(self, address: str, participant: str | None) -> None:
        """Count a newly opened socket, and wait until it is allowed to open."""
        await self._openings.pause(address, participant)

    def slowed(self, address: str, participant: str | None, receive: Receive) -> Receive:
        """Return a `receive` that delays messages that come too early."""

        async def receive_slowly() -> dict[str, object]:
            message = await receive()
            if message["type"] == "websocket.receive":
                await self._messages.pause(address, participant)
            return message

        return receive_slowly


class _Pair:
    """Rates of an action, per participant and per address."""

    def __init__(self, limits: Limits, name: str) -> None:
        self._of_person = limits.rates(name)
        self._of_address = limits.rates(name, AS_MANY_PEOPLE)

    async def pause(self, address: str, participant: str | None) -> None:
        """Count one more action, and wait until it is allowed."""
        now = asyncio.get_running_loop().time()
        wait = self._of_address.wait(address, now)
        if participant is not None:
            wait = max(wait, self._of_person.wait(participant, now))
        if wait:
            await asyncio.sleep(wait)


def checked_json(receive: Receive) -> Receive:
    """Return a `receive` that closes the socket if a message is not JSON or cannot be stored. It is
    for oTree's own sockets, which would raise an exception; live pages reply with an error message.
    """

    async def receive_json() -> dict[str, object]:
        message = await receive()
        if message["type"] == "websocket.receive":
            try:
                text = message.get("text")
                plain_json(message["bytes"] if text is None else text)
            except Refused:
                return {"type": "websocket.disconnect", "code": UNREADABLE}
        return message

    return receive_json
