"""Requests of different clients take turns: nobody's wait behind somebody's flood.

A few are inside at once. Of those that wait, the next is not the one that came first, but the first
of the client whose turn it is: with n clients waiting, nobody waits for more than n - 1 requests of
others for each of his own.
"""

from __future__ import annotations

import asyncio
from collections import deque

__all__ = ["Turns"]


class Turns:
    """Who is inside, and who waits."""

    def __init__(self, inside: int) -> None:
        self._free = inside
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    def waiting(self, client: str) -> int:
        """Return the number of a client's requests that wait."""
        return len(self._waiting.get(client, ()))

    def ask(self, client: str) -> asyncio.Future[None]:
        """Ask for a turn: the future is done when it has come. Whoever asked has to `leave`."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        self._let_in()
        return turn

    def leave(self, client: str, turn: asyncio.Future[None]) -> None:
        """Give the turn back, or no longer wait for it."""
        if turn.done():
            self._free += 1
            self._let_in()
            return
        self._waiting[client].remove(turn)
        if not self._waiting[client]:
            del self._waiting[client]

    def _let_in(self) -> None:
        while self._free and self._waiting:
            client = next(iter(self._waiting))
            queue = self._waiting.pop(client)
            turn = queue.popleft()
            if queue:
                self._waiting[client] = queue  # behind all the others
            self._free -= 1
            turn.set_result(None)
