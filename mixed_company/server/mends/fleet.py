"""Changes for several servers, because oTree 6.0.15 assumes a single process.

* It draws the codes of sessions and participants independently. Here all codes of a session end
  with the same letter, which names the server that plays it (`server.fleet.owners`). A single
  server does the same, so that its sessions can continue on several servers later. A code that is
  already set is kept.
* Every server would start its own timeout worker for the tasks of all servers. Here the servers of
  a fleet have none: the keeper starts one worker, and its requests go through the proxy. oTree's
  worker drops a task if the request fails; here the worker retries while a server restarts.
* A server process outlives its parent. Here a fleet's servers end when their parent does, because a
  session must not have two owners.
* A link leads to one session. Here it can also lead to the parts of a session
  (`server.fleet.parted`).
"""

from __future__ import annotations

import os
import threading
import time
from http import HTTPStatus
from types import SimpleNamespace
from typing import Any
from urllib import error, request

from otree import tasks
from otree.cli import prodserver1of2, timeoutsubprocess
from otree.common import random_chars_8
from otree.models import Participant, Session
from otree.views import participant
from sqlalchemy import event

from mixed_company.server.fleet import parted
from mixed_company.server.fleet.entrance import RESTART_SECONDS
from mixed_company.server.fleet.owners import Place, ending, here
from mixed_company.server.fleet.parted import lightest
from mixed_company.server.process import HELD

AGAIN_SECONDS = 1.0

_serve_alone = prodserver1of2.Command.handle
_work = timeoutsubprocess.Command.handle


def install() -> None:
    """Change how oTree draws codes, follows links and starts servers."""
    event.listen(Session, "before_insert", _give_code)
    event.listen(Participant, "before_insert", _give_same_letter)
    prodserver1of2.Command.handle = _serve
    timeoutsubprocess.Command.handle = _work_while_held
    participant.get_participant_by_label = parted.by_label(participant.get_participant_by_label)
    participant.get_participant_by_cookies = parted.by_cookies(
        participant.get_participant_by_cookies
    )


def _give_code(_mapper: Any, connection: Any, session: Any) -> None:
    if session.code is None:
        servers = here().servers
        server = lightest(connection, servers) if servers > 1 else 0
        session.code = ending(random_chars_8(), Place(server, servers))


def _give_same_letter(_mapper: Any, _connection: Any, person: Any) -> None:
    if person.code is None and person._session_code:
        person.code = random_chars_8()[:-1] + person._session_code[-1]


def _serve(command: Any, *arguments: Any, addrport: Any = None, **options: Any) -> None:
    _end_with_parent()
    if here().servers == 1:
        _serve_alone(command, *arguments, addrport=addrport, **options)
        return
    prodserver1of2.run_asgi_server(*prodserver1of2.get_addr_port(addrport))


def _work_while_held(command: Any, *arguments: Any, **options: Any) -> None:
    _end_with_parent()
    tasks.request = SimpleNamespace(Request=request.Request, urlopen=_open)
    _work(command, *arguments, **options)


def _open(address: Any) -> Any:
    """Open a URL; retry while the proxy answers 503 because a server is restarting."""
    end = time.monotonic() + RESTART_SECONDS
    while True:
        try:
            return request.urlopen(address)  # noqa: S310  this machine's proxy
        except error.HTTPError as refusal:
            if refusal.code != HTTPStatus.SERVICE_UNAVAILABLE or time.monotonic() > end:
                raise
        time.sleep(AGAIN_SECONDS)


def _end_with_parent() -> None:
    """End this process when its parent process ends; the parent holds the other end of standard
    input."""

    def wait() -> None:
        while os.read(0, 1):
            pass
        os._exit(1)

    if os.environ.get(HELD):
        threading.Thread(target=wait, daemon=True).start()
