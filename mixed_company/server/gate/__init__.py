"""Gate in front of oTree: every request and every socket passes through it before oTree takes a
lock.

    gate       handling of a request and of a socket, step by step
    request    ASGI types, a request's client, and the response to a rejected request
    limits     limits on sizes and rates, and how an administrator changes them; fair queueing
    reading    checks of the path, query, headers, labels and body; reads it within the limits
    headers    security headers of every response
    sockets    limits on the number, lifetime and message rate of sockets
    origins    checks which web page opens a socket or sends a form
    files      short-lived cache of the files under /static/
    faults     error pages for browsers
    wire       limits on connections below HTTP

Nothing here imports oTree: `server.mends.gate` puts the gate in front of it. To the gate, oTree is
just an ASGI application that can take a second or respond with status 500.
"""

from __future__ import annotations

from mixed_company.server.gate.gate import Gate
from mixed_company.server.gate.limits import Limits, limits
from mixed_company.server.gate.request import Refused

__all__ = ["Gate", "Limits", "Refused", "limits"]
