"""How open tables and lobbies stand, for the admin: is all saved, and if not, since when and why.

/live_state     plain text; it asks no database, so that it answers while there is none
"""

from __future__ import annotations

import time

from otree.views import cbv
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from server.open.lobbies import Lobbies, lobbies
from server.open.tables import OpenTables, tables

__all__ = ["ROUTES", "lines"]


def lines(opened: OpenTables, rooms: Lobbies, now: float) -> list[str]:
    """A sentence for each thing that there is to know at a time (`time.monotonic`)."""
    pages = sum(len(table.ears[seat]) for table in opened for seat in table.table.people)
    waiting = sum(table.unsaved for table in opened)
    trouble = opened.trouble
    known = [f"tables open: {len(opened)}", f"pages connected: {pages}"]
    known += [
        f"agents {name}: {count} connected" for name, count in opened.agents.connected.items()
    ]
    known.append(f"people in lobbies: {rooms.people}")
    known.append(f"waiting to be saved: {waiting}" if waiting else "everything is saved")
    if trouble is not None:
        known.append(f"not saved for {now - trouble.since:.1f} s, trying again: {trouble.reason}")
    return known


class LiveState(cbv.AdminView):
    """What the link of the admin pages gives."""

    async def get(self, _request: Request) -> Response:
        return PlainTextResponse("\n".join(lines(tables, lobbies, time.monotonic())) + "\n")


ROUTES = [Route("/live_state", LiveState, name="LiveState")]
"""The address; `server.mends` hands it to oTree."""
