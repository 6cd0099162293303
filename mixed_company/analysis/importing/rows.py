"""The rows of an imported play. The import writes them, and the audit expects the same rows.

A person has each seat from the first period to the last, decides in every period, and finishes.
Nobody writes, drops out or sees a page. A table has thinking times for all decisions or for none,
and no other times.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mixed_company.engine.game import Game
from mixed_company.engine.play.period import Decision, Period
from mixed_company.table.export import Row, tables
from mixed_company.table.export.played import ROWS, Played, answer_rows, credited
from mixed_company.table.items import Item
from mixed_company.table.journal import Entry
from mixed_company.table.options import Options
from mixed_company.table.seating import Occupancy, play_seed
from mixed_company.table.setup import Setup

SEED = 0
"""The seed of every imported session, because the other experiment's random draws are unknown."""
OF_GROUP = ("session", "group", "group_id", "treatment", "block")
"""Columns that all rows of a group share."""
BELIEF = "belief"
"""The question that the beliefs in a table answer."""


def belief_about(action: str) -> Item:
    """Return the question that beliefs answer."""
    return Item(
        name=BELIEF,
        text="Belief about the others' mean action (as in the imported table)",
        every=1,
        type="number",
        step=0,
        about="others_mean",
        action=action,
    )


def events_of(period: Period) -> Iterator[Entry]:
    """Yield the journal entries of a period's events."""
    for event in period.events:
        yield {"kind": "event", "at_ms": 0, "period": period.number, **event}


@dataclass(frozen=True)
class ImportedPlay:
    """A play of an imported table.

    base     values of the columns in OF_GROUP
    people   code of the person in each seat
    lines    periods as JSON values, and events as journal entries, in order
    times    thinking times in ms, by period and seat; None if the table has none
    beliefs  whether the table has beliefs
    """

    base: Row
    game: Game[Any]
    people: Sequence[str]
    lines: Sequence[Entry]
    times: Sequence[Sequence[int]] | None
    beliefs: bool

    def rows(self, name: str, matching_group: int | str) -> dict[str, list[Row]]:
        """Return the rows by table, except beliefs. `name` is the session config."""
        played = self._played()
        rows = {table: list(ROWS[table](played)) for table in tables(self.game) if table in ROWS}
        seats = range(len(self.people))
        rows["outcomes"] = [self._outcome(played, seat) for seat in seats]
        rows["config"] = [self._config(name, matching_group)]
        return {table: self._without_times(table, rows[table]) for table in rows}

    def answers(self, answered: Sequence[Entry]) -> list[Row]:
        """Return the rows of `answers` for these journal entries."""
        played = self._played(answered)
        rows = [
            {**self.base, "seat": seat, "participant": code, **row}
            for seat, code in enumerate(self.people)
            for row in answer_rows(played, seat)
        ]
        return self._without_times("answers", rows)

    @cached_property
    def _questions(self) -> tuple[Item, ...]:
        return (belief_about(self.game.declaration.actions[0].name),) if self.beliefs else ()

    @cached_property
    def _seed(self) -> int:
        return play_seed(SEED, self.base["group"])

    def _played(self, answered: Sequence[Entry] = ()) -> Played:
        config = self.game.config.model_dump(mode="json")
        setup = Setup(config=config, options=Options(questions=self._questions))
        codes = dict(enumerate(self.people))
        entries = [*self._entries(), *answered]
        return Played(self.base, setup, entries, codes, lambda at_ms: None)

    def _entries(self) -> Iterator[Entry]:
        """Yield the entries of a journal."""
        yield {"kind": "start", "at_ms": 0, "seed": self._seed}
        for seat in range(self.game.seats):
            occupancy = Occupancy(seat, "person", None, 0, "seated")
            yield {"kind": "seat", "at_ms": 0, **occupancy.to_json()}
        last: Entry = {"period": -1, "ended": None}
        for line in self.lines:
            if line.get("kind") == "event":
                yield line
            else:
                last = line
                yield {**line, **self._decided(line["period"])}
        ending = {"event": "ending", "detail": str(last["ended"])}
        yield {"kind": "event", "at_ms": 0, "period": last["period"] + 1, **ending}

    def _decided(self, period: int) -> Entry:
        """Return who decided in a period, and when."""
        times = [0] * self.game.seats if self.times is None else self.times[period]
        decisions = [Decision({}, "person", time_ms).to_json() for time_ms in times]
        entry = {"kind": "period", "at_ms": 0, "shown_ms": 0, "seats": decisions}
        if self.game.stages.several:
            later = [Decision({}, "person", 0).to_json() for _ in times]
            entry |= {"later_ms": 0, "later": later, "stage": self.game.stages.names[-1]}
        return entry

    def _outcome(self, played: Played, seat: int) -> Row:
        count = len(played.periods) if self.beliefs else ""
        return {
            **self.base,
            "seat": seat,
            "participant": self.people[seat],
            "status": "finished",
            **credited(played, seat),
            "disconnections": "",
            **dict.fromkeys(("questions_asked", "questions_answered"), count),
        }

    def _config(self, name: str, matching_group: int | str) -> Row:
        config = self.game.config
        return {
            **self.base,
            "matching_group": matching_group,
            "seed": self._seed,
            "rehearsed": False,
            "session_config": name,
            "game": config.identity.game,
            "version": config.identity.version,
            "config": json.dumps(config.model_dump(mode="json")),
            "options": json.dumps(self._options),
            "software": "{}",
        }

    @property
    def _options(self) -> Mapping[str, Any]:
        """The group's options in the export, which say that it was imported."""
        items = [item.model_dump(mode="json") for item in self._questions]
        return {"imported": True, **({"questions": items} if items else {})}

    def _without_times(self, table: str, rows: Sequence[Row]) -> list[Row]:
        """Return rows without the times that the imported table lacks."""
        timed = self.times is not None and table in ("decisions", "outcomes")
        kept = ("shown_ms", "received_ms", "reaction_ms") if timed else ()
        return [
            {
                column: "" if column.endswith("_ms") and column not in kept else value
                for column, value in row.items()
            }
            for row in rows
        ]
