"""How much of everything the gate lets in, and how often.

Forty people in a laboratory share one address, and three hundred behind one company's may start in
the same second: limits of an address let them through, those of a participant are for one person
with a few windows. An administrator changes them by name, before the server starts:

    export MIXED_LIMITS="body_seconds=30, sockets_of_address=5000"
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, fields
from functools import cache

from mixed_company.engine.contract.errors import ConfigError, nearest

__all__ = ["VARIABLE", "Limits", "Rates", "limits", "read"]

VARIABLE = "MIXED_LIMITS"


class Rates:
    """How long each client has to wait. One number per client, whatever it does.

    `_due` is the time at which all that a client has done would be done, one after the other at the
    even rate. It may run ahead of the present by what is allowed at once (the generic cell rate
    algorithm: ITU-T I.371, Annex A).
    """

    MOST_CLIENTS = 10_000

    def __init__(self, per_second: float, at_once: float) -> None:
        self._each = 1.0 / per_second
        self._ahead = at_once / per_second
        self._due: dict[str, float] = {}

    def wait(self, client: str, now: float) -> float:
        """Count one more; seconds after which it is in time, 0 if it is now."""
        if len(self._due) >= self.MOST_CLIENTS and client not in self._due:
            self._due = {name: due for name, due in self._due.items() if due > now}
        due = max(self._due.get(client, now), now) + self._each
        self._due[client] = due
        # what rounding leaves of a sum is no time to wait
        return max(0.0, round(due - now - self._ahead, 9))

    def charge(self, client: str, times: float) -> None:
        """Count the last one so many times more."""
        self._due[client] = self._due.get(client, 0.0) + times * self._each

    def uncount(self, client: str) -> None:
        """Take back the last one."""
        self._due[client] = self._due.get(client, 0.0) - self._each


@dataclass(frozen=True)
class Limits:
    """The limits; all are positive.

        body_bytes               of the body of one request
        body_seconds             from its head to the end of its body
        bodies_bytes             of all bodies that are held at once
        form_fields              in one form
        head_seconds             from a connection, or the answer before, to the head of a request
        connections_of_address   open at once; a proxy that is trusted is not counted
        requests_inside          in oTree at once: it takes them one by one anyway
        requests_of_participant  waiting at once
        requests_of_address      waiting at once, of those whose participant is not in the address
        sockets_of_participant   open at once: two for each window with a page of play
        sockets_of_address       open at once
        frame_bytes              of a message on a socket; a longer one closes it
        visits_share             of the server's time, that visits of an address take: one that
                                 takes long counts as several

    Of what is counted by time there are some at once; more are slowed down to some a second:

        pages      requests of a participant
        visits     requests of an address whose participant is not in it: links, pages of nobody
        looks      requests of an address that take no turn: the board, what asks for data
        files      requests of an address for files
        openings   sockets that a participant opens
        messages   of a participant
        histories  whole histories, sent to a participant
        nonsense   messages of a participant that cannot be read
        refusals   answers to an address that something is refused
        logins     attempts of an address that fail

    What is counted of a participant is counted of his address too, a hundred times as much.
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
        """Return the rates of what is counted, by its name; `times` as often."""
        often, once = getattr(self, f"{name}_per_second"), getattr(self, f"{name}_at_once")
        return Rates(often * times, once * times)


def read(text: str) -> Limits:
    """Return limits with some changed, as `name=value, name=value`. Raises ConfigError by name."""
    whole = {field.name: field.type == "int" for field in fields(Limits)}
    changes: dict[str, float] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        name, _, value = (word.strip() for word in part.partition("="))
        if name not in whole:
            raise ConfigError(f"{VARIABLE}: {name}: no such limit{nearest(name, whole)}")
        changes[name] = _number(name, value, whole[name])
    return Limits(**changes)  # type: ignore[arg-type]  # _number gives each its type


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
    """Return the limits of this process, from its environment. Raises ConfigError."""
    return read(os.environ.get(VARIABLE, ""))
