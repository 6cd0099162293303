"""Live pages: changes that oTree 6.0.15 needs to serve many people at the same time.

* It handles every live message inside its only lock, with a database session. Here a page's socket
  is a `server.sockets.Channel`; the channel of a play page talks to its table, without the lock or
  the database.
* It waits until each message that it sends is accepted, so a single page that has stopped reading
  (on a phone without reception) would block everybody. Here the channel sends without waiting.
* A live message that is not JSON raises an exception, which closes the socket. Here it is rejected
  like any other.
* Its web server compresses every frame, which costs more time than it saves with short frames.
* It has no hook that runs when the server starts. Here unfinished plays resume at that point.
"""

from __future__ import annotations

import asyncio
from typing import Any

import otree.live
from otree.channels import utils as channels
from otree.channels.consumers import LiveConsumer
from starlette.routing import Router
from uvicorn.protocols.websockets.websockets_impl import WebSocketProtocol

from mixed_company.server.gate.wire import WRITE
from mixed_company.server.open import going_on
from mixed_company.server.sockets import Channel

_connect = LiveConsumer.on_connect
_disconnect = LiveConsumer.on_disconnect
_sockets = channels.ChannelLayer._get_sockets
_startup = Router.startup


def install() -> None:
    """Change how oTree sends and receives live messages."""
    otree.live._live_send_back = _send_without_waiting
    channels.ChannelLayer.send = _send
    LiveConsumer.on_connect = _on_connect
    LiveConsumer.on_receive = _on_receive
    LiveConsumer.on_disconnect = _on_disconnect
    LiveConsumer.decode = _undecoded
    WebSocketProtocol.process_extensions = staticmethod(_no_extensions)
    Router.startup = _start  # type: ignore[method-assign,assignment]


async def _start(router: Any) -> None:
    await _startup(router)
    going_on.begin(asyncio.get_running_loop())


async def _send_without_waiting(session_code: str, page_index: int, replies: Any) -> None:
    for code, data in replies.items():
        group = channels.live_group(session_code, page_index, code)
        channels.sync_group_send(group=group, data=data)


async def _send(layer: Any, group: str, data: Any) -> None:
    text = channels.json_dumps(data)
    for socket in list(_sockets(layer, group)):
        if not hasattr(socket, "channel"):
            socket.channel = Channel(None, socket)
        socket.channel.tell(text)


async def _on_connect(consumer: Any, websocket: Any) -> None:
    websocket.channel = Channel(consumer, websocket, websocket.scope.get(WRITE))
    await _connect(consumer, websocket)


async def _on_receive(_consumer: Any, websocket: Any, text: Any) -> None:
    await websocket.channel.receive(text)


async def _on_disconnect(consumer: Any, websocket: Any, close_code: int) -> None:
    websocket.channel.close()
    await _disconnect(consumer, websocket, close_code)


async def _undecoded(_consumer: Any, _websocket: Any, message: Any) -> Any:
    text = message.get("text")
    return message["bytes"] if text is None else text


def _no_extensions(_headers: Any, _available: Any) -> tuple[None, list[Any]]:
    return None, []
