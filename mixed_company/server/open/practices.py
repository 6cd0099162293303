"""Practices that are open on this server: tables that are in its memory and have no journal.

    practices.of(player)    a person's practice, started on first use
    practices.end(player)   ends the practice and returns what the person did (`Practised`)

Practice does not count, so nothing is written. After a server restart, practices start again from
the beginning, with the same seat and random numbers. If more than MOST_LEFT practices have no open
page, the oldest of them are dropped.

Bots have all other seats and answer immediately, and there is no time limit, so nobody has to wait
(`Options.in_practice`). The bots come from `practice_bots`, so they reveal nothing about the bots
in the play. Configuration, archetype, layers and roles are the same as in the session. Each
participant has a different seed, so practice reveals nothing about random events in the play. A
fixed part of the configuration, such as an `instance` in gem mining, is the same in both. Practice
ends after `practice_periods`, or when the rules end the play.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from mixed_company.engine.contract.chance import generator
from mixed_company.server.fleet import owners
from mixed_company.server.keeping.storage import Row, row_of
from mixed_company.server.keeping.writer import Batch
from mixed_company.server.open.open_table import OpenTable, Stored
from mixed_company.server.open.tables import OpenTables, tables
from mixed_company.server.play_clock import PlayClock, clock_of
from mixed_company.server.treatments import setup_of
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table

MOST_LEFT = 500
"""Maximum number of practices without an open page."""


@dataclass(frozen=True)
class Practised:
    """Record of what a person did during practice.

    periods    number of periods with a decision
    decisions  all decisions, in order: at_ms, period, action
    """

    periods: int
    decisions: Sequence[dict[str, Any]]


class _Unwritten:
    """Writer of a practice, which keeps the person's decisions while the practice is open."""

    def __init__(self) -> None:
        self.decisions: list[dict[str, Any]] = []

    def put(self, batch: Batch) -> None:
        """Keep the decisions in a batch, and report the batch as committed."""
        self.decisions.extend(_decision(row) for row in batch.rows if row.kind == "act")
        batch.saved(True)


def _decision(row: Row) -> dict[str, Any]:
    act = json.loads(row.data)
    return {"at_ms": row.at_ms, "period": act["period"], "action": act["action"]}


class Practices:
    """All practice plays that are open in this process. Callers must hold oTree's connection."""

    def __init__(self, tables: OpenTables, most_left: int = MOST_LEFT) -> None:
        self._tables, self._most_left = tables, most_left
        self._open: dict[tuple[str, int], tuple[OpenTable, _Unwritten]] = {}

    def __len__(self) -> int:
        return len(self._open)

    def of(self, player: Any) -> OpenTable:
        """Return a person's open practice. Raises ElsewhereError if another server owns it."""
        person = player.participant
        owners.check(person._session_code, person.code)
        key, setup = (player.get_folder_name(), player.id), setup_of(player)
        clock = clock_of(player.session_id)  # reads the database, which the loop must not do
        opened: OpenTable = self._tables.in_loop(
            partial(self._opened, key, setup, person.code, clock)
        )
        return opened

    def seen(self, player: Any) -> dict[str, Any]:
        """Return a person's complete view for a page."""
        opened = self.of(player)
        (seat,) = opened.table.people
        view: dict[str, Any] = self._tables.in_loop(lambda: opened.show(seat))
        return view

    def end(self, player: Any) -> Practised:
        """End a person's practice, and return the record of it."""
        opened = self.of(player)
        unwritten: _Unwritten = self._tables.in_loop(partial(self._forget, opened.key))
        (seat,) = opened.table.people
        return Practised(opened.table.seats[seat].periods, unwritten.decisions)

    def _opened(self, key: tuple[str, int], setup: Setup, code: str, clock: PlayClock) -> OpenTable:
        if key not in self._open:
            self._make_room()
            table = open_practice(setup, code, clock.now_ms())
            start = [row_of(entry) for entry in table.take_rows() if entry["kind"] == "start"]
            (seat,) = table.people
            stored = Stored(*key, table, start, {seat: key[1]}, {}, clock, 0)
            unwritten = _Unwritten()
            self._open[key] = self._tables.opened(stored, unwritten), unwritten
        return self._open[key][0]

    def _make_room(self) -> None:
        """Drop the oldest practices that have no open page."""
        left = [
            key for key, (opened, _) in self._open.items() if not any(opened.listeners.values())
        ]
        for key in left[: max(0, len(left) + 1 - self._most_left)]:
            self._forget(key)

    def _forget(self, key: tuple[str, int]) -> _Unwritten:
        opened, unwritten = self._open.pop(key)
        opened.close()
        opened.gone = True  # a page that is still open looks up its table again
        return unwritten


practices = Practices(tables)


def practice_seed(code: str) -> int:
    """Return the practice seed for the participant with this code, below 2**53."""
    return int(generator(0, f"practice of {code}").integers(2**53))


def practice_seat(setup: Setup, code: str) -> int:
    """Draw the practice seat from the seats that people may have in the play.

    It does not depend on the person's seat in the play.
    """
    first = setup.options.people_seats == "first"
    seats = setup.options.people_per_group if first else setup.game.seats
    return int(generator(0, f"seat in practice of {code}").integers(seats))


def open_practice(setup: Setup, code: str, now: int) -> Table:
    """Return a new practice table for the participant with this code."""
    seat = practice_seat(setup, code)
    table = Table.open(setup.practice, [seat], practice_seed(code), now)
    table.most_periods = setup.options.practice_periods
    table.hear(seat, now)
    return table
