"""Entrance to several servers: the routing table, and the addresses on both sides of a proxy.

    >>> server_of("/p/k3v9x2mb/commons_game/Play/4", 2)
    1
    >>> server_of("/live?session_code=...&participant_code=k3v9x2mb&page_index=4", 2)
    1
    >>> server_of("/room/lab", 2)
    0

A request with the code of a session or participant in its address goes to the session's owner; all
other requests go to the first server. Arrivals (rooms, session-wide links, participants' links) and
the creation of sessions also go to the first server, because a single process must assign the
places.

The table is plain data. Its patterns mean the same in Python, Go and PCRE.
`server.fleet.proxy` writes it for the proxies.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from mixed_company.server.fleet.owners import letters
from mixed_company.server.gate.limits import Limits

FIRST = 0
"""Number of the server that answers requests without a session."""

_ENTRANCES = "InitializeParticipant|join|room|room_with_session|room_without_session|CloseRoom"


class Route(NamedTuple):
    """Rule that sends a request to the server with this number, counted from 0, if the request's
    path and query match `pattern`.
    """

    pattern: str
    server: int


@cache
def routes(servers: int) -> tuple[Route, ...]:
    """Return the routing table for this number of servers. The first matching route applies; if
    none matches, FIRST answers. CODE in a pattern stands for the codes of one server, all of which
    end with that server's letters.
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
    """Return the number, counted from 0, of the server that answers a request with this path and
    query."""
    fitting = (server for pattern, server in routes(servers) if re.search(pattern, address))
    return next(fitting, FIRST)


PROXIES = "FORWARDED_ALLOW_IPS"
"""Environment variable with the addresses of trusted proxies in front of the servers' own proxy; it
replaces TRUSTED."""

TRUSTED = "127.0.0.1,::1"
"""Proxies trusted by default: the proxies on this machine, such as one that holds the
certificate."""

RESTART_SECONDS = 30
"""Maximum time that a request waits for a server to restart."""

STARTING = "<meta http-equiv=refresh content=2><p>The server is restarting. Please wait."
"""Page shown after this time, with status 503; it reloads automatically."""

_EVERY_ADDRESS = ("127.0.0.1", "localhost", "0.0.0.0", "::")  # noqa: S104  each includes 127.0.0.1


@dataclass(frozen=True)
class Entrance:
    """One address in front of several servers on this machine.

    host, port   public address
    ports        ports of the servers, in the order of their numbers
    body_bytes   maximum size of a request body
    trusted      proxies, separated by commas, that are trusted to report the sender; `*` means all
    site         public name for which Caddy obtains a certificate, if any
    """

    host: str
    port: int
    ports: Sequence[int]
    body_bytes: int = Limits.body_bytes
    trusted: str = TRUSTED
    site: str | None = None

    @property
    def url(self) -> str:
        """Public URL."""
        return f"https://{self.site}" if self.site else f"http://{self.host}:{self.port}"

    @property
    def hosts(self) -> list[str]:
        """Addresses to listen on, which always include 127.0.0.1 for the timeout worker."""
        return [self.host] if self.host in _EVERY_ADDRESS else [self.host, "127.0.0.1"]

    @property
    def networks(self) -> list[str]:
        """Trusted addresses as a list."""
        if "*" in self.trusted:
            return ["0.0.0.0/0", "::/0"]
        return [address.strip() for address in self.trusted.split(",") if address.strip()]

    @property
    def rules(self) -> list[tuple[str, str]]:
        """Patterns and server addresses, in the order of `routes`."""
        return [(pattern, self.server(number)) for pattern, number in routes(len(self.ports))]

    def server(self, number: int) -> str:
        """Return the address of the server with this number, counted from 0."""
        return f"127.0.0.1:{self.ports[number]}"
