"""The routing table: which server answers an address.

    server_of("/p/k3v9x2mb/commons_game/Play/4", 2)   # 1
    server_of("/live?session_code=...&participant_code=k3v9x2mb&page_index=4", 2)   # 1
    server_of("/room/lab", 2)   # 0

An address that names a session or a participant goes to the session's owner, everything else to
the first server. People come in (rooms, session-wide links, links of participants) and sessions are
created there, because places are given by one process.

The table is plain data, and Python, Go and PCRE read its patterns alike: `server.fleet.caddyfile`
and `server.fleet.nginx` write them down for the proxies.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from mixed_company.server.fleet.owners import letters

__all__ = ["FIRST", "Route", "routes", "server_of"]

FIRST = 0
"""The server that answers addresses without a session."""

_ENTRANCES = "InitializeParticipant|join|room|room_with_session|room_without_session|CloseRoom"


class Route(NamedTuple):
    """Addresses that fit `pattern`, a path with its query, go to this server, from 0."""

    pattern: str
    server: int


@cache
def routes(servers: int) -> tuple[Route, ...]:
    """Return the table for so many servers. The first route that fits counts; if none fits, FIRST.

    One code in the table stands for the codes of one server: those with its letters at the end.
    """
    codes = [f"[a-z0-9]{{7}}[{letters(server, servers)}]" for server in range(servers)]

    def of_owners(pattern: str) -> list[Route]:
        return [Route(pattern.replace("CODE", code), owner) for owner, code in enumerate(codes)]

    return (
        *of_owners("[?&](?:session_code|participant_code)=CODE(?:&|$)"),
        *(Route(rf"^/live_state\?server={number + 1}$", number) for number in range(servers)),
        Route(f"^/(?:{_ENTRANCES}|demo|static)/", FIRST),
        *of_owners(r"^/api/\w+/CODE(?:[/?]|$)"),
        Route("^/api/", FIRST),
        *of_owners(r"^/\w+/CODE(?:[/?]|$)"),
    )


def server_of(address: str, servers: int) -> int:
    """Return the number of the server, from 0, that answers a path with its query."""
    for pattern, server in routes(servers):
        if re.search(pattern, address):
            return server
    return FIRST
