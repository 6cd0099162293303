"""Copies the database of a server into one file, also while people play.

The database is the server's: DATABASE_URL, or db.sqlite3 in this folder. To go on with a copy: of
SQLite, put it there as db.sqlite3, while no server runs and no db.sqlite3-wal lies beside it; of
PostgreSQL, `pg_restore --clean --if-exists --no-owner --dbname=DATABASE_URL FILE`.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from mixed_company.cli.command import Group

GROUP = Group.DATA
EXTRA = "server"
EXAMPLES = ("mixed backup monday.sqlite3", "mixed backup monday.dump")


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", help="the file to write")


def run(chosen: Namespace) -> int:
    """Write the file and print its name."""
    from mixed_company.server.archive import check_database
    from mixed_company.server.keeping.backup import back_up

    check_database()
    back_up(Path(chosen.file))
    print(chosen.file)
    return 0
