"""Which server a session is played on: the last letter of its code says so.

An open table lives in the memory of one process, so a session has one server, and everybody who
asks must get the same answer: a proxy, a server, a restarted process. So the answer is
computed from what all of them see. All codes of a session end with one letter, its own and those of
its participants, and letters are dealt to the servers in turn:

    owner("k3v9x2ma", servers=2)   # 0: a, c, e ... are the first server's
    owner("k3v9x2mb", servers=2)   # 1

Whoever creates a session chooses the server by the letter (`ending`). With another number of
servers, after a restart, the same codes are dealt anew.
"""

from __future__ import annotations

import string
from dataclasses import dataclass
from functools import cache
from os import environ
from random import Random

__all__ = [
    "LETTERS",
    "MOST_SERVERS",
    "PLACE",
    "ElsewhereError",
    "Place",
    "check",
    "ending",
    "here",
    "letters",
    "ours",
    "owner",
]

LETTERS = string.ascii_lowercase + string.digits
"""The letters of oTree's codes."""

MOST_SERVERS = len(LETTERS)
PLACE = "MIXED_COMPANY_SERVER"
"""The variable that tells a server its place: `2/4` is the second of four."""

_random = Random()


class ElsewhereError(RuntimeError):
    """A table was asked for on a server that does not own its session."""


@dataclass(frozen=True)
class Place:
    """A server among others: its number, from 0, and how many there are."""

    server: int = 0
    servers: int = 1

    def __str__(self) -> str:
        return f"{self.server + 1}/{self.servers}"


def owner(code: str, servers: int) -> int:
    """Return the number of the server, from 0, that plays the session of this code."""
    return LETTERS.index(code[-1]) % servers


def letters(server: int, servers: int) -> str:
    """Return the letters of a server."""
    return LETTERS[server::servers]


def ending(code: str, place: Place) -> str:
    """Return a code like this one, of a session that is played in this place."""
    return code[:-1] + _random.choice(letters(place.server, place.servers))


@cache
def here() -> Place:
    """Return the place of this process; a server alone is the first of one."""
    server, _, servers = environ.get(PLACE, "1/1").partition("/")
    return Place(int(server) - 1, int(servers))


def ours(session: str, participant: str) -> bool:
    """Return whether the session of this code, with this participant, is played here."""
    place, same_letter = here(), participant[-1] == session[-1]
    return place.servers == 1 or (same_letter and owner(session, place.servers) == place.server)


def check(session: str, participant: str) -> None:
    """Raise ElsewhereError if the session of this code, with this participant, is not ours."""
    place = here()
    if ours(session, participant):
        return
    if participant[-1] != session[-1]:
        raise ElsewhereError(
            f"session {session} has codes that do not say where it is played: end it with one "
            "server, `mixed play`"
        )
    right = Place(owner(session, place.servers), place.servers)
    raise ElsewhereError(f"session {session} is played on server {right}; this is {place}")
