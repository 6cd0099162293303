"""Tests of plays and exports on PostgreSQL and SQLite, and of a database that fails during play.

Nothing is acknowledged before it is saved, and play resumes automatically.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psutil
import psycopg2
import pytest
import requests
from playwright.sync_api import expect
from websocket import WebSocketTimeoutException

from mixed_company.__main__ import main
from tests.door.audit import table, wrong_numbers
from tests.door.harness import Live, Server, seated, synced, when

pytestmark = [pytest.mark.door]

EITHER = pytest.mark.parametrize(
    "any_server", [pytest.param("sqlite", marks=pytest.mark.long), "postgres"], indirect=True
)
QUICK: dict[str, Any] = {"quiz": False, "bot_delay": "instant", "decision_seconds": 0.0}


def send(live: Live, period: int, name: str) -> None:
    action = {"harvest": 2, "contribution": 0}
    live.send({"kind": "act", "id": name, "period": period, "action": action})


def unheard(live: Live) -> bool:
    """Return whether all messages have been read."""
    live.socket.settimeout(0.1)
    try:
        live.receive()
    except WebSocketTimeoutException:
        return True
    finally:
        live.socket.settimeout(60)
    return False


def state(server: Server) -> str:
    return requests.get(f"{server.url}/live_state", timeout=30).text


def unsaved(board: str) -> bool:
    """Return whether a board reports that nothing is saved."""
    alarms = requests.get(board, timeout=60).json()["alarms"]
    return any(alarm.startswith("Nothing has been saved for ") for alarm in alarms)


@contextmanager
def nothing_can_be_written(server: Server) -> Iterator[None]:
    """Lock the database, or make it reject connections."""
    if server.database_url is None:
        with closing(sqlite3.connect(server.folder / "db.sqlite3", timeout=30)) as other:
            other.isolation_level = None
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")
        return
    with closing(psycopg2.connect(server.database_url, dbname="template1")) as other:
        other.autocommit = True
        run = other.cursor().execute
        run("ALTER DATABASE postgres ALLOW_CONNECTIONS false")
        try:
            cut(other)
            yield
        finally:
            run("ALTER DATABASE postgres ALLOW_CONNECTIONS true")


def cut(connection: Any) -> None:
    """End every other connection of the server to its database."""
    connection.cursor().execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'postgres'"
        " AND pid <> pg_backend_pid()"
    )


@EITHER
def test_a_decision_is_not_acknowledged_until_it_can_be_saved(any_server):
    session = any_server.session("commons", 1, **QUICK)
    [(person, live)] = seated(any_server, session)
    assert live.act(0, "first", harvest=2, contribution=0)["kind"] == "ack"
    # plays of other tests also run on this server
    when(lambda: "everything is saved" in state(any_server))
    live.receive("view")
    with nothing_can_be_written(any_server):
        send(live, 1, "second")
        when(lambda: re.search(r"waiting to be saved: [1-9]", state(any_server)))
        assert unheard(live)  # an answer would have arrived before the other page's
        send(live, 1, "second")  # as pages do if they get no answer
        assert re.search(r"waiting to be saved: [1-9]", state(any_server))
        assert unheard(live)
    assert live.receive("ack")["id"] == "second"
    assert live.act(2, "third", harvest=2, contribution=0)["kind"] == "ack"
    when(lambda: "everything is saved" in state(any_server))
    decisions = table(any_server, "decisions", session)
    own_decisions = decisions[decisions["participant"] == person.code]
    assert own_decisions["sent_harvest"].tolist() == [2.0] * 3
    assert wrong_numbers(any_server, session) == []


@pytest.mark.long  # tests/server/test_failures.py and test_mends_here.py cover the answers
def test_a_page_submitted_while_nothing_can_be_saved_is_sent_again_automatically(
    any_server, browser
):
    session = any_server.session("commons", 2, **QUICK, consent="Take part?", language="de")
    board = f"{any_server.url}/session_board/{session['code']}"
    page = browser.new_page()
    page.goto(session["session_wide_url"])
    assert not unsaved(board)
    with nothing_can_be_written(any_server):
        page.locator("main button").first.click()
        expect(page.get_by_role("heading")).to_have_text("Einen Moment bitte", timeout=60_000)
        assert unsaved(board)
        export = requests.get(f"{any_server.url}/api/export_archive", timeout=60)
        assert (export.status_code, "has not answered for" in export.text) == (503, True)
    expect(page).to_have_url(re.compile("/Instructions/"), timeout=60_000)
    page.close()


def test_play_and_pages_reconnect_after_a_connection_is_cut(postgres_server):
    session = postgres_server.session("commons", 1, **QUICK)
    [(person, live)] = seated(postgres_server, session)
    for period in range(4):
        with closing(psycopg2.connect(postgres_server.database_url)) as other:
            other.autocommit = True
            cut(other)
        assert live.act(period, f"p{period}", harvest=2, contribution=0)["kind"] == "ack"
        person.reload()
        assert (person.page.status_code, person.page_name) == (200, "Play")
    assert wrong_numbers(postgres_server, session) == []


@contextmanager
def frozen(url: str) -> Iterator[None]:
    """Suspend all processes of a PostgreSQL server, so it accepts connections but never
    responds."""
    with closing(psycopg2.connect(url)) as other:
        cursor = other.cursor()
        cursor.execute("SHOW data_directory")
        [folder] = cursor.fetchone() or [""]
    first = psutil.Process(int((Path(folder) / "postmaster.pid").read_text().split()[0]))
    processes = [first, *first.children(recursive=True)]
    try:
        for process in processes:
            process.suspend()
        yield
    finally:
        for process in processes:
            if process.is_running():
                process.resume()


@pytest.mark.long
def test_a_frozen_database_delays_no_page_and_no_board(postgres_server):
    session = postgres_server.session("commons", 2, **QUICK)
    person = postgres_server.join(session)
    board = f"{postgres_server.url}/session_board/{session['code']}"
    accept = {"accept": "text/html"}
    requests.get(board, timeout=60)
    with frozen(str(postgres_server.database_url)):
        for link in (person.page.url, session["session_wide_url"]):
            answer = requests.get(link, headers=accept, timeout=60)
            assert (answer.status_code, "One moment, please" in answer.text) == (503, True)
        assert unsaved(board)
    when(lambda: not unsaved(board))
    person.reload()
    assert person.page.status_code == 200


def play_to_the_end(live: Live) -> None:
    """Decide in each period as soon as the view allows it."""
    view = synced(live)
    while view["phase"] != "over":
        if view["phase"] == "decide":
            live.act(view["period"], f"p{view['period']}", harvest=1, contribution=0)
        view = live.receive("view") if view["phase"] != "decide" else synced(live)


@pytest.mark.parametrize(
    "leaves", [False, pytest.param(True, marks=pytest.mark.long)], ids=["both stay", "one leaves"]
)
def test_plays_in_postgresql_give_a_correct_export(postgres_server, tmp_path, capsys, leaves):
    """Play with pairwise matrices and with two people who decide in turn, one of whom may leave for
    good.
    """
    options: dict[str, Any] = {
        "dropout": "reduced",
        "agents": '{"timing": "sequential"}',
        "periods": 2,
    }
    options |= {"grace_seconds": 10.0} if leaves else {}
    pair = postgres_server.session("commons_two_people", 2, **{**QUICK, **options})
    (_, first_live), (_, second_live) = seated(postgres_server, pair, 2)
    alone = postgres_server.session("sanctions", 1, **QUICK, periods=2)
    [(_, live)] = seated(postgres_server, alone)
    for period in range(2):
        assert live.act(period, f"p{period}", contribution=3)["kind"] == "ack"
    with ThreadPoolExecutor() as people:
        ends = [people.submit(play_to_the_end, first_live)]
        if leaves:
            second_live.close()
        else:
            ends.append(people.submit(play_to_the_end, second_live))
        for end in ends:
            end.result()
    statuses = ["finished", "left" if leaves else "finished"]
    assert sorted(table(postgres_server, "outcomes", pair)["status"]) == statuses
    (tmp_path / "out.zip").write_bytes(postgres_server.archive(pair["code"], alone["code"]))
    assert main(["check", str(tmp_path / "out.zip")]) == 0
    assert capsys.readouterr().out.count("everything matches") == 3  # games, and people
