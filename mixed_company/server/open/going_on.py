"""Resumes unfinished plays and lobbies after a restart, even if nobody returns.

Play clocks continue from where they stopped, after a pause during which people's pages can
reconnect.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from otree import database, middleware

from mixed_company.server.fleet.owners import ours
from mixed_company.server.keeping import storage
from mixed_company.server.open.lobbies import lobbies
from mixed_company.server.open.tables import tables
from mixed_company.server.play_clock import RETURN_MS, clock_of

_log = logging.getLogger(__name__)
_tasks: set[asyncio.Task[None]] = set()


def begin(loop: asyncio.AbstractEventLoop) -> None:
    """Run the tables in this loop, and open the tables with plays that are not over."""
    tables.live(loop)
    task = loop.create_task(_open_all())
    _tasks.add(task)  # because the loop keeps only weak references
    task.add_done_callback(_tasks.discard)


async def _open_all() -> None:
    try:
        for player_id, model, go_on in await with_database(_found):
            await with_database(partial(_open, model, player_id, go_on))
    except Exception:  # noqa: BLE001  the server still works: tables open when people return
        _log.exception("unfinished plays could not be reopened; they open when somebody returns")


async def with_database(function: Callable[[], Any]) -> Any:
    """Call a function with oTree's connection while nobody else is using it."""
    async with middleware.lock2:
        with database.session_scope():
            return function()


def _found() -> list[tuple[int, Any, Callable[[Any], object]]]:
    """Return (player id, model, opening function) for each unfinished play and occupied lobby.

    The sessions' clocks are created before any page can request them, so they start with a pause.
    """
    players, people = unfinished(), _waiting()
    for player in players:
        clock_of(player.session_id, RETURN_MS)
    plays = [(player.id, type(player), tables.of) for player in players]
    return plays + [(player.id, type(player), lobbies.watch) for player in people]


def unfinished() -> list[Any]:
    """Return one player from every unfinished play in sessions that this server owns."""
    return _one_per_place("seated", lambda player: player.group_id)


def _waiting() -> list[Any]:
    """Return one player from every lobby where somebody is waiting."""
    return _one_per_place("waiting", lambda player: player.subsession_id)


def _one_per_place(status: str, place: Callable[[Any], int]) -> list[Any]:
    players: dict[tuple[Any, int], Any] = {}
    for app in storage.apps():
        for player in app.Player.objects_filter(status=status).order_by("id"):
            players.setdefault((app, place(player)), player)
    return [player for player in players.values() if _is_ours(player.participant)]


def _is_ours(person: Any) -> bool:
    return ours(person._session_code, person.code)


def _open(model: Any, player_id: int, go_on: Callable[[Any], object]) -> None:
    player = model.objects_first(id=player_id)
    if player is None:
        return
    try:
        go_on(player)
    except Exception:  # noqa: BLE001  one broken play must not stop the others
        _log.exception("the table or lobby of player %s cannot be opened", player_id)
