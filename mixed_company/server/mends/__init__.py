"""Everything that this project changes of oTree 6.0.15 from outside, and the one call that does it.

    live       live pages go by `server.sockets`, without the lock, and none stops another
    database   commits: what oTree keeps open too long, and how SQLite writes to disk
    sessions   sessions are created one at a time, whole or not at all
    joining    places are given to browsers, not to previews and lost answers
    labels     which labels participants may have, and how a text stands in a table
    logins     the administrator's logins, which the server keeps
    answers    addresses that fail on what they are asked
    rest       the same of REST
    consumers  the same of sockets of oTree's own pages
    advance    what "Advance slowest participants" does
    payments   who is paid, and what the total is
    forms      the form in which a session is created, its refusals, a session's description
    look       how the administrator's pages look
    demo       the page Demo: games, and their sessions
    gate       what stands in front of oTree, and when its server refuses to start
    archive    addresses: the file of an export, and whether everything is saved
    fleet      servers side by side: codes that say whose a session is, one timeout worker
    blocks     apps without a folder of their own: later blocks of a session

`project.py` calls `install`; oTree loads it in every process that it starts: web server, timeout
worker and commands. Importing these modules changes nothing.
"""

from __future__ import annotations

from functools import cache

from mixed_company.server.mends import (
    advance,
    answers,
    archive,
    blocks,
    consumers,
    database,
    demo,
    fleet,
    forms,
    gate,
    joining,
    labels,
    live,
    logins,
    look,
    payments,
    rest,
    sessions,
)

__all__ = ["install"]


@cache
def install() -> None:
    """Change oTree, once for the process: before it collects its routes and opens its sockets."""
    live.install()
    database.install()
    sessions.install()
    joining.install()
    labels.install()
    logins.install()
    answers.install()
    rest.install()
    consumers.install()
    advance.install()
    payments.install()
    forms.install()
    demo.install()
    gate.install()
    look.install()
    archive.install()
    fleet.install()
    blocks.install()
