"""Faults made by changing a group's journal, replaying it with this project's code, and rewriting
all of the group's tables, so all tables agree."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from mixed_company.table.answers import Recalled
from mixed_company.table.export import columns
from mixed_company.table.export.played import ROWS, Played, credited
from mixed_company.table.journal import Entry
from mixed_company.table.options import Options
from mixed_company.table.rebuilding import following, opened
from mixed_company.table.setup import Setup
from tests.analysis.audit.faults import Rows
from tests.analysis.audit.people import as_texts, remake_people
from tests.analysis.audit.planting import Fault, Manifest, Plant, Tables, records
from tests.analysis.audit.tables import _paid

__all__ = ["faults"]

KIND = "the journal, replayed"
PLACE = ("s", "1")
"""Session and number of the group whose journal is changed."""

Change = Callable[[list[Entry]], list[Entry]]


def faults(_good: Tables) -> Iterator[Fault]:
    """Yield faults for an export in which people leave and bots talk."""
    yield Fault(KIND, "another seed of the play", "", _replayed(_other_seed))
    failed = "a bot's decision, with an invented failure of its policy"
    yield Fault(KIND, failed, "", _replayed(_failed_decision))
    silent = "a bot's message replaced by a failure of its policy"
    yield Fault(KIND, silent, "messages: of bots", _replayed(_failed_message))
    person = "a person's decision and everything that follows"
    yield Fault(KIND, person, "actions", _replayed(_person_decided))
    yield Fault(KIND, "the end cut off", "groups: cut", _replayed(_cut))


# -- changes to a journal -------------------------------------------------------------------------


def _other_seed(journal: list[Entry]) -> list[Entry]:
    return [{**journal[0], "seed": journal[0]["seed"] + 1}, *journal[1:]]


def _first(journal: list[Entry], kind: str, of_bot: bool) -> int:
    """Return the position of the first entry of a kind, with or without a page id."""
    return next(
        place
        for place, entry in enumerate(journal)
        if entry["kind"] == kind and ("id" in entry) != of_bot
    )


def _failure(entry: Entry, event: str, seat: int) -> Entry:
    about = {"period": entry["period"], "event": event, "seat": seat, "detail": "too slow"}
    return {"kind": "event", "at_ms": entry["at_ms"], **about}


def _failed_decision(journal: list[Entry]) -> list[Entry]:
    place = _first(journal, "period", of_bot=True)
    seats = journal[place]["seats"]
    seat = next(number for number, decided in enumerate(seats) if decided["by"] == "policy")
    seats[seat]["action"] = dict.fromkeys(seats[seat]["action"], 7.0)
    return [*journal[:place], _failure(journal[place], "policy_fault", seat), *journal[place:]]


def _failed_message(journal: list[Entry]) -> list[Entry]:
    place = _first(journal, "message", of_bot=True)
    entry = journal[place]
    return [*journal[:place], _failure(entry, "talk_fault", entry["seat"]), *journal[place + 1 :]]


def _person_decided(journal: list[Entry]) -> list[Entry]:
    journal[_first(journal, "act", of_bot=False)]["action"]["harvest"] = 0.0
    return journal


def _cut(journal: list[Entry]) -> list[Entry]:
    return journal[: _first(journal, "period", of_bot=True) + 1]


# -- rewritten tables -----------------------------------------------------------------------------


def _replayed(change: Change) -> Plant:
    """Return a fault that changes a group's journal and rewrites its tables."""

    def plant(tables: Tables, _manifest: Manifest) -> None:
        config = next(filter(_is_here, records(tables["config"])))
        journal = change([_entry(row) for row in records(tables["journal"]) if _is_here(row)])
        options = Options.model_validate_json(config["options"])
        setup = Setup(config=json.loads(config["config"]), options=options)
        table = opened(setup, journal)
        for _ in following(table, journal, Recalled(journal)):
            pass
        seats = filter(_is_here, records(tables["seats"]))
        codes = {int(row["seat"]): row["participant"] for row in seats if row["participant"]}
        base = {name: config[name] for name in ("session", "group", "treatment", "group_id")}
        log = json.loads(json.dumps(table.rows))
        played = Played(base, setup, log, codes, lambda at_ms: at_ms + 250)
        for name in tables.keys() & ROWS.keys():
            _write(tables[name], _texts(played, name, tables[name][0]))
        head = tables["outcomes"][0]
        for row in tables["outcomes"][1:]:
            person = dict(zip(head, row, strict=True))
            if _is_here(person):
                seat = int(person["seat"])
                values = {**credited(played, seat), **_paid(table, seat)}
                values |= {"status": table.status(seat)}
                for column in values.keys() & {*head}:
                    row[head.index(column)] = str(values[column])
        remake_people(tables)

    return plant


def _is_here(row: dict[str, str]) -> bool:
    return (row["session"], row["group"]) == PLACE


def _entry(row: dict[str, str]) -> Entry:
    return {"kind": row["kind"], "at_ms": int(row["at_ms"]), **json.loads(row["entry"])}


def _texts(played: Played, name: str, head: list[str]) -> Rows:
    """Return a table's rows as strings, with the columns of this header."""
    rows = as_texts(columns(name, played.setup.game), ROWS[name](played))
    return [[line.get(column, "") for column in head] for line in records(rows)]


def _write(rows: Rows, again: Rows) -> None:
    """Replace the group's rows with these."""
    head = rows[0]
    here = [
        number
        for number, row in enumerate(rows)
        if number and _is_here(dict(zip(head, row, strict=True)))
    ]
    rows[here[0] : here[-1] + 1] = again
