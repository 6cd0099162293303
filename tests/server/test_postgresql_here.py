"""Statements and timeouts for PostgreSQL, with a stand-in for the database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from psycopg2 import OperationalError, extensions
from sqlalchemy import MetaData, create_engine, exc
from sqlalchemy.pool import NullPool, StaticPool
from sqlalchemy.pool.base import reset_none, reset_rollback

from mixed_company.server.archive import writing
from mixed_company.server.keeping import saving
from mixed_company.server.keeping.saving_rows import ROWS_AT_ONCE, insert_rows
from mixed_company.server.keeping.storage import Row
from mixed_company.server.mends import database as mended
from tests.server.inside import inside

__all__ = ["inside"]  # a fixture


class Postgres:
    """Database that records its statements. The first one raises `fails`."""

    name = "postgresql"

    def __init__(self, fails: Exception | None = None) -> None:
        self.statements: list[Any] = []
        self.fails = fails
        self.url = self.engine = self._db = self
        self.dialect = SimpleNamespace(paramstyle="pyformat")

    IN_MEMORY = False

    def get_backend_name(self) -> str:
        return self.name

    def execute(self, *statement: Any) -> None:
        if self.fails is not None:
            raise self.fails
        self.statements.append(statement[0] if len(statement) == 1 else statement)

    def scalar(self, statement: str) -> None:
        self.statements.append(statement)

    @contextmanager
    def connect(self) -> Iterator[Any]:
        yield self

    def rollback(self) -> None:
        self.statements.append("rollback")


# -- connections -----------------------------------------------------------------------------


def test_connections_in_threads_are_opened_anew_and_wait_for_a_minute(monkeypatch):
    engines: list[Any] = []
    postgres = Postgres()
    monkeypatch.setattr(saving, "database", SimpleNamespace(engine=postgres))
    monkeypatch.setattr(
        saving, "create_engine", lambda url, **options: engines.append((url, options))
    )
    saving.own_engine()
    [(url, options)] = engines
    assert url is postgres
    assert options["poolclass"] is NullPool
    assert options["connect_args"]["connect_timeout"] == 5
    patient = options["connect_args"]["connection_factory"]
    assert issubclass(patient, extensions.connection)
    assert getattr(patient, saving.PATIENCE) == 60.0


class Slow:
    """Connection that first has to read, then to write, and then is ready."""

    def __init__(self, *states: int, patience: float | None = None) -> None:
        self.states = [*states, extensions.POLL_OK]
        if patience is not None:
            setattr(self, saving.PATIENCE, patience)

    def poll(self) -> int:
        return self.states.pop(0)


def waiting(monkeypatch: pytest.MonkeyPatch, answers: bool) -> tuple[Any, list[Any]]:
    """Return the function with which a connection waits, and the arguments of its calls to
    `select`."""
    selects: list[Any] = []
    waits: list[Any] = []

    def select(reads: Any, writes: Any, errors: Any, seconds: float) -> Any:
        selects.append((len(reads), len(writes), seconds))
        return (reads, writes, errors) if answers else ([], [], [])

    monkeypatch.setattr("select.select", select)
    monkeypatch.setattr(extensions, "set_wait_callback", waits.append)
    mended._be_brief_on_postgresql(1.5)
    return waits[0], selects


def test_a_connection_waits_for_what_it_needs_within_its_patience(monkeypatch):
    wait, selects = waiting(monkeypatch, answers=True)
    wait(Slow(extensions.POLL_READ, extensions.POLL_WRITE))
    wait(Slow(extensions.POLL_READ, patience=60.0))
    wait(Slow())
    assert selects == [(1, 0, 1.5), (0, 1, 1.5), (1, 0, 60.0)]


def test_a_connection_without_an_answer_gives_up(monkeypatch):
    wait, _ = waiting(monkeypatch, answers=False)
    with pytest.raises(OperationalError, match=r"PostgreSQL did not answer for 1\.5 s"):
        wait(Slow(extensions.POLL_READ))


def test_a_server_waits_briefly_for_either_database(monkeypatch):
    brief: list[float] = []
    monkeypatch.setattr(mended, "_be_brief_on_postgresql", brief.append)
    disk = Postgres()
    disk.name = "sqlite"
    for connection in (Postgres(), disk):
        database = SimpleNamespace(engine=connection, IN_MEMORY=False, sqlite_disk_conn=disk)
        monkeypatch.setattr(mended, "database", database)
        mended.be_brief()
    assert brief == [mended.BRIEF_SECONDS]
    assert disk.statements == ["PRAGMA busy_timeout=1400"]
    monkeypatch.setattr(mended, "database", SimpleNamespace(IN_MEMORY=True))
    mended.be_brief()  # nobody else has it


# -- statements ------------------------------------------------------------------------------


def test_many_rows_are_written_at_once_in_the_syntax_of_the_driver():
    postgres, log = Postgres(), SimpleNamespace(name="log")
    rows = [(7, Row("event", number, "{}")) for number in range(ROWS_AT_ONCE + 1)]
    insert_rows(postgres, log, rows)
    (first, values), (second, last) = postgres.statements
    words = "INSERT INTO log (group_id, kind, at_ms, data) VALUES "
    assert second == f"{words}(%s, %s, %s, %s)"
    assert first == words + ", ".join(["(%s, %s, %s, %s)"] * ROWS_AT_ONCE)
    assert (values[:8], last) == (
        (7, "event", 0, "{}", 7, "event", 1, "{}"),
        (7, "event", ROWS_AT_ONCE, "{}"),
    )


def read(postgres: Postgres, disk: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read a consistent snapshot of a database."""
    database = SimpleNamespace(engine=postgres, db=postgres, sqlite_disk_conn=disk)
    monkeypatch.setattr(writing, "database", database)
    monkeypatch.setattr(writing.otree.main, "setup", lambda: disk.statements.append("setup"))
    with writing.snapshot():
        disk.statements.append("read")


def test_an_export_reads_a_single_snapshot_and_writes_nothing(monkeypatch):
    postgres, disk = Postgres(), Postgres()
    read(postgres, disk, monkeypatch)
    isolation = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
    assert (postgres.statements, disk.statements) == ([isolation, "rollback"], ["setup", "read"])
    postgres, disk = Postgres(), Postgres()
    postgres.name = "sqlite"
    read(postgres, disk, monkeypatch)
    assert postgres.statements == ["rollback"]
    assert disk.statements == ["PRAGMA query_only = ON", "setup", "BEGIN", "read"]


def test_a_database_of_another_version_is_not_exported(monkeypatch):
    postgres = Postgres(exc.ProgrammingError("SET", {}, Exception("no such column\n")))
    reason = "^this version cannot read the database: no such column$"
    with pytest.raises(writing.ExportError, match=reason):
        read(postgres, Postgres(), monkeypatch)
    assert postgres.statements == ["rollback"]


# -- oTree's own connections -----------------------------------------------------------------


def test_sqlite_s_own_tables_stay_when_a_database_is_emptied():
    engine = create_engine("sqlite://", poolclass=StaticPool)
    engine.execute("CREATE TABLE ours (id INTEGER PRIMARY KEY AUTOINCREMENT)")
    tables = mended._Tables()
    tables.reflect(engine)
    assert set(tables.tables) == {"ours"}
    whole = MetaData()
    whole.reflect(engine)
    assert set(whole.tables) == {"ours", "sqlite_sequence"}


@pytest.mark.parametrize(
    ("in_memory", "name", "ephemeral", "settings"),
    [
        (False, "sqlite", "", 4),
        (False, "sqlite", "1", 0),
        (True, "sqlite", "", 0),
        (False, "postgresql", "", 0),
    ],
)
def test_a_file_of_sqlite_waits_for_others_and_keeps_a_log(
    in_memory, name, ephemeral, settings, monkeypatch
):
    connection = Postgres()
    connection.name, pool = name, SimpleNamespace(_reset_on_return=reset_rollback)
    shared = SimpleNamespace(url=connection.url, pool=pool)
    database = SimpleNamespace(IN_MEMORY=in_memory, engine=shared, sqlite_disk_conn=connection)
    monkeypatch.setattr(mended, "database", database)
    monkeypatch.setenv("OTREE_EPHEMERAL", ephemeral)
    mended._prepare_sqlite()
    pragmas = ["busy_timeout=60000", "journal_mode=WAL", "synchronous=NORMAL"]
    expected = [f"PRAGMA {pragma}" for pragma in (*pragmas, "wal_autocheckpoint=20000")]
    assert connection.statements == expected[:settings]
    assert (pool._reset_on_return is reset_none) == in_memory


def test_the_call_prepares_sqlite_and_checks_postgresql_before_each_use(inside, monkeypatch):
    done: list[Any] = []
    postgres = Postgres()
    monkeypatch.setattr(mended, "database", SimpleNamespace(engine=postgres))
    monkeypatch.setattr(mended, "_prepare_sqlite", lambda: done.append("prepared"))
    monkeypatch.setattr(mended.event, "listen", lambda *about: done.append(about))
    monkeypatch.setattr(mended.resetdb, "MetaData", None)
    for name in ("get", "post"):
        monkeypatch.setattr(mended.otree.tasks, name, None)
    monkeypatch.setattr(mended.otree.tasks.Worker, "listen", None)
    mended.install()
    assert mended.resetdb.MetaData is mended._Tables
    assert (mended.otree.tasks.get, mended.otree.tasks.post) == (
        mended._commit_then_get,
        mended._commit_then_post,
    )
    assert mended.otree.tasks.Worker.listen is mended._listen_again
    listened = [
        (mended.Table, "before_create", mended._number_once),
        (postgres, "engine_connect", mended._make_sure),
    ]
    assert done == ["prepared", *listened]
    done.clear()
    postgres.name = "sqlite"
    mended.install()
    assert done == ["prepared", listened[0]]


@pytest.mark.parametrize("deleted", [False, True])
def test_a_clock_counts_as_recorded_once_it_is_committed(deleted):
    """Allow for a session that is deleted in the meantime."""
    done: list[str] = []

    class Line(Postgres):
        @contextmanager
        def begin(self) -> Iterator[None]:
            yield
            done.append("commit")

        def connect(self) -> Any:
            return self

        def invalidate(self) -> None:
            done.append("drop")

        def close(self) -> None:
            pass

    class Clock:
        def keep(self, _connection: Any) -> Any:
            if deleted:
                raise exc.IntegrityError("INSERT", {}, Exception("gone"))
            return lambda: done.append("kept")

    saving._Connection(Line(), tuple)._keep(Clock())
    assert done == ([] if deleted else ["commit", "kept"])
