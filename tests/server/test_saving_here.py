"""The writer's connection to a SQLite file in this process: rows, pay, and the log."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.server.keeping.storage import Row
from mixed_company.server.keeping.writer import Batch, LobbyBatch, NewGroup, Outcome, Standing
from tests.server.inside import Session, inside

__all__ = ["inside"]  # a fixture


@pytest.fixture
def saving(inside: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Return the parts of `server.keeping.saving`, on a file with a `session` of two people. The
    first has a table, and the second has not come."""
    from otree import database

    from mixed_company.server.keeping import saving

    session = Session("commons", 2, quiz=False, participation_fee=2.0)
    session.people[0].come().send()
    database.db.commit()
    monkeypatch.chdir(tmp_path)
    with sqlite3.connect(database.DB_FILE) as file:
        database.sqlite_mem_conn.backup(file)
    monkeypatch.setattr(database, "IN_MEMORY", False)
    return SimpleNamespace(
        session=session,
        own_engine=saving.own_engine,
        _Connection=saving._Connection,
        time=saving.time,
    )


@pytest.fixture
def connection(saving: Any) -> Iterator[Any]:
    opened = saving._Connection(saving.own_engine())
    yield opened
    opened._drop()


def looked(query: str) -> list[tuple[Any, ...]]:
    """Query the file together with its log."""
    with sqlite3.connect("db.sqlite3") as file:
        return file.execute(query).fetchall()


def seated(saving: Any) -> Any:
    """Return the player with a table."""
    return saving.session.people[0].player()


def batch(saving: Any, *rows: str, **more: Any) -> Batch:
    """Return a batch with the table's next rows."""
    player = seated(saving)
    [(count,)] = looked(f"SELECT count(*) FROM commons_game_log WHERE group_id = {player.group_id}")
    entries = [Row("event", number, text) for number, text in enumerate(rows)]
    fields = {"snapshot": None, "outcomes": (), "saved": lambda count: None, **more}
    return Batch("commons_game", player.group_id, int(count), entries, **fields)


def journal(saving: Any) -> list[str]:
    condition = (
        f"FROM commons_game_log WHERE group_id = {seated(saving).group_id} AND kind = 'event'"
    )
    return [data for (data,) in looked(f"SELECT data {condition} ORDER BY id")]


def test_every_commit_waits_for_the_disk_and_foreign_keys_hold(connection):
    with connection._connected() as line:
        pragmas = {
            name: line.execute(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "wal_autocheckpoint")
        }
    assert pragmas == {
        "journal_mode": "wal",
        "synchronous": 2,  # FULL
        "foreign_keys": 1,
        "wal_autocheckpoint": 4000,
    }


def test_any_number_of_rows_is_appended_in_order_in_one_transaction(saving, connection):
    texts = [f'{{"n": {number}}}' for number in range(2500)]
    before = journal(saving)
    assert connection.commit([batch(saving, *texts)], False) == []
    assert journal(saving) == [*before, *texts]


def test_a_snapshot_and_the_pay_of_people_are_saved_together(saving, connection):
    """Save 7.5 points at the session's rate. The participant's payoff is the game's."""
    player = seated(saving)
    outcome = Outcome(player.id, 7.5, 7.5, "finished", 0.75)
    done = batch(saving, "{}", snapshot="{1}", outcomes=[outcome])
    assert connection.commit([done], False) == []
    condition = f"FROM commons_game_player WHERE id = {player.id}"
    [row] = looked(f"SELECT points, _payoff, status, played_share {condition}")
    assert row == (7.5, "7.50", "finished", 0.75)
    [(total,)] = looked(f"SELECT payoff FROM otree_participant WHERE id = {player.participant_id}")
    assert float(total) == 7.5
    [(table,)] = looked(f'SELECT "table" FROM commons_game_group WHERE id = {player.group_id}')
    assert table == "{1}"
    # again, with more: only the difference is added, and an ended part keeps its ending
    later = replace(outcome, paid=8.0, points=8.0, status="left")
    assert connection.commit([batch(saving, "{}", outcomes=[later])], False) == []
    assert looked(f"SELECT points, _payoff, status {condition}") == [(8.0, "8.00", "finished")]
    [(total,)] = looked(f"SELECT payoff FROM otree_participant WHERE id = {player.participant_id}")
    assert float(total) == 8.0


def test_a_missing_player_is_paid_nothing(saving, connection):
    nobody = batch(saving, "{}", outcomes=[Outcome(999_999, 1.0, 1.0, "finished", 1.0)])
    assert connection.commit([nobody], False) == []


def test_a_batch_that_was_committed_after_all_is_not_written_twice(saving, connection):
    first = batch(saving, '{"one": 1}')
    before = journal(saving)
    for again in (False, True, True):
        assert connection.commit([first], again) == []
    assert journal(saving) == [*before, '{"one": 1}']
    second = batch(saving, '{"two": 2}')
    assert connection.commit([second], True) == []  # none of it was there
    assert journal(saving) == [*before, '{"one": 1}', '{"two": 2}']


def test_an_unsavable_batch_is_returned_and_blocks_no_other(saving, connection, caplog):
    good = batch(saving, '{"good": 1}')
    bad = replace(good, rows=[Row("event", 0, "\ud800")])
    gone = replace(good, group_id=999_999)
    back = connection.commit([bad, good, gone], False)
    assert [rejected is bad or rejected is gone for rejected in back] == [True, True]
    assert journal(saving)[-1] == '{"good": 1}'
    assert "cannot be saved" in caplog.text
    caplog.clear()
    assert connection.commit([gone], False) == [gone]
    assert caplog.text == ""  # a deleted session is not worth a line in the log


def test_batches_after_an_unsavable_one_of_the_same_table_leave_no_gap_in_its_journal(
    saving, connection
):
    before = journal(saving)
    bad = batch(saving, "\ud800")
    second, third = (
        replace(bad, first=bad.first + number, rows=[Row("event", number, "{}")])
        for number in (1, 2)
    )
    assert connection.commit([bad, second], False) == [bad, second]
    assert connection.commit([third], False) == [third]  # queued before the table was closed
    assert journal(saving) == before
    good = batch(saving, '{"again": 1}')  # of the table, read again
    next_one = replace(good, first=good.first + 1, rows=[Row("event", 1, '{"next": 1}')])
    assert connection.commit([good, next_one], False) == []
    assert journal(saving) == [*before, '{"again": 1}', '{"next": 1}']


def lobby(saving: Any, number: int, seats: dict[int, int]) -> LobbyBatch:
    player = seated(saving)
    shared = {"session_id": player.session_id, "round_number": 1}
    group = NewGroup(number, seats, [Row("start", 0, "{}")], 5, 2_000, {"setup": "{}"})
    return LobbyBatch(
        "commons_game", player.subsession_id, shared, (), [group], lambda exists: None
    )


def waiting(saving: Any) -> Any:
    return saving.session.people[1].player()


def test_a_group_is_formed_once_from_waiting_people_or_not_at_all(saving, connection):
    person = waiting(saving)
    condition = f"FROM commons_game_player WHERE id = {person.id}"
    number = person.subsession.groups_formed + 1
    formed = lobby(saving, number, {person.id: 2})
    assert connection.commit([formed], False) == [formed]  # nobody is waiting yet
    waits = Standing(person.id, ("arriving",), {"status": "waiting", "arrived_ms": 500.0})
    came = replace(formed, groups=(), standings=[waits])
    assert connection.commit([came], False) == []
    assert looked(f"SELECT status, arrived_ms {condition}") == [("waiting", 500.0)]
    early = lobby(saving, number + 1, {person.id: 2})
    assert connection.commit([early], False) == [early]  # not the next number
    for again in (False, True):
        assert connection.commit([formed], again) == []
    [row] = looked(f"SELECT status, seat, id_in_group, waited_ms, group_id {condition}")
    assert row[:4] == ("seated", 2, 1, 1_500.0)
    [group] = looked(
        "SELECT subsession_id, session_id, id_in_subsession, shift_ms, setup, round_number "
        f"FROM commons_game_group WHERE id = {row[4]}"
    )
    assert group == (person.subsession_id, person.session_id, number + 1, 5.0, "{}", 1)
    assert looked(f"SELECT kind FROM commons_game_log WHERE group_id = {row[4]}") == [("start",)]
    left = Standing(person.id, ("waiting",), {"status": "left"}, waited=9_000)
    assert connection.commit([replace(came, standings=[left])], False) == []
    assert looked(f"SELECT status {condition}") == [("seated",)]  # a seat was given before


def alone() -> int:
    """Return the number of rows in the file without its log."""
    Path("alone").write_bytes(Path("db.sqlite3").read_bytes())
    with sqlite3.connect("alone") as file:
        [(count,)] = file.execute("SELECT count(*) FROM commons_game_log").fetchall()
    return int(count)


def test_the_log_is_written_into_the_file_when_idle_and_every_half_minute(
    saving, connection, monkeypatch
):
    began, ahead = time.monotonic(), [0.0]
    monkeypatch.setattr(saving.time, "monotonic", lambda: began + ahead[0])
    connection._checkpoint = began
    connection.keep(True)
    before = alone()
    connection.commit([batch(saving, "{}")], False)
    connection.keep(False)
    assert alone() == before
    connection.keep(True)
    assert alone() == before + 1
    connection.commit([batch(saving, "{}")], False)
    ahead[0] = 29.0
    connection.keep(False)
    assert alone() == before + 1
    ahead[0] = 31.0
    connection.keep(False)
    assert alone() == before + 2
