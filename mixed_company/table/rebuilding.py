"""A table built anew from its setup and its journal, after a crash or where nobody has it open.

A snapshot (`Table.to_json`) says how many entries of the journal it holds, and saves going through
these again. It is never needed: without one, the play begins where the journal does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from mixed_company.engine.contract.errors import LogError
from mixed_company.policies.policy import Answer
from mixed_company.table.answers import Recalled
from mixed_company.table.directives import Directive
from mixed_company.table.journal import LATE, Entry
from mixed_company.table.protocol import Message
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from mixed_company.table.talk.talking import message_of
from mixed_company.table.writing import log_sightings

__all__ = ["following", "opened", "rebuilt"]


def rebuilt(
    setup: Setup, journal: Sequence[Entry], snapshot: str = "", apart: bool = False
) -> Table:
    """Return the table that wrote these entries; with a snapshot, `journal` is what follows on it.

    `apart`: from there on a policy that could keep others waiting is asked by whoever keeps it.

    What is due by the time of the last entry has happened; of that, `rows` holds what the journal
    lacks. Raises LogError where the journal is not what its setup, seed and decisions give.
    """
    table = Table.from_json(setup, snapshot) if snapshot else opened(setup, journal)
    table.apart = apart
    for _ in following(table, journal, Recalled(journal)):
        pass
    first = table.entries - len(table.rows)
    for number, (entry, again) in enumerate(zip(journal, table.rows, strict=False), first):
        if json.loads(json.dumps(again)) != entry:
            raise LogError(f"entry {number} of the journal is {entry}, its play gives {again}")
    if len(table.rows) < len(journal):
        raise LogError(f"journal: ends after entry {table.entries}, its play does not give more")
    del table.rows[: len(journal)]
    return table


def following(table: Table, journal: Iterable[Entry], recalled: Recalled) -> Iterator[Entry]:
    """Let the table follow what a journal tells, and yield each entry once it has taken place.

    What the table then writes is in its `rows`; whether that is the journal, nobody has looked at.
    """
    table.recalled = recalled
    for entry in journal:
        _follow(table, entry)
        yield entry
    table.recalled = None


def opened(setup: Setup, journal: Sequence[Entry]) -> Table:
    """Return the table as it was opened: its people stand at the beginning of the journal.

    Raises LogError where they do not.
    """
    if not journal or journal[0]["kind"] != "start":
        raise LogError("journal: does not begin with the start of a play")
    start, seated = journal[0], journal[1 : setup.game.seats + 1]
    people = [entry["seat"] for entry in seated if entry.get("occupant") == "person"]
    return Table.open(setup, people, start["seed"], start["at_ms"])


def _follow(table: Table, entry: Entry) -> None:
    """What the entry tells of took place."""
    time_ms = entry["at_ms"]
    if entry["kind"] == "act":
        message = Message("act", entry["id"], entry["period"], entry["action"])
        table.act(entry["seat"], message, time_ms)
    elif entry["kind"] == "answered":
        about = {"question": entry["question"], "value": entry["value"]}
        table.reply(entry["seat"], Message("answer", entry["id"], entry["period"], **about), time_ms)
    elif entry["kind"] == "choose":
        message = Message("choose", entry["id"], rule=entry["rule"])
        table.choose(entry["seat"], message, time_ms)
    elif entry["kind"] == "heard":
        table.hear(entry["seat"], time_ms)
    elif entry["kind"] == "line":
        table.time_line(entry["seat"], entry["round_trip_ms"], time_ms)
    elif entry["kind"] == "answer":
        answer = Answer(entry["action"], entry["memory"], entry["fault"])
        table.answered(entry["seat"], entry["period"], answer, time_ms, entry.get("id"))
    elif entry["kind"] == "back":
        table.back(entry["seat"], Message("back", entry["id"]), time_ms)
    elif entry["kind"] in ("report", "done") or (entry["kind"] == "message" and "id" in entry):
        table.say(entry["seat"], message_of(entry), time_ms)
    elif entry["kind"] == "manager":
        table.manage(Directive.from_json(entry), time_ms)
    elif entry["kind"] == "event" and entry["event"] == LATE:
        table.note_late(entry["late_s"], entry["stood_s"], entry["for_s"], time_ms)
    elif entry["kind"] == "seen":
        for seat, seen in entry["seats"]:
            table.seats[seat].last_seen_ms = seen
            table.sighted.add(seat)
        log_sightings(table)
    else:
        table.advance(time_ms)
