"""Limits on what the gate admits, and how often.

Forty people in a laboratory share one address, and three hundred people behind a company's address
may start in the same second. The limits per address allow for that; the limits per participant suit
one person with a few windows. An administrator changes them by name before the server starts:

    export MIXED_LIMITS="body_seconds=30, sockets_of_address=5000"

Clients take turns (`Turns`), so a flood delays only its sender. Only a few requests are inside
oTree at the same time. The next one to enter is the oldest request of the client whose turn it is.
If n clients are waiting, each of a client's requests waits for at most n - 1 requests from other
clients.
"""

from __future__ import annotations

import asyncio
import math
import os
from collections import deque
from dataclasses import dataclass, fields
from functools import cache

from mixed_company.engine.contract.errors import ConfigError, nearest

VARIABLE = "MIXED_LIMITS"


class Rates:
    """Rate limiter that stores one number per client, no matter how active the client is. `_due` is
    when the client would have finished if it had acted at the steady rate. It may be ahead of the
    current time by the allowed burst (the generic cell rate algorithm: ITU-T I.371, Annex A).
    """

    MOST_CLIENTS = 10_000

    def __init__(self, per_second: float, at_once: float) -> None:
        self._interval = 1.0 / per_second
        self._ahead = at_once / per_second
        self._due: dict[str, float] = {}

    def wait(self, client: str, now: float) -> float:
        """Count one more action; return the number of seconds until it is allowed, or 0 if it is
        allowed now.
        """
        if len(self._due) >= self.MOST_CLIENTS and client not in self._due:
            self._due = {name: due for name, due in self._due.items() if due > now}
        due = max(self._due.get(client, now), now) + self._interval
        self._due[client] = due
        # ignore rounding errors
        return max(0.0, round(due - now - self._ahead, 9))

    def charge(self, client: str, times: float) -> None:
        """Count the last action `times` more times."""
        self._due[client] = self._due.get(client, 0.0) + times * self._interval

    def uncount(self, client: str) -> None:
        """Remove the last action from the count."""
        self._due[client] = self._due.get(client, 0.0) - self._interval


@dataclass(frozen=True)
class Limits:
    """The gate's limits; all are positive.

        body_bytes               size of one request body
        body_seconds             time from a request's headers to the end of its body
        bodies_bytes             total size of all bodies in memory
        form_fields              number of fields in one form
        head_seconds             time until the headers of the next request on a connection
        connections_of_address   open connections; a trusted proxy's connections are not counted
        requests_inside          requests inside oTree, which handles them one at a time anyway
        requests_of_participant  waiting requests
        requests_of_address      waiting requests whose path names no participant
        sockets_of_participant   open sockets: two for each window with a play page
        sockets_of_address       open sockets
        frame_bytes              size of a socket message; a longer message closes the socket
        visits_share             share of the server's time for visits from one address; a slow
                                 visit counts as several

    For the following limits, `..._at_once` is the allowed burst, and `..._per_second` is the rate
    after it:

        pages      requests from a participant
        visits     requests from an address whose path names no participant, such as links
        looks      requests from an address that need no turn, such as requests for the board and
                   data
        files      requests for files from an address
        openings   sockets opened by a participant
        messages   socket messages from a participant
        histories  complete histories sent to a participant
        nonsense   unreadable messages from a participant
        refusals   error responses to an address
        logins     failed logins from an address

    Everything that counts against a participant also counts against the participant's address,
    where the limit is a hundred times higher.
    """

    body_bytes: int = 262_144
    body_seconds: float = 10.0
    bodies_bytes: int = 33_554_432
    form_fields: int = 1_000
    head_seconds: float = 15.0
    connections_of_address: int = 4_000
    requests_inside: int = 4
    requests_of_participant: int = 20
    requests_of_address: int = 2_000
    sockets_of_participant: int = 24
    sockets_of_address: int = 2_000
    frame_bytes: int = 65_536
    pages_at_once: int = 40
    pages_per_second: float = 4.0
    visits_at_once: int = 300
    visits_per_second: float = 30.0
    visits_share: float = 0.25
    looks_at_once: int = 300
    looks_per_second: float = 30.0
    files_at_once: int = 6_000
    files_per_second: float = 100.0
    openings_at_once: int = 30
    openings_per_second: float = 0.5
    messages_at_once: int = 200
    messages_per_second: float = 20.0
    histories_at_once: int = 20
    histories_per_second: float = 2.0
    nonsense_at_once: int = 20
    nonsense_per_second: float = 2.0
    refusals_at_once: int = 20
    refusals_per_second: float = 5.0
    logins_at_once: int = 10
    logins_per_second: float = 0.2

    def rates(self, name: str, times: int = 1) -> Rates:
        """Return a limiter for this name, with its limits multiplied by `times`."""
        per_second, burst = getattr(self, f"{name}_per_second"), getattr(self, f"{name}_at_once")
        return Rates(per_second * times, burst * times)


def read(text: str) -> Limits:
    """Return the limits with the changes in `name=value, name=value`. Raises ConfigError."""
    whole = {field.name: field.type == "int" for field in fields(Limits)}
    changes: dict[str, float] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        name, _, value = (word.strip() for word in part.partition("="))
        if name not in whole:
            raise ConfigError(f"{VARIABLE}: {name}: no such limit{nearest(name, whole)}")
        changes[name] = _number(name, value, whole[name])
    return Limits(**changes)  # type: ignore[arg-type]  # _number returns the field's type


def _number(name: str, value: str, whole: bool) -> float:
    try:
        number = int(value) if whole else float(value)
    except ValueError:
        number = 0
    if not 0 < number < math.inf:
        kind = "a whole number" if whole else "a number"
        raise ConfigError(f"{VARIABLE}: {name} = {value!r}: should be {kind} greater than 0")
    return number


@cache
def limits() -> Limits:
    """Return the limits set in this process's environment. Raises ConfigError."""
    return read(os.environ.get(VARIABLE, ""))


@cache
def rates(name: str) -> Rates:
    """Return the limiter with this name, which all pages, agents and programs of this process
    share.
    """
    return limits().rates(name)


class Turns:
    """Clients with requests that are inside oTree or waiting."""

    def __init__(self, inside: int) -> None:
        self._free = inside
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    def waiting(self, client: str) -> int:
        """Return the number of a client's waiting requests."""
        return len(self._waiting.get(client, ()))

    def ask(self, client: str) -> asyncio.Future[None]:
        """Queue a request; the future completes at its turn. The caller must call `leave`."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        self._admit()
        return turn

    def leave(self, client: str, turn: asyncio.Future[None]) -> None:
        """End a request's turn, or stop waiting for one."""
        if turn.done():
            self._free += 1
            self._admit()
            return
        self._waiting[client].remove(turn)
        if not self._waiting[client]:
            del self._waiting[client]

    def _admit(self) -> None:
        while self._free and self._waiting:
            client = next(iter(self._waiting))
            queue = self._waiting.pop(client)
            turn = queue.popleft()
            if queue:
                self._waiting[client] = queue  # behind all the other clients
            self._free -= 1
            turn.set_result(None)
