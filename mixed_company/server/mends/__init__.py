"""Everything that this project changes of oTree 6.0.15 from outside, and the one call that does it.

    live       live pages go by `server.sockets`, without the lock, and none stops another
    database   commits: what oTree keeps open too long, how SQLite writes to disk, lost connections
    sessions   sessions are created one at a time, whole or not at all; the form for it
    joining    places are given to browsers, not to previews and lost answers; labels
    logins     the administrator's logins, which the server keeps
    answers    addresses, of REST too, that fail on what they are asked
    consumers  the same of sockets of oTree's own pages
    advance    what "Advance slowest participants" does
    demo       the page Demo: games, and their sessions
    gate       what stands in front of oTree, and when its server refuses to start
    admin      the administrator's pages: their look, what oTree lacks there, who is paid
    fleet      servers side by side: codes that say whose a session is, one timeout worker
    blocks     apps without a folder of their own: later blocks of a session

`project.py` calls `install`; oTree loads it in every process that it starts: web server, timeout
worker and commands. Importing these modules changes nothing.
"""

from __future__ import annotations

from functools import cache

from mixed_company.server.mends import (
    admin,
    advance,
    answers,
    blocks,
    consumers,
    database,
    demo,
    fleet,
    gate,
    joining,
    live,
    logins,
    sessions,
)

__all__ = ["install"]


@cache
def install() -> None:
    """Change oTree, once for the process: before it collects its routes and opens its sockets."""
    changes = (
        *(live, database, sessions, joining, logins, answers, consumers, advance, demo),
        *(gate, admin, fleet, blocks),  # after those whose changes they go on from
    )
    for change in changes:
        change.install()
