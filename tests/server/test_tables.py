"""A server opens each table once, informs it of lateness, and forgets it when it is no longer
needed."""

from __future__ import annotations

from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.server import clock
from mixed_company.server.clock import Silence
from mixed_company.server.lateness import Beat
from mixed_company.server.open import tables as module
from mixed_company.server.open.tables import NotSaved, OpenTables


class Writer:
    """Writer whose oldest entry has waited for `late` seconds."""

    def __init__(self) -> None:
        self.late, self.trouble, self.done = 0.0, None, list[Any]()

    def behind(self) -> float:
        return self.late

    def begin(self) -> None:
        self.done.append("begin")

    def deliver(self) -> None:
        self.done.append("deliver")

    def flush(self, seconds: float) -> None:
        self.done.append(("flush", seconds))


class Opened:
    """Open table that records its calls."""

    def __init__(self, idle: bool = False, gone: bool = False, over: bool = False) -> None:
        self.idle, self.gone, self.table = idle, gone, SimpleNamespace(over=over)
        self.clock, self.done = object(), list[Any]()
        self.hold_up = self.done.append

    def write_late(self) -> None:
        self.done.append("late")

    def close(self) -> None:
        self.done.append("close")


class Loop:
    """Loop that records its scheduled calls."""

    def __init__(self) -> None:
        self.later: list[Any] = []

    def call_later(self, seconds: float, function: Any) -> str:
        self.later.append((seconds, function))
        return "call"

    def call_soon_threadsafe(self, function: Any, *arguments: Any) -> None:
        function(*arguments)


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Any:
    tables = OpenTables(Writer)
    monkeypatch.setattr(module.storage, "commit", lambda: tables.writer.done.append("commit"))
    return tables


def opened(kept: Any, *tables: Opened) -> None:
    kept._open.update({("app", number): table for number, table in enumerate(tables)})


def test_clocks_belong_to_unfinished_plays(kept):
    here, gone, over = Opened(), Opened(gone=True), Opened(over=True)
    opened(kept, here, gone, over)
    assert kept.clocks == {here.clock}
    assert (len(kept), list(kept)) == (3, [here, gone, over])


@pytest.mark.parametrize(
    ("beat", "expected"),
    [
        (Beat(0, 0), []),
        (Beat(2000, 0), []),
        (Beat(2000, 1), [Beat(2000, 1)]),
        (Beat(0, 0, ends=True), ["late"]),
        (Beat(2000, 5, ends=True), [Beat(2000, 5, ends=True), "late"]),
    ],
)
def test_tables_are_told_that_the_server_was_late(kept, beat, expected):
    both = Opened(), Opened()
    opened(kept, *both)
    kept._hold_up(beat)
    assert [table.done for table in both] == [expected, expected]


@pytest.mark.parametrize(("behind", "serving"), [(0.0, True), (0.999, True), (1.0, False)])
def test_each_beat_reports_how_late_the_unsaved_data_are(kept, behind, serving, monkeypatch):
    calls: list[Any] = []

    def beat(*, serving: bool) -> Silence:
        calls.append(serving)
        return Silence(250, 7)

    def late(now_ms: int, silence: Silence, behind_ms: int) -> Beat:
        calls.append((now_ms, silence, behind_ms))
        return Beat(9, 7)

    monkeypatch.setattr(module.clock, "beat", beat)
    monkeypatch.setattr(module.clock, "now_ms", lambda: 5000)
    monkeypatch.setattr(module, "lateness", SimpleNamespace(beat=late))
    table = Opened()
    opened(kept, table)
    kept.writer.late = behind
    kept._beat()  # without a loop it is the last one
    assert calls == [serving, (5000, Silence(250, 7), round(1000 * behind))]
    assert table.done == [Beat(9, 7)]
    kept._loop = Loop()
    kept._beat()
    assert kept._loop.later == [(clock.BEAT_SECONDS, kept._beat)]


def test_unneeded_tables_are_forgotten_every_minute(kept):
    used, idle, gone = Opened(), Opened(idle=True), Opened(gone=True)
    opened(kept, used, idle, gone)
    forgotten: list[Any] = []
    kept.agents = SimpleNamespace(forget=forgotten.append)
    kept._loop = Loop()
    kept._sweep()
    assert list(kept) == [used]
    assert forgotten == [idle, gone]
    assert (used.done, idle.done, gone.done) == ([], ["close"], ["close"])
    assert kept._loop.later == [(module.SWEEP_SECONDS, kept._sweep)]
    kept._loop = None
    kept._sweep()


def test_tables_live_in_a_loop_from_then_on(kept, monkeypatch):
    loop: Any = Loop()
    monkeypatch.setattr(kept, "_beat", lambda: kept.writer.done.append("beat"))
    assert kept.after(500, print) is None
    for _ in range(2):
        kept.live(loop)
    assert kept.writer.done == ["begin", "beat"]
    assert loop.later == [(module.SWEEP_SECONDS, kept._sweep)]
    kept.writer.wake()
    assert kept.writer.done[-1] == "deliver"
    assert kept.after(1500, print) == "call"
    kept.after(-5, print)
    assert loop.later[1:] == [(1.5, print), (0.0, print)]


class Saving:
    """Open tables whose writer has saved everything, or not."""

    def __init__(self, saved: bool | None) -> None:
        self.saved = saved

    def when_saved(self, function: Any, otherwise: Any) -> None:
        if self.saved is not None:
            (function if self.saved else otherwise)()


def test_a_request_returns_when_its_effects_are_committed(kept):
    done = kept.writer.done
    kept.committed(Saving(True), lambda: done.append("act"))
    assert done == ["commit", "act", ("flush", module.PATIENCE_SECONDS)]
    with pytest.raises(NotSaved, match="its session no longer exists"):
        kept.committed(Saving(False), list)
    with pytest.raises(NotSaved, match="the database is not accepting writes; see the log"):
        kept.committed(Saving(None), list)


def test_a_thread_waits_for_the_loop_and_for_the_commit(kept, monkeypatch):
    waited: list[Any] = []

    class Result(Future[Any]):
        def result(self, timeout: float | None = None) -> Any:
            waited.append(timeout)
            return super().result(0)

    monkeypatch.setattr(module, "Future", Result)
    kept._loop, kept._thread = Loop(), -1
    kept.committed(Saving(True), list)
    assert waited == [None, module.PATIENCE_SECONDS]
    assert kept.writer.done == ["commit"]  # the loop makes the writer commit
    assert kept.in_loop(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        kept.in_loop(lambda: 1 // 0)


def player(group: int) -> Any:
    person = SimpleNamespace(_session_code="abcdefga", code="k3v9x2ma")
    return SimpleNamespace(get_folder_name=lambda: "app", group_id=group, participant=person)


def test_a_table_is_read_when_it_is_first_needed_and_when_it_is_gone(kept, monkeypatch):
    read, checked, looked = list[int](), list[Any](), list[Any]()

    def stored(player: Any) -> Any:
        read.append(player.group_id)
        return SimpleNamespace(app="app", group_id=player.group_id)

    monkeypatch.setattr(module, "_stored", stored)
    monkeypatch.setattr(module.owners, "check", lambda *codes: checked.append(codes))
    monkeypatch.setattr(kept, "opened", lambda stored, writer, look: Opened())
    kept.agents = SimpleNamespace(look=looked.append)
    first = kept.of(player(1))
    assert kept.of(player(1)) is first
    assert kept.of(player(2)) is not first
    first.gone = True
    assert kept.of(player(1)) is not first
    assert read == [1, 2, 1]
    assert checked == [("abcdefga", "k3v9x2ma")] * 3
    assert looked[0] is first
    assert len(looked) == 3


@pytest.mark.parametrize(
    ("policy_id", "agent", "apart", "prepared"),
    [
        ("steward", None, True, ["steward"]),
        ("steward", None, False, []),
        ("steward", "gpt", True, []),
        (None, None, True, []),
    ],
)
def test_processes_of_policies_that_need_them_start_with_the_table(
    kept, policy_id, agent, apart, prepared
):
    begun: list[str] = []
    kept._asking = SimpleNamespace(prepare=lambda policy: begun.append(policy.id))
    setup = SimpleNamespace(policy=lambda policy_id: SimpleNamespace(id=policy_id, apart=apart))
    chair = SimpleNamespace(policy_id=policy_id, agent=agent)
    kept._prepare(SimpleNamespace(setup=setup, seats=[chair]))
    assert begun == prepared


def test_a_table_asks_outside_the_loop_if_there_is_one(kept, monkeypatch):
    calls: list[Any] = []
    monkeypatch.setattr(module, "OpenTable", lambda *arguments: calls.append(arguments))
    monkeypatch.setattr(kept, "_prepare", lambda table: calls.append(table))
    stored = SimpleNamespace(table="table")
    kept.opened(stored, "writer")
    assert calls == [(stored, "writer", kept.after, None, module.nobody)]
    calls.clear()
    kept._loop = Loop()
    kept.opened(stored, "writer", "look")
    assert calls == ["table", (stored, "writer", kept.after, kept._ask, "look")]
    answers: list[Any] = []
    kept._asking = SimpleNamespace(ask=lambda question, tell: tell(f"answer to {question}"))
    kept._ask("q", answers.append)
    assert answers == ["answer to q"]
