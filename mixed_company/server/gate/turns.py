"""Fair queueing: requests of different clients take turns, so a flood delays only its sender.

Only a few requests are inside oTree at the same time. The next one to enter is the oldest request
of the client whose turn it is. If n clients are waiting, each of a client's requests waits for at
most n - 1 requests from other clients.
"""

from __future__ import annotations

import asyncio
from collections import deque


class Turns:
    """Clients whose requests are inside or waiting."""

    def __init__(self, inside: int) -> None:
        self._free = inside
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    def waiting(self, client: str) -> int:
        """Return the number of a client's waiting requests."""
        return len(self._waiting.get(client, ()))

    def ask(self, client: str) -> asyncio.Future[None]:
        """Queue a request; the future completes at its turn. The caller must call `leave`."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        self._admit()
        return turn

    def leave(self, client: str, turn: asyncio.Future[None]) -> None:
        """End a request's turn, or stop waiting for one."""
        if turn.done():
            self._free += 1
            self._admit()
            return
        self._waiting[client].remove(turn)
        if not self._waiting[client]:
            del self._waiting[client]

    def _admit(self) -> None:
        while self._free and self._waiting:
            client = next(iter(self._waiting))
            queue = self._waiting.pop(client)
            turn = queue.popleft()
            if queue:
                self._waiting[client] = queue  # behind all the other clients
            self._free -= 1
            turn.set_result(None)
