"""Sockets: how many, how often opened, and how often messages.

A message that comes too early is not refused: it is read later, and so is what comes after it on
that socket. Whoever sends as a person does never notices; nobody else does either.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from mixed_company.server.gate.limits import Limits
from mixed_company.server.gate.reading import plain_json
from mixed_company.server.gate.request import Receive, Refused

__all__ = ["AS_MANY_PEOPLE", "UNREADABLE", "Sockets", "checked_json"]

AS_MANY_PEOPLE = 100
"""An address may do what so many participants may."""
UNREADABLE = 1003  # a close code (RFC 6455, 7.4.1)


class Sockets:
    """All that are open, and how often those of each participant and address send."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: Counter[str] = Counter()
        self._openings = _Both(limits, "openings")
        self._messages = _Both(limits, "messages")

    @contextmanager
    def opened(self, address: str, participant: str | None) -> Iterator[None]:
        """Count a socket while it is open. Raises Refused where there are too many."""
        allowed = {f"address {address}": self._limits.sockets_of_address}
        if participant is not None:
            allowed[f"participant {participant}"] = self._limits.sockets_of_participant
        for owner, number in allowed.items():
            if self._open[owner] >= number:
                raise Refused(429, f"{owner} has {number} sockets open: close some")
        self._open.update(allowed.keys())
        try:
            yield
        finally:
            self._open.subtract(allowed.keys())
            for owner in allowed:
                if not self._open[owner]:
                    del self._open[owner]

    async def begin(self, address: str, participant: str | None) -> None:
        """Count a socket that is opened, and wait until it is in time."""
        await self._openings.pause(address, participant)

    def slowed(self, address: str, participant: str | None, receive: Receive) -> Receive:
        """Return `receive`, which waits with messages that come too early."""

        async def receive_slowly() -> dict[str, object]:
            message = await receive()
            if message["type"] == "websocket.receive":
                await self._messages.pause(address, participant)
            return message

        return receive_slowly


class _Both:
    """How often something is done, by a participant and by an address."""

    def __init__(self, limits: Limits, name: str) -> None:
        self._of_person = limits.rates(name)
        self._of_address = limits.rates(name, AS_MANY_PEOPLE)

    async def pause(self, address: str, participant: str | None) -> None:
        """Count it once more, and wait until it is in time."""
        now = asyncio.get_running_loop().time()
        wait = self._of_address.wait(address, now)
        if participant is not None:
            wait = max(wait, self._of_person.wait(participant, now))
        if wait:
            await asyncio.sleep(wait)


def checked_json(receive: Receive) -> Receive:
    """Return `receive`, which ends the socket at a message that is not JSON, or cannot be kept.

    For oTree's own sockets, which raise; a live page's refuses such a message with a sentence.
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
