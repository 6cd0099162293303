"""Lobbies and practices of a server, and treatments of newcomers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.server import treatments
from mixed_company.server.keeping.storage import Row
from mixed_company.server.open import lobbies as module
from mixed_company.server.open import practices as practising
from mixed_company.server.open.lobbies import Lobbies
from mixed_company.server.open.practices import Practices
from mixed_company.table.lobby import Waiting


class Tables:
    """Loop that runs everything immediately and records what must be committed."""

    writer, after = "writer", "after"

    def __init__(self) -> None:
        self.done: list[Any] = []

    def in_loop(self, function: Any) -> Any:
        self.done.append("in loop")
        return function()

    def committed(self, opened: Any, act: Any) -> None:
        self.done.append("committed")
        act()


class Lobby:
    """Open lobby that records its calls."""

    def __init__(self, stored: Any, *arguments: Any) -> None:
        self.stored, self.arguments, self.done = stored, arguments, list[Any]()
        self.gone = self.idle = False
        self.people, self.lobby = 2, SimpleNamespace(waiting={})
        self.wake, self.close = (
            lambda: self.done.append("wake"),
            lambda: self.done.append("close"),
        )

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments: self.done.append((name, *arguments))


def player(subsession: int = 3, **more: Any) -> Any:
    person = SimpleNamespace(_session_code="abcdefga", code="k3v9x2ma")
    columns = {"id": 7, "status": "arriving", "treatment": "t", "subsession_id": subsession}
    columns |= {"get_folder_name": lambda: "app", "participant": person}
    return SimpleNamespace(**{**columns, **more})


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Any:
    tables: Any = Tables()
    lobbies = Lobbies(tables)
    monkeypatch.setattr(module, "OpenLobby", Lobby)
    monkeypatch.setattr(module, "_stored", lambda player, back_ms: back_ms)
    monkeypatch.setattr(module, "companies", lambda player: "companies")
    monkeypatch.setattr(module.owners, "check", lambda *codes: tables.done.append(codes))
    monkeypatch.setattr(module, "clock", SimpleNamespace(now_ms=lambda: 500))
    return lobbies


def test_a_lobby_learns_what_a_person_does_and_pages_wait_for_the_commit(kept):
    person = player()
    opened = kept.enter(person)
    kept._tables.done.clear()
    kept.admit(person)
    kept.part(person)
    kept.hurry(person)
    kept.watch(person)
    assert kept._tables.done == ["committed"] * 3 + ["in loop"]
    entered = ("enter", 7, "arriving", "t", "companies")
    assert opened.done == [entered, entered, ("part", 7, "arriving"), ("hurry", 7), "wake"]
    assert opened.arguments == ("writer", "after")
    assert kept.opened("app", 3) is opened
    assert kept.opened("app", 4) is None
    assert kept.people == 2


def test_a_lobby_that_is_gone_or_idle_is_read_anew(kept):
    """Let pages keep returning for a while to a lobby that this server has never had."""
    first = kept.of(player())
    assert kept.of(player()) is first
    assert kept._tables.done[0] == ("abcdefga", "k3v9x2ma")
    first.gone = True
    second = kept.of(player())
    second.idle = True
    third = kept.of(player())
    waits = [500 + module.RETURN_MS, 0, 0]
    assert [opened.stored for opened in (first, second, third)] == waits
    assert [opened.done for opened in (first, second, third)] == [["close"], ["close"], []]


def test_unneeded_lobbies_are_closed_with_the_next_one(kept):
    used, left, promised = (kept.of(player(number)) for number in (1, 2, 3))
    left.idle = promised.idle = True
    promised.lobby.waiting[7] = "waiting"
    kept.of(player(4))
    assert [opened.done for opened in (used, left, promised)] == [[], ["close"], []]
    assert kept.opened("app", 2) is None


@pytest.mark.parametrize("planned", [False, True])
def test_a_lobby_is_read_with_everybody_who_waits(planned, monkeypatch):
    waits = SimpleNamespace(id=9, arrived_ms=5.0, heard_ms=6.0, extended=True, treatment="t")

    class Own(SimpleNamespace):
        @staticmethod
        def objects_filter(**criteria: Any) -> list[Any]:
            assert criteria == {"subsession": subsession, "status": "waiting"}
            return [waits]

    subsession = SimpleNamespace(id=3, session_id=4, round_number=1, groups_formed=2)
    person = Own(subsession=subsession, get_folder_name=lambda: "app")
    monkeypatch.setattr(module, "clock_of", lambda session_id: f"clock {session_id}")
    monkeypatch.setattr(module, "setups_of", lambda subsession: "setups")
    monkeypatch.setattr(module, "is_planned", lambda player: planned)
    monkeypatch.setattr(module, "companies", lambda player: player.id)
    monkeypatch.setattr(module, "together", list)
    stored = module._stored(person, 700)
    wanted = Waiting(9, 5, 6, True, open=False, held_ms=700, treatment="t")
    assert (list(stored.waiting), stored.formed) == ([wanted], 2)
    assert (stored.app, stored.subsession_id) == ("app", 3)
    assert (stored.setups, stored.clock) == ("setups", "clock 4")
    assert stored.group == {"session_id": 4, "round_number": 1}
    assert stored.meeting == ([9] if planned else None)


# -- practices ------------------------------------------------------------------------------------


def test_the_oldest_practices_without_an_open_page_make_room():
    tables: Any = Tables()
    kept, closed = Practices(tables, most_left=2), list[int]()
    for number, listeners in enumerate(({}, {0: {"page"}}, {0: set()}, {})):
        opened = SimpleNamespace(
            listeners=listeners, close=lambda number=number: closed.append(number)
        )
        kept._open["app", number] = (opened, practising._Unwritten())
    kept._make_room()
    assert closed == [0, 2]
    assert [number for _, number in kept._open] == [1, 3]
    kept._make_room()
    assert (closed, len(kept)) == ([0, 2], 2)


def test_a_practice_starts_once_and_restores_earlier_decisions(monkeypatch):
    checked: list[Any] = []
    begun: list[Any] = []
    table = SimpleNamespace(people=[2], seats={2: SimpleNamespace(periods=3)}, take_rows=list)

    def begin(setup: Any, code: str, now: int) -> Any:
        begun.append((setup, code, now))
        return table

    class Tables_(Tables):
        def opened(self, stored: Any, unwritten: Any) -> Any:
            assert (stored.people, stored.shift_ms, stored.credited) == ({2: 7}, 0, {})
            key = stored.app, stored.group_id
            return SimpleNamespace(
                key=key, table=table, listeners={}, close=lambda: begun.append("close")
            )

    monkeypatch.setattr(practising.owners, "check", lambda *codes: checked.append(codes))
    monkeypatch.setattr(practising, "setup_of", lambda player: "setup")
    monkeypatch.setattr(practising, "clock_of", lambda number: SimpleNamespace(now_ms=lambda: 9))
    monkeypatch.setattr(practising, "open_practice", begin)
    kept, person = Practices(Tables_()), player(session_id=4)
    opened = kept.of(person)
    assert kept.of(person) is opened
    assert begun == [("setup", "k3v9x2ma", 9)]
    assert checked == [("abcdefga", "k3v9x2ma")] * 2
    saved: list[bool] = []
    rows = [Row("act", 5, '{"period": 0, "action": {"a": 1}, "seat": 2}'), Row("event", 6, "{}")]
    batch: Any = SimpleNamespace(rows=rows, saved=saved.append)
    kept._open["app", 7][1].put(batch)
    done = kept.end(person)
    assert (done.periods, saved, len(kept)) == (3, [True], 0)
    assert done.decisions == [{"at_ms": 5, "period": 0, "action": {"a": 1}}]
    assert begun[1:] == ["close"]


# -- treatments -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("treatment", "plan", "shown"),
    [("t", "plan", "t"), ("", "plan", ""), ("", "", "commons"), ("t", "", "t")],
)
def test_a_treatment_is_shown_by_its_name_or_that_of_the_session(treatment, plan, shown):
    session = SimpleNamespace(config={"name": "commons"})
    person = SimpleNamespace(
        treatment=treatment, subsession=SimpleNamespace(plan=plan), session=session
    )
    assert treatments.treatment_shown(person) == shown


def test_a_newcomer_gets_the_first_free_slot(monkeypatch):
    """Keep the slot of a person who has been idle for a minute. The machine's clock is at 100 s.
    Times of assignment are compared with the time of a plan's seal."""
    others = [
        SimpleNamespace(slot=slot, status=status, seat=seat, assigned_ms=ms)
        for slot, status, seat, ms in (
            *((0, "finished", 0, 0.0), (1, "arriving", -1, 40_001.0)),
            *((2, "arriving", -1, 39_000.0), (-1, "arriving", -1, 0.0)),
        )
    ]
    queries: list[Any] = []

    class Own(SimpleNamespace):
        @staticmethod
        def objects_filter(**criteria: Any) -> list[Any]:
            queries.append(criteria)
            return others

    planned: Any = SimpleNamespace(slot_minutes=1, treatment_of=lambda slot: f"t{slot}")
    monkeypatch.setattr(treatments, "planned_of", lambda subsession: subsession)
    monkeypatch.setattr(treatments, "clock", SimpleNamespace(wall_ms=lambda: 100_000))
    person = Own(treatment="", subsession=planned, subsession_id=3, slot=-1, assigned_ms=0.0)
    for _ in range(2):  # for good
        treatments.assign(person)
    assert (person.slot, person.assigned_ms, person.treatment) == (2, 100_000.0, "t2")
    assert queries == [{"subsession_id": 3}]
    without = Own(treatment="", subsession=None, slot=-1)
    treatments.assign(without)
    assert (without.slot, without.treatment) == (-1, "")
