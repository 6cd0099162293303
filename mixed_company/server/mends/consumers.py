"""Sockets of oTree's own pages: wait pages, rooms, chats and the administrator's pages.

oTree 6.0.15 does not check the values in their addresses, even if nobody is logged in:

* It imports and runs any Python module named by `app_name`. Here the name must be an app.
* A number beyond the database's range, an unknown room, or a message that is not an object raises
  an exception. Here the gate rejects a socket with such an address, and such a message closes its
  socket.
* A socket that fails to open or close stays in memory forever. Here it is dropped.
* Anybody that a message names as waiting is stored until the administrator opens the Monitor, even
  a person who is not in the session. Here only participants of that session are stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from otree import settings
from otree.channels import consumers
from otree.channels.utils import channel_layer
from otree.models import Participant
from otree.room import ROOM_DICT

from mixed_company.engine.contract.errors import nearest, short

UNREADABLE = 1003  # a close code (RFC 6455, 7.4.1)
LARGEST = 2**31 - 1
"""Largest row number that every database can store."""

_Consumer = consumers._OTreeAsyncJsonWebsocketConsumer
_Waiting = consumers.BaseWaitPage
_WITH_PAGE = (consumers.LiveConsumer, consumers.TrialConsumer)

_begin, _dispatch, _receive = _Consumer.__init__, _Consumer.dispatch, _Consumer.on_receive
_MARKS = ("mark_waitpage_connected_or_not", "mark_waitpage_tab_hidden_or_not")


def install() -> None:
    """Change which addresses and messages oTree's sockets accept, and drop failed sockets."""
    _Consumer.__init__ = _begin_checked
    _Consumer.dispatch = _dispatch_and_forget
    _Consumer.on_receive = _receive_checked
    for name in _MARKS:
        setattr(_Waiting, name, _of_the_session(getattr(_Waiting, name)))


def _begin_checked(consumer: Any, *arguments: Any, **more: Any) -> None:
    """Raise ValueError for an invalid address, so that the gate rejects the socket."""
    _begin(consumer, *arguments, **more)
    _check(consumer.cleaned_kwargs)
    if isinstance(consumer, _WITH_PAGE) and "page_name" not in consumer.cleaned_kwargs:
        raise ValueError("page_name: is missing")


def _check(named: Mapping[str, Any]) -> None:
    for key, value in named.items():
        if isinstance(value, int) and not 0 <= value <= LARGEST:
            raise ValueError(f"{key} = {short(value)}: should be from 0 to {LARGEST}")
    for key, names in (("app_name", settings.OTREE_APPS), ("room_name", ROOM_DICT)):
        value = named.get(key)
        if value is not None and value not in names:
            raise ValueError(f"{key} = {short(value)}: unknown{nearest(value, names)}")


async def _dispatch_and_forget(consumer: Any) -> None:
    try:
        await _dispatch(consumer)
    finally:
        for group in consumer.groups:
            for socket in list(channel_layer._subs.get(group, {}).values()):
                if socket.scope is consumer.scope:
                    channel_layer.discard(group, socket)


async def _receive_checked(consumer: Any, websocket: Any, data: Any) -> None:
    if _is_message(consumer, data):
        await _receive(consumer, websocket, data)
    else:
        await websocket.close(UNREADABLE)


def _is_message(consumer: Any, data: Any) -> bool:
    """Return whether one of oTree's pages could have sent this message."""
    if isinstance(consumer, consumers.WSDeleteSessions):
        return isinstance(data, list) and all(isinstance(code, str) for code in data)
    plain = isinstance(data, dict) and not any(isinstance(v, dict | list) for v in data.values())
    if isinstance(consumer, consumers.WSCreateDemoSession):
        return plain and isinstance(data.get("session_config"), str)
    if isinstance(consumer, _Waiting):
        return plain and isinstance(data.get("tab_hidden", False), bool)
    return plain


def _of_the_session(mark: Callable[..., None]) -> Callable[..., None]:
    def marked(consumer: Any, *, session_pk: int, **how: bool) -> None:
        if Participant.objects_exists(id=consumer.participant_id, session_id=session_pk):
            mark(consumer, session_pk=session_pk, **how)

    return marked
