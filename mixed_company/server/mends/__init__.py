"""Patches to oTree 6.0.15, applied at run time, and the one call that applies them.

    live       live pages use `server.sockets` without the lock, and cannot block each other
    database   commits: transactions that oTree keeps open, SQLite's disk writes, lost connections
    sessions   sessions are created one at a time, completely or not at all; the form for it
    joining    places go to browsers, not to link previews or to requests with a lost response;
               labels
    logins     the administrator's logins, which the server stores
    lookups    lookups of objects by their columns, and of static files, which are cached
    answers    addresses that fail on unexpected input, including REST addresses
    consumers  sockets of oTree's own pages that fail on unexpected input
    advance    the "Advance slowest participants" button
    demo       the Demo page: games and their sessions
    gate       the gate in front of oTree, and checks before the server starts
    admin      the administrator's pages: their appearance, additions, payments
    fleet      several servers: codes that name a session's owner, one timeout worker
    blocks     apps without their own folder: later blocks of a session

`project.py` calls `install`; oTree loads it in every process that it starts: web server, timeout
worker and commands. Importing these modules has no effect.
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
    lookups,
    sessions,
)

__all__ = ["install"]


@cache
def install() -> None:
    """Patch oTree, once per process, before oTree collects its routes and opens its sockets."""
    changes = (
        *(live, database, sessions, joining, logins, answers, consumers, advance, demo),
        *(lookups, gate, admin, fleet, blocks),  # after the changes that they build on
    )
    for change in changes:
        change.install()
