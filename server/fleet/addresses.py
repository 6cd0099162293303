"""Which server answers an address: the owner of the session in it; the first, if there is none.

    server_of("/p/k3v9x2mb/commons_game/Play/4", 2)   # 1
    server_of("/live?session_code=...&participant_code=k3v9x2mb&page_index=4", 2)   # 1
    server_of("/room/lab", 2)   # 0

The first is also where people come in (rooms, session-wide links, links of participants) and where
sessions are created: places are given, and sessions made, by one process.

The patterns are such as Python and Go read alike: `server.fleet.caddyfile` writes them down, too.
"""

from __future__ import annotations

import re

from server.fleet.owners import owner

__all__ = ["FIRST", "PATTERNS", "letter_in", "server_of"]

FIRST = 0
"""The server that answers what belongs to no session."""

_CODE = "[a-z0-9]{7}(?P<letter>[a-z0-9])"
_ENTRANCES = "InitializeParticipant|join|room|room_with_session|room_without_session|CloseRoom"

PATTERNS = (
    f"[?&](?:session_code|participant_code)={_CODE}(?:&|$)",
    f"^/(?:{_ENTRANCES}|demo|static)/",
    rf"^/api/\w+/{_CODE}(?:[/?]|$)",
    "^/api/",
    rf"^/\w+/{_CODE}(?:[/?]|$)",
)
"""The first that fits a path with its query says whose it is: that of the session whose code, or
whose participant's code, ends with `letter`; the first server's, where a pattern has none."""

_compiled = [re.compile(pattern) for pattern in PATTERNS]


def letter_in(address: str) -> str | None:
    """The letter of the session that an address names; None if it names none."""
    for pattern in _compiled:
        match = pattern.search(address)
        if match is not None:
            return match.groupdict().get("letter")
    return None


def server_of(address: str, servers: int) -> int:
    """The number of the server, from 0, that answers a path with its query."""
    letter = letter_in(address)
    return FIRST if letter is None else owner(letter, servers)
