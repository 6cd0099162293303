"""Cut all connections to the database at random moments."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser, Namespace
from contextlib import closing

import psycopg2

from tests.crowd.places import running
from tests.door.harness import Server
from tests.drills.drill import Report
from tests.drills.wave import Size, struck
from tests.loops import complete

__all__ = ["configure", "on", "run"]

CUT = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments of the drill, which needs PostgreSQL, because SQLite has no
    connections."""
    parser.add_argument("--cuts", type=int, default=100)


def run(chosen: Namespace) -> Report:
    """Run the drill on a separate server."""
    with running("postgresql") as server:
        return on(server, chosen.cuts, chosen.seed)


def on(server: Server, cuts: int, seed: int, size: Size | None = None) -> Report:
    """Cut a server's connections this many times."""

    def cut() -> None:
        with closing(psycopg2.connect(server.database_url)) as other:
            other.autocommit = True
            other.cursor().execute(CUT)

    async def blow() -> None:
        await asyncio.to_thread(cut)

    return complete(struck(server, blow, cuts, size or Size(), seed))
