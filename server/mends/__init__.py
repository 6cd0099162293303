"""Everything that this project changes of oTree 6.0.15 from outside, and the one call that does it.

    live       many live pages at once: none that has stopped reading stops the others
    database   commits: what oTree keeps open too long, and how SQLite writes to disk
    sessions   sessions that are refused: nothing is left of them
    archive    a link and a REST address for the file of an export

`project.py` calls `install`; oTree loads it in every process that it starts: web server, timeout
worker and commands. Importing these modules changes nothing.
"""

from __future__ import annotations

from functools import cache

from server.mends import archive, database, live, sessions

__all__ = ["install"]


@cache
def install() -> None:
    """Change oTree, once for the process: before it collects its routes and opens its sockets."""
    live.install()
    database.install()
    sessions.install()
    archive.install()
