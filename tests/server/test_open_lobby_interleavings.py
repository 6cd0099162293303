"""Open lobby, its pages, the writer and the database under any interleaving of events. People come,
reload, fall silent, close the page and leave; a manager acts; commits take time; and the server is
killed in between.

The database is a real one in memory. Commits are delayed, and a kill loses the unfinished ones.
These rules hold no matter what happens, in any order:

1. A person arrives, waits, and is then seated, released, left or excluded for good. A seat is never
   taken back or given twice, and a waiting person keeps the time of arrival.
2. A group exists whole or not at all: with its table and all its people, each in a different
   seat. Where promises end with bots, it may have fewer people. The numbers of groups have no gaps.
3. A page gets only information that is in the database, so a kill never makes it wrong.
4. The database rejects nothing that the lobby writes, because the two always agree.
5. A person who leaves with the button or is sent home by the manager is in no group after that. If
   there was already a group, the page only says that it is too late.
6. Whatever happened before, a person who comes back and stays gets a seat, or is released, within
   the longest promised wait.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as some
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from hypothesis.stateful import run_state_machine_as_test as run

from mixed_company.server import clock
from mixed_company.server.keeping.writer import AnyBatch
from mixed_company.server.open.lobbies import Lobbies
from mixed_company.server.open.open_lobby import OpenLobby
from mixed_company.server.play_clock import RETURN_MS
from mixed_company.table.protocol import Message
from tests.server.inside import Session, inside
from tests.server.test_open_table import Alarm

__all__ = ["inside"]  # a fixture

SECOND = 1000
PEOPLE, SIZE, PROMISE = 7, 2, 30 * SECOND
WAITS = (0, 1, 700, 4 * SECOND, 7 * SECOND + 1, PROMISE)
SEATED, PARTED = "seated", ("released", "left", "excluded")
NOW = [1_800_000_000_000]
"""Time on the clock, which moves only where a rule lets time pass."""

AFTER = {"arriving": {"waiting", *PARTED, SEATED}, "waiting": {SEATED, *PARTED}}
"""For each status, the statuses that may follow. A person who has finished keeps the status."""


class Page:
    """Page in the lobby, which compares its messages with the database (3)."""

    def __init__(self, status: Callable[[], str]) -> None:
        self._status = status
        self.phase = ""

    def tell(self, text: str) -> None:
        payload = json.loads(text)["live_method_payload"]
        if payload["kind"] == "view":
            self.phase = payload["phase"]
            now = self._status()
            assert now == self.phase or (self.phase == "waiting" and now != "arriving")


class Held:
    """Writer that commits when told to, and loop that runs everything at once, without threads."""

    def __init__(self) -> None:
        from otree import database

        from mixed_company.server.keeping import saving

        self._commit = saving._Connection(database.engine).commit
        self.waiting: list[AnyBatch] = []
        self.alarms: list[Alarm] = []

    @property
    def writer(self) -> Held:
        return self

    def put(self, batch: AnyBatch) -> None:
        self.waiting.append(batch)

    def save(self, count: int, reported: bool = True, in_doubt: bool = False) -> None:
        """Commit the first `count` waiting batches in one transaction, twice if in doubt (4).

        If not `reported`, the server was killed right after the commit.
        """
        some, self.waiting = self.waiting[:count], self.waiting[count:]
        for again in (False, True)[: 1 + in_doubt]:
            assert self._commit(some, again) == []
        for batch in some if reported else ():
            batch.saved(True)

    def after(self, ms: int, function: Callable[[], None]) -> Alarm:
        self.alarms.append(Alarm(NOW[0] + ms, function))
        return self.alarms[-1]

    def ring(self) -> None:
        """Ring all alarms that are due."""
        for alarm in [alarm for alarm in self.alarms if not alarm.over and alarm.at_ms <= NOW[0]]:
            if not alarm.over:
                alarm.ring()

    def in_loop(self, function: Callable[[], Any]) -> Any:
        return function()

    def committed(self, _opened: OpenLobby, act: Callable[[], object]) -> None:
        act()


class OpenLobbyInterleaved(RuleBasedStateMachine):
    """One session, its people and their pages, and the server that serves them now."""

    @initialize(outcome=some.sampled_from(("bots", "extend", "release")))
    def open(self, outcome: str) -> None:
        options = {"people_per_group": SIZE, "lobby_seconds": PROMISE / SECOND, "quiz": False}
        session = Session("commons", PEOPLE, lobby_outcome=outcome, dropout="bot", **options)
        self.outcome = outcome
        self.players = {person.code: person.player().id for person in session.people}
        self.codes = list(self.players)
        self.stood: dict[str, tuple[Any, ...]] = {}
        self.refused: set[str] = set()
        self.begin()

    def begin(self) -> None:
        """Start a server with empty memory."""
        self.held = Held()
        self.lobbies = Lobbies(self.held)
        self.pages: dict[str, tuple[OpenLobby, Page]] = {}

    # -- the database ---------------------------------------------------------------------

    def player(self, code: str) -> Any:
        """Load a player as a request does."""
        from otree import database

        from commons_game import Player

        database.db.new_session()
        return Player.objects_get(id=self.players[code])

    def looked(self, query: str, *parameters: Any) -> list[tuple[Any, ...]]:
        from otree import database

        rows: list[tuple[Any, ...]] = database.sqlite_mem_conn.execute(query, parameters).fetchall()
        return rows

    def standing(self, code: str) -> tuple[Any, ...]:
        columns = "status, arrived_ms, group_id, seat, id_in_group"
        query = f"SELECT {columns} FROM commons_game_player WHERE id = ?"
        return self.looked(query, self.players[code])[0]

    def status(self, code: str) -> str:
        return str(self.standing(code)[0])

    # -- events ---------------------------------------------------------------------------

    @rule(which=some.sampled_from(range(PEOPLE)), wait=some.sampled_from(WAITS[:3]))
    def somebody_comes_or_reloads(self, which: int, wait: int) -> None:
        self.pass_time(wait)
        self.come(self.codes[which])

    @rule(wait=some.sampled_from(WAITS[:5]))
    def pages_say_that_they_are_there(self, wait: int) -> None:
        self.pass_time(wait)
        for code in list(self.pages):
            self.say(code, "alive")

    @rule(which=some.sampled_from(range(PEOPLE)), kind=some.sampled_from(("alive", "act", "tick")))
    def a_page_says_something(self, which: int, kind: str) -> None:
        if self.codes[which] in self.pages:
            self.say(self.codes[which], kind)

    @rule(which=some.sampled_from(range(PEOPLE)))
    def a_page_is_closed(self, which: int) -> None:
        self.close(self.codes[which])

    @rule(which=some.sampled_from(range(PEOPLE)))
    def somebody_goes_by_the_button(self, which: int) -> None:
        code = self.codes[which]
        if self.status(code) in AFTER:
            self.lobbies.part(self.player(code))

    @rule(
        which=some.sampled_from(range(PEOPLE)),
        how=some.sampled_from(("released", "excluded", "hurried", "written to")),
    )
    def the_manager_acts(self, which: int, how: str) -> None:
        code = self.codes[which]
        if self.status(code) not in AFTER:
            return
        player = self.player(code)
        if how == "hurried":
            self.lobbies.hurry(player)
        elif how == "written to":
            self.lobbies.of(player).write(player.id, {"id": "m", "text": "Soon."}, "[]")
        else:
            self.lobbies.of(player).release(player.id, "[]", how)

    @rule(count=some.integers(1, 3), in_doubt=some.booleans())
    def something_is_committed(self, count: int, in_doubt: bool) -> None:
        self.held.save(count, in_doubt=in_doubt)

    @rule()
    def all_is_committed(self) -> None:
        self.held.save(len(self.held.waiting))

    @rule(wait=some.sampled_from(WAITS), rings=some.booleans())
    def time_passes(self, wait: int, rings: bool) -> None:
        self.pass_time(wait, rings)

    @rule(committed=some.integers(0, 2), wait=some.sampled_from(WAITS))
    def the_server_is_killed_and_starts_again(self, committed: int, wait: int) -> None:
        self.held.save(committed, reported=False)
        self.begin()
        self.pass_time(wait)

    # -- actions --------------------------------------------------------------------------

    def pass_time(self, wait: int, rings: bool = True) -> None:
        NOW[0] += wait
        if rings:
            self.held.ring()

    def come(self, code: str) -> None:
        """Connect a page of the lobby, if oTree would show it."""
        self.close(code)
        player = self.player(code)
        if player.status in AFTER:
            room, page = self.lobbies.enter(player), Page(lambda: self.status(code))
            room.sit(player.id, page)
            self.pages[code] = room, page
            room.take(player.id, Message("sync"))

    def say(self, code: str, kind: str) -> None:
        """Send a message as a socket does. If its lobby is reloaded, the page reconnects."""
        room, page = self.pages[code]
        if page.phase not in ("", "waiting"):
            del self.pages[code]  # it goes on to the next page
            room.leave(self.players[code], page)
        elif room.gone:
            self.come(code)
        else:
            room.take(self.players[code], Message(kind, "m", 0, {}))

    def close(self, code: str) -> None:
        if code in self.pages:
            room, page = self.pages.pop(code)
            room.leave(self.players[code], page)

    # -- invariants -----------------------------------------------------------------------

    @invariant()
    def people_go_on_and_never_back(self) -> None:
        """Check rule 1."""
        if not hasattr(self, "held"):
            return
        for code in self.codes:
            now = self.standing(code)
            before = self.stood.get(code, now)
            if now[0] != before[0]:
                assert now[0] in AFTER.get(before[0], set()), (before, now)
            elif before[0] != "arriving":
                assert now == before
            if before[0] == "waiting":
                assert now[1] == before[1]
            self.stood[code] = now

    @invariant()
    def groups_are_whole(self) -> None:
        """Check rule 2."""
        if not hasattr(self, "held"):
            return
        session = self.player(self.codes[0]).session_id
        groups = "FROM commons_game_group WHERE session_id = ? AND id_in_subsession > 1"
        formed = dict(self.looked(f"SELECT id, id_in_subsession {groups}", session))
        assert sorted(formed.values()) == list(range(2, 2 + len(formed)))
        [(count,)] = self.looked(
            "SELECT groups_formed FROM commons_game_subsession WHERE session_id = ?", session
        )
        assert count == len(formed)
        seats: dict[int, list[int]] = {group: [] for group in formed}
        for code in self.codes:
            status, _, group, seat, _ = self.standing(code)
            assert (status == SEATED) == (group in formed)
            if status == SEATED:
                seats[group].append(seat)
        for group, taken in seats.items():
            assert len(set(taken)) == len(taken)
            assert 1 <= len(taken) <= SIZE
            assert len(taken) == SIZE or self.outcome != "release"
            began = "FROM commons_game_log WHERE kind = 'start' AND group_id = ?"
            assert self.looked(f"SELECT count(*) {began}", group) == [(1,)]

    def teardown(self) -> None:
        """Check rule 6."""
        if not hasattr(self, "held"):
            return
        rounds, back = 2 if self.outcome == "extend" else 1, NOW[0] + RETURN_MS
        while {self.status(code) for code in self.codes} & set(AFTER):
            for code in self.codes:
                if code not in self.pages:
                    self.come(code)
            for code in list(self.pages):
                self.say(code, "alive")
            self.pass_time(3 * SECOND)
            self.held.save(len(self.held.waiting))
            self.people_go_on_and_never_back()
            for status, came, *_ in map(self.standing, self.codes):
                assert status != "arriving"
                assert status != "waiting" or NOW[0] < max(came + rounds * PROMISE, back)
        self.groups_are_whole()


@pytest.mark.parametrize("examples", [6, pytest.param(25, marks=pytest.mark.long)])
def test_the_rules_of_a_lobby_hold_in_any_order(inside, examples, monkeypatch):
    monkeypatch.setattr(clock, "now_ms", lambda: NOW[0])
    steps = settings(
        max_examples=examples,
        stateful_step_count=40,
        derandomize=True,
        deadline=None,
        phases=[Phase.generate],  # finding the simplest example takes minutes
    )
    run(OpenLobbyInterleaved, settings=steps)
