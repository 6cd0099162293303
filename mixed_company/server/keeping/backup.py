"""Copies the database into one file, which is consistent even if people are playing.

For SQLite the copy is another `db.sqlite3` that includes the write-ahead log; for PostgreSQL it is
the output of `pg_dump --format=custom`. Nobody has to wait for the copy.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from sqlalchemy.engine.url import make_url

from mixed_company import files
from mixed_company.engine.contract.errors import EngineError
from mixed_company.server.archive import DATABASE

WAIT_SECONDS = 60


class BackupError(EngineError):
    """Error raised if the copy could not be made."""


def back_up(target: Path) -> None:
    """Copy the database at DATABASE_URL, or else the one in this folder, completely or not at all.

    Raises BackupError or OSError.
    """
    url = os.environ.get("DATABASE_URL", "")
    with files.whole(target) as file:
        if url and not url.startswith("sqlite"):
            _dump(url, file.fileno())
        else:
            _copy(DATABASE, Path(file.name))
        os.fsync(file.fileno())


def _copy(database: Path, target: Path) -> None:
    """Copy an SQLite database into a single file without a log."""
    try:
        with (
            closing(sqlite3.connect(database, timeout=WAIT_SECONDS)) as source,
            closing(sqlite3.connect(target)) as copy,
        ):
            source.execute("PRAGMA query_only = ON")
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            [state] = copy.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        raise BackupError(f"{database}: {error}") from None
    if state != "ok":
        raise BackupError(f"{database}: is damaged: {state}")


def _dump(url: str, target: int) -> None:
    """Dump a PostgreSQL database; its password does not appear in the list of processes."""
    program = shutil.which("pg_dump")
    if program is None:
        raise BackupError(
            "DATABASE_URL names PostgreSQL, but pg_dump is not installed: install the PostgreSQL "
            "client (postgresql-client) in the same version as the server or a later one"
        )
    place = make_url(url)
    named = {
        "PGHOST": place.host or place.query.get("host"),
        "PGPORT": place.port or place.query.get("port"),
        "PGUSER": place.username,
        "PGPASSWORD": place.password,
        "PGDATABASE": place.database,
    }
    variables = {key: str(value) for key, value in named.items() if value}
    done = subprocess.run(  # noqa: S603  found on the path
        [program, "--format=custom", "--no-owner"],
        env={**os.environ, **variables},
        stdout=target,
        stderr=subprocess.PIPE,
        check=False,
    )
    if done.returncode:
        raise BackupError(done.stderr.decode(errors="replace").strip().replace("\n", "; "))
