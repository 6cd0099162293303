"""The writer saves all waiting batches in one commit, and reports none as saved before the
commit."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import pytest

from mixed_company.server.keeping import writer as writing
from mixed_company.server.keeping.writer import Batch, Writer


class Disk:
    """Database that can block, fail, or lose the response to a commit that took place."""

    def __init__(self) -> None:
        self.commits: list[list[int]] = []
        self.faults: list[Exception] = []
        self.lost: list[Exception] = []
        self.gone: set[int] = set()
        self.entered, self.open = threading.Event(), threading.Event()
        self.open.set()

    def commit(self, batches: Sequence[Batch], again: bool) -> Sequence[Batch]:
        self.entered.set()
        self.open.wait()
        if self.faults:
            raise self.faults.pop(0)
        stored = {group for commit in self.commits for group in commit} if again else set()
        self.commits.append([item.group_id for item in batches if item.group_id not in stored])
        if self.lost:
            raise self.lost.pop(0)
        return [item for item in batches if item.group_id in self.gone]


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    monkeypatch.setattr(writing, "RETRY_SECONDS", (0.0,))
    return Disk()


def batch(number: int, saved: list[Any]) -> Batch:
    return Batch("app", number, 0, [], None, [], lambda exists: saved.append((number, exists)))


def test_batches_that_arrive_during_a_commit_form_the_next_commit(disk):
    writer, saved = Writer(disk.commit), []
    disk.open.clear()
    writer.put(batch(0, saved))
    disk.entered.wait()
    for number in range(1, 6):
        writer.put(batch(number, saved))
    writer.deliver()
    assert saved == []  # nothing is committed yet
    disk.open.set()
    assert writer.flush(10)
    assert disk.commits == [[0], [1, 2, 3, 4, 5]]
    assert saved == [(number, True) for number in range(6)]


def test_a_failing_database_is_retried_until_it_accepts_everything_in_order(disk):
    writer, saved = Writer(disk.commit), []
    disk.faults = [OSError("database or disk is full")] * 3
    reasons: list[str | None] = []
    commit = writer._commit

    def watched(batches: Sequence[Batch], again: bool) -> Sequence[Batch]:
        reasons.append(writer.trouble.reason if writer.trouble else None)
        return commit(batches, again)

    writer._commit = watched
    writer.put(batch(0, saved))
    writer.put(batch(1, saved))
    assert writer.flush(10)
    assert [group for commit in disk.commits for group in commit] == [0, 1]
    assert saved == [(0, True), (1, True)]
    assert reasons[:4] == [None, *["database or disk is full"] * 3]
    assert writer.trouble is None


def test_while_nothing_can_be_saved_the_writer_gives_time_and_reason_and_tells_nobody(disk):
    writer, saved = Writer(disk.commit), []
    disk.faults = [OSError("server closed the connection unexpectedly")]
    disk.open.clear()
    writer.put(batch(0, saved))
    assert not writer.flush(0.05)
    assert saved == []
    disk.open.set()
    assert writer.flush(10)


def test_a_commit_whose_answer_was_lost_is_not_repeated(disk):
    writer, saved = Writer(disk.commit), []
    disk.lost = [OSError("connection lost during COMMIT")]
    writer.put(batch(7, saved))
    assert writer.flush(10)
    assert [group for commit in disk.commits for group in commit] == [7]
    assert saved == [(7, True)]


def test_a_table_whose_group_was_deleted_is_told_and_the_others_are_saved(disk):
    writer, saved = Writer(disk.commit), []
    disk.gone = {1}
    for number in range(3):
        writer.put(batch(number, saved))
    assert writer.flush(10)
    assert saved == [(0, True), (1, False), (2, True)]


def test_without_a_thread_everything_is_committed_immediately(disk):
    writer, saved = Writer(disk.commit, threaded=False), []
    writer.put(batch(3, saved))
    assert (disk.commits, saved) == ([[3]], [(3, True)])


# -- other writes ---------------------------------------------------------------------------------


def test_other_writes_are_done_when_idle_and_occasionally_in_between(disk, monkeypatch):
    monkeypatch.setattr(writing, "KEEP_SECONDS", 0.01)
    idle: list[bool] = []
    enough = threading.Event()

    def keep(nothing_written: bool) -> None:
        idle.append(nothing_written)
        if {True, False} <= set(idle):
            enough.set()
        raise OSError("the database is away")  # and is tried again

    writer, saved = Writer(disk.commit, keep=keep), []
    writer.begin()
    for number in range(1000):
        writer.put(batch(number, saved))
        assert writer.flush(10)
        if enough.wait(0.02):
            break
    writer._keep = lambda nothing_written: None
    assert {True, False} <= set(idle)
    assert saved == [(count, True) for count in range(number + 1)]


def test_the_writer_knows_how_long_its_batches_have_waited(disk, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(writing.time, "monotonic", lambda: now[0])
    writer = Writer(disk.commit)
    assert writer.behind() == 0
    disk.open.clear()
    writer.put(batch(0, []))
    disk.entered.wait()
    now[0] = 103.0
    writer.put(batch(1, []))
    now[0] = 104.5
    assert writer.behind() == 4.5
    disk.open.set()
    assert writer.flush(10)
    assert writer.behind() == 0
