"""Gate in front of oTree: every request and every socket passes it before oTree takes a lock.

    gate       handling of a request and of a socket, step by step
    request    ASGI types, the client of a request, and the answer to a rejected request
    limits     sizes and rates, and how an administrator changes them
    turns      fair queueing: a client that floods the server delays only itself
    reading    checks of path, query, headers and body; reads the body within its limits
    labels     checks of participant labels
    headers    security headers of every response
    sockets    limits on the number, lifetime and message rate of sockets
    origins    checks of the web page that opens a socket or sends a form
    files      short-lived cache of the files under /static/
    faults     error pages for browsers
    wire       limits on connections below HTTP

Nothing here imports oTree: `server.mends.gate` puts the gate in front of it. The gate treats oTree
like any ASGI application that can take a second or respond with status 500.
"""

from __future__ import annotations

from mixed_company.server.gate.gate import Gate
from mixed_company.server.gate.limits import Limits, limits
from mixed_company.server.gate.request import Refused

__all__ = ["Gate", "Limits", "Refused", "limits"]
