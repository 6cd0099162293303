"""Owner of a session: the server that it is played on, which is determined by the last letter of
its code. An open table is in the memory of one process, so each session has one server. Proxies,
servers and restarted processes must agree on the owner, so it is computed only from the code. The
codes of a session and its participants end with the same letter, and letters are assigned to the
servers in rotation:

    >>> owner("k3v9x2ma", servers=2)  # a, c, e ... are the first server's
    0
    >>> owner("k3v9x2mb", servers=2)
    1

The process that creates a session chooses its server by choosing the letter (`ending`). A restart
with a different number of servers reassigns the letters.
"""

from __future__ import annotations

import string
from dataclasses import dataclass
from functools import cache
from os import environ
from random import Random

LETTERS = string.ascii_lowercase + string.digits
"""Characters used in oTree's codes."""

MOST_SERVERS = len(LETTERS)
PLACE = "MIXED_COMPANY_SERVER"
"""Environment variable with a server's place: `2/4` is the second of four servers."""

_random = Random()


class ElsewhereError(RuntimeError):
    """Error raised if another server owns the session of a requested table."""


@dataclass(frozen=True)
class Place:
    """Place of a server in a fleet: its number, counted from 0, and the number of servers."""

    server: int = 0
    servers: int = 1

    def __str__(self) -> str:
        return f"{self.server + 1}/{self.servers}"


def owner(code: str, servers: int) -> int:
    """Return the number, counted from 0, of the server that owns the session with this code."""
    return LETTERS.index(code[-1]) % servers


def letters(server: int, servers: int) -> str:
    """Return the letters that a server's codes end with."""
    return LETTERS[server::servers]


def ending(code: str, place: Place) -> str:
    """Return the code with its last letter replaced by one of this place's letters."""
    return code[:-1] + _random.choice(letters(place.server, place.servers))


@cache
def here() -> Place:
    """Return the place of this process; a single server is number 0 of 1."""
    server, _, servers = environ.get(PLACE, "1/1").partition("/")
    return Place(int(server) - 1, int(servers))


def ours(session: str, participant: str) -> bool:
    """Return whether this server owns the session with this code and this participant's code."""
    place, same_letter = here(), participant[-1] == session[-1]
    return place.servers == 1 or (same_letter and owner(session, place.servers) == place.server)


def check(session: str, participant: str) -> None:
    """Raise ElsewhereError if another server owns the session with these codes."""
    place = here()
    if ours(session, participant):
        return
    if participant[-1] != session[-1]:
        raise ElsewhereError(
            f"session {session} has codes that belong to different servers: finish it on one "
            "server, with `mixed play`"
        )
    right = Place(owner(session, place.servers), place.servers)
    raise ElsewhereError(f"session {session} is played on server {right}; this is {place}")
