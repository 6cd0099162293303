"""The gate in front of oTree: what comes from outside passes here first, before any lock.

    gate       what is done with a request and with a socket, one after the other
    request    a request: its types, whose it is, and the answer to one that is refused
    limits     how much of everything, and how often; how an administrator changes it
    turns      requests of different people take turns; nobody's wait behind somebody's flood
    reading    what a request may look like: path, query, headers; its body, read within its limits
    labels     which labels of participants are taken, from a link or anywhere else
    headers    what every answer tells a browser: what it may run, keep, and pass on
    sockets    how many, how long and how often messages
    origins    which web pages may open sockets
    files      what is below /static/ stays in memory for a moment
    faults     pages for people whose request fails
    wire       connections below HTTP: how many, and how long one may take to ask for something

Nothing here imports oTree: `server.mends.gate` puts the gate in front of it. An ASGI application
that takes a second and answers with 500 is to this gate what oTree is.
"""

from __future__ import annotations

from mixed_company.server.gate.gate import Gate
from mixed_company.server.gate.limits import Limits, limits
from mixed_company.server.gate.request import Refused

__all__ = ["Gate", "Limits", "Refused", "limits"]
