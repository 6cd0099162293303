"""State of open tables and lobbies, for the admin: unsaved changes, and how late the server is.

/live_state            plain text; works without the database
/live_state?server=2   state of the second of several servers; the proxy forwards the request to it
"""

from __future__ import annotations

import time

from otree.views import cbv
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from mixed_company.server import clock
from mixed_company.server.fleet.owners import Place, here
from mixed_company.server.lateness import Lateness, lateness
from mixed_company.server.open.lobbies import Lobbies, lobbies
from mixed_company.server.open.tables import OpenTables, tables


def lines(opened: OpenTables, rooms: Lobbies, now: float) -> list[str]:
    """Return sentences about the state at the time `now` (`time.monotonic`), one per fact."""
    pages = sum(len(table.listeners[seat]) for table in opened for seat in table.table.people)
    waiting = sum(table.unsaved for table in opened)
    trouble = opened.trouble
    facts = [f"tables open: {len(opened)}", f"pages connected: {pages}"]
    facts += [
        f"agents {name}: {count} connected" for name, count in opened.agents.connected.items()
    ]
    facts.append(f"people in lobbies: {rooms.people}")
    facts.append(f"waiting to be saved: {waiting}" if waiting else "everything is saved")
    if trouble is not None:
        facts.append(f"not saved for {now - trouble.since:.1f} s, trying again: {trouble.reason}")
    return facts


def late_lines(late: Lateness, now_ms: int) -> list[str]:
    """Return sentences about how late the server was within the last minute, in seconds."""
    return [
        f"longest delay in the last minute: {late.late_ms(now_ms) / 1000:.1f} s",
        f"longest wait for a page in the last minute: {late.page_ms(now_ms) / 1000:.1f} s",
    ]


def place_lines(place: Place) -> list[str]:
    """Return a sentence that says which of several servers this is; for a single server, return
    nothing.
    """
    addresses = ", ".join(
        f"/live_state?server={number + 1}"
        for number in range(place.servers)
        if number != place.server
    )
    return [f"server {place}; others: {addresses}"] if addresses else []


class LiveState(cbv.AdminView):
    """Page /live_state, which the admin pages link to."""

    async def get(self, _request: Request) -> Response:
        facts = [
            *place_lines(here()),
            *lines(tables, lobbies, time.monotonic()),
            *late_lines(lateness, clock.now_ms()),
        ]
        return PlainTextResponse("\n".join(facts) + "\n")


ROUTES = [Route("/live_state", LiveState, name="LiveState")]
"""Route that `server.mends` adds to oTree."""
