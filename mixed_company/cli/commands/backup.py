"""Copy a server's database to one file, even while people are playing.

The database is DATABASE_URL, or db.sqlite3 in this folder. To restore a SQLite
copy, put it in the folder as db.sqlite3 while no server runs, and remove any db.sqlite3-wal next to
it. To restore a PostgreSQL copy: `pg_restore --clean --if-exists --no-owner --dbname=DATABASE_URL
FILE`.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from mixed_company.cli.command import Group

GROUP = Group.DATA
EXTRA = "server"
EXAMPLES = ("mixed backup monday.sqlite3", "mixed backup monday.dump")


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("file", help="file to write")


def run(chosen: Namespace) -> int:
    """Write the file and print its name."""
    from mixed_company.server.archive import check_database
    from mixed_company.server.keeping.backup import back_up

    check_database()
    back_up(Path(chosen.file))
    print(chosen.file)
    return 0
