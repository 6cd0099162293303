"""A backup of the database is a consistent snapshot, even while it is written to."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from mixed_company.__main__ import main
from mixed_company.server.keeping.backup import BackupError, back_up

ROWS = 2000


@pytest.fixture
def busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[sqlite3.Connection]:
    """Yield a connection with an open write transaction on a database whose rows are all still in
    the log."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    with closing(sqlite3.connect("db.sqlite3", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("CREATE TABLE log (data TEXT)")
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO log VALUES (?)", [("x" * 500,)] * ROWS)
        connection.execute("COMMIT")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO log VALUES ('not committed')")
        yield connection


def rows(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        [count] = connection.execute("SELECT count(*) FROM log").fetchone()
    return int(count)


def test_a_copy_contains_everything_committed_in_one_file(busy, tmp_path, capsys):
    (tmp_path / "elsewhere").mkdir()
    shutil.copy("db.sqlite3", "elsewhere/db.sqlite3")
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        rows(tmp_path / "elsewhere" / "db.sqlite3")  # rows that are still in the log are missing
    assert main(["backup", "elsewhere/copy.sqlite3"]) == 0
    assert capsys.readouterr().out == "elsewhere/copy.sqlite3\n"
    assert rows(tmp_path / "elsewhere" / "copy.sqlite3") == ROWS
    assert sorted(path.name for path in (tmp_path / "elsewhere").glob("copy*")) == ["copy.sqlite3"]
    busy.execute("COMMIT")
    back_up(tmp_path / "elsewhere" / "copy.sqlite3")
    assert rows(tmp_path / "elsewhere" / "copy.sqlite3") == ROWS + 1


def test_a_damaged_or_missing_database_is_refused_and_an_older_copy_stays(busy, tmp_path, capsys):
    (tmp_path / "copy.sqlite3").write_text("older")
    busy.execute("COMMIT")
    busy.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    busy.close()
    with (tmp_path / "db.sqlite3").open("r+b") as file:
        file.seek(4096 * 20)
        file.write(b"\xff" * 4096 * 20)
    with pytest.raises(BackupError, match=r"db\.sqlite3: "):
        back_up(tmp_path / "copy.sqlite3")
    assert (tmp_path / "copy.sqlite3").read_text() == "older"
    (tmp_path / "db.sqlite3").unlink()
    assert main(["backup", "copy.sqlite3"]) == 2
    assert "there is no database: " in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir() if "part" in path.name] == []


PROGRAM = """#!/bin/sh
echo "$0 $*" > asked
echo "$PGHOST $PGPORT $PGUSER $PGPASSWORD $PGDATABASE" >> asked
[ "$PGUSER" = nobody ] && { echo "no such user" >&2; exit 1; }
echo dumped
"""


def test_postgresql_is_copied_by_its_own_program_with_the_password_passed_separately(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DATABASE_URL", "postgres://me:p%40ss@db.lab:5433/mixed")
    with pytest.raises(
        BackupError, match=r"pg_dump is not installed: install the PostgreSQL client"
    ):
        back_up(tmp_path / "copy.dump")
    (tmp_path / "pg_dump").write_text(PROGRAM)
    (tmp_path / "pg_dump").chmod(0o755)
    back_up(tmp_path / "copy.dump")
    assert (tmp_path / "copy.dump").read_text() == "dumped\n"
    called, environment = (tmp_path / "asked").read_text().splitlines()
    assert called == f"{tmp_path}/pg_dump --format=custom --no-owner"
    assert environment == "db.lab 5433 me p@ss mixed"
    monkeypatch.setenv("DATABASE_URL", "postgres://nobody@db.lab/mixed")
    with pytest.raises(BackupError, match="no such user"):
        back_up(tmp_path / "copy.dump")
    assert (tmp_path / "copy.dump").read_text() == "dumped\n"
