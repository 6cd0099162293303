"""Export of a server's data in one file: all tables, their codebook and a manifest.

    mixed archive --output export.zip
    curl -OJ http://localhost:8000/api/export_archive

    writing       writes the file from the database
    participants  the rows of the `participants` table
    codes         keys that derive the codes in an anonymous file, and keys that seal a file
    download      serves the file from a running server, through a link for the admin or over REST

The command reads a snapshot of the database in its own process, so the server keeps running. For
downloads, the server runs the same command. `table.export.archive` describes the content.
"""

from __future__ import annotations

import os
from pathlib import Path

from mixed_company.engine.contract.errors import ConfigError

__all__ = ["DATABASE", "REHEARSED", "check_database"]

REHEARSED = "MIXED_COMPANY_REHEARSED"
"""Environment variable with the policies that play in place of people in a rehearsal, as JSON.
These policies are named in all exports from the rehearsal server.
"""

DATABASE = Path("db.sqlite3")
SQLITE = b"SQLite format 3\0"


def check_database() -> None:
    """Raise ConfigError if DATABASE_URL does not name a server and this folder contains no
    database.

    Call it before importing oTree, which creates a missing database.
    """
    if not os.environ.get("DATABASE_URL", "sqlite").startswith("sqlite"):
        return
    start = b""
    if DATABASE.is_file():
        with DATABASE.open("rb") as file:
            start = file.read(len(SQLITE))
    if not start:
        raise ConfigError(
            f"there is no database: DATABASE_URL names no server, and there is no {DATABASE} in "
            f"{Path.cwd()}"
        )
    if start != SQLITE:
        raise ConfigError(f"{DATABASE}: not an SQLite database")
