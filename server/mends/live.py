"""Live pages: what oTree 6.0.15 needs to hold with many people at once.

* It waits for every live message to be taken, inside its only lock: one page that has stopped
  reading (a phone out of reach) would stop everybody. Here messages are sent without waiting; a
  page that leaves too many unread is sent no more, and listened to no more, until it has read.
* A live message that is no JSON raises and closes the socket. Here it is refused like any other.
* It asks the database twice per live message what never changes for a socket: is the page's live
  method async, is the participant a browser bot. Here it asks once per socket (a quarter of the
  time of a message).
* After a commit it reads again from the database whatever a live method goes on to use. Here what
  is in memory stays valid: this process is the only one that writes.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import Any

import otree.live
from otree import database
from otree.channels import consumers
from otree.channels import utils as channels
from otree.channels.consumers import LiveConsumer

__all__ = ["install"]

MOST_UNREAD = 64
"""Messages under way to one page. A page that sleeps misses them and asks again when it wakes."""

_unread: Counter[int] = Counter()
_receive = LiveConsumer.on_receive
_is_browser_bot = LiveConsumer.browser_bot_exists


def install() -> None:
    """Change how oTree sends and receives live messages."""
    otree.live._live_send_back = _send_without_waiting
    channels.ChannelLayer.send = _send
    LiveConsumer.on_receive = _receive_from_who_reads
    LiveConsumer.browser_bot_exists = _browser_bot_exists
    LiveConsumer.decode = _decode


async def _send_without_waiting(session_code: str, page_index: int, replies: Any) -> None:
    for code, data in replies.items():
        group = channels.live_group(session_code, page_index, code)
        channels.sync_group_send(group=group, data=data)


async def _send(layer: Any, group: str, data: Any) -> None:
    text = channels.json_dumps(data)
    awake = [socket for socket in layer._get_sockets(group) if _unread[id(socket)] < MOST_UNREAD]
    await asyncio.gather(*(_send_to(socket, text) for socket in awake), return_exceptions=True)


async def _send_to(socket: Any, text: str) -> None:
    key = id(socket)
    _unread[key] += 1
    try:
        await socket.send_text(text)
    finally:
        _unread[key] -= 1
        if not _unread[key]:
            del _unread[key]


async def _receive_from_who_reads(consumer: Any, websocket: Any, data: Any) -> None:
    while _unread[id(websocket)] >= MOST_UNREAD:
        await asyncio.sleep(0.05)
    page = consumer.clean_kwargs()
    if not hasattr(consumer, "is_async"):
        consumer.is_async = consumers.live_method_is_async(page["participant_code"])
    if consumer.is_async:
        await _receive(consumer, websocket, data)
        return
    async with consumers.lock2:
        with consumers.session_scope():
            database.db._db.expire_on_commit = False
            await consumer.post_receive_json(data, **page)


def _browser_bot_exists(consumer: Any, participant_code: str) -> bool:
    if not hasattr(consumer, "is_browser_bot"):
        consumer.is_browser_bot = _is_browser_bot(consumer, participant_code)
    return bool(consumer.is_browser_bot)


async def _decode(_consumer: Any, _websocket: Any, message: Any) -> Any:
    """The message, or None where it is no JSON: `table.protocol.parse` refuses that by name."""
    try:
        text = message.get("text")
        return json.loads(message["bytes"].decode() if text is None else text)
    except (ValueError, RecursionError):
        return None
