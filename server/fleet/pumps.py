"""Two sockets as one: what comes in at either goes out at the other, until one of them ends."""

from __future__ import annotations

import asyncio
from typing import Protocol

from aiohttp import WSMessage, WSMsgType

__all__ = ["Socket", "pump"]

GOING_AWAY = 1001
_UNSAYABLE = (1005, 1006, 1015)
"""Codes of endings that have none; nobody may send them."""


class Socket(Protocol):
    """What aiohttp's sockets of both sides have."""

    @property
    def close_code(self) -> int | None:
        """Why it has ended."""

    async def receive(self) -> WSMessage:
        """The next message."""

    async def send_str(self, data: str, compress: int | None = None) -> None:
        """Send a text, when the other side has read enough."""

    async def send_bytes(self, data: bytes, compress: int | None = None) -> None:
        """Send bytes."""

    async def close(self, *, code: int = ...) -> bool:
        """End it."""


async def pump(one: Socket, other: Socket) -> None:
    """Hand messages over, both ways, and end both when one has ended."""
    ways = [
        asyncio.create_task(_hand_over(one, other)),
        asyncio.create_task(_hand_over(other, one)),
    ]
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        await asyncio.gather(
            _close(one, other.close_code), _close(other, one.close_code), return_exceptions=True
        )


async def _hand_over(source: Socket, target: Socket) -> None:
    while True:
        message = await source.receive()
        if message.type is WSMsgType.TEXT:
            await target.send_str(message.data)
        elif message.type is WSMsgType.BINARY:
            await target.send_bytes(message.data)
        else:
            return


async def _close(socket: Socket, why: int | None) -> None:
    await socket.close(code=GOING_AWAY if why is None or why in _UNSAYABLE else why)
