"""Rebuilding a table from its setup and its journal, after a crash or after it has been closed.

A snapshot (`Table.to_json`) records how many journal entries it includes, so these need not be
replayed. It is optional: without one, the replay starts with the first entry.
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


def rebuilt(
    setup: Setup, journal: Sequence[Entry], snapshot: str = "", apart: bool = False
) -> Table:
    """Return the table that wrote these entries; with a snapshot, pass only the entries after it.

    With `apart`, policies that could delay others are asked by the table's host once the journal
    ends.

    Everything due by the time of the last entry is settled; `rows` holds the resulting entries that
    the journal lacks. Raises LogError if the setup, seed and decisions do not reproduce the
    journal.
    """
    table = Table.from_json(setup, snapshot) if snapshot else opened(setup, journal)
    table.apart = apart
    for _ in following(table, journal, Recalled(journal)):
        pass
    first = table.entries - len(table.rows)
    for number, (entry, replayed) in enumerate(zip(journal, table.rows, strict=False), first):
        if json.loads(json.dumps(replayed)) != entry:
            raise LogError(
                f"entry {number} of the journal is {entry}, but in the replay it is {replayed}"
            )
    if len(table.rows) < len(journal):
        raise LogError(f"journal: more entries than in the replay, which ends at {table.entries}")
    del table.rows[: len(journal)]
    return table


def following(table: Table, journal: Iterable[Entry], recalled: Recalled) -> Iterator[Entry]:
    """Replay a journal on the table, and yield each entry after it has taken effect.

    The table collects its own entries in `rows`. They are not compared with the journal.
    """
    table.recalled = recalled
    for entry in journal:
        _follow(table, entry)
        yield entry
    table.recalled = None


def opened(setup: Setup, journal: Sequence[Entry]) -> Table:
    """Return the table as it was opened, with the people named at the start of the journal.

    Raises LogError if the journal does not begin with a start.
    """
    if not journal or journal[0]["kind"] != "start":
        raise LogError("journal: should begin with the start of a play")
    start, seated = journal[0], journal[1 : setup.game.seats + 1]
    people = [entry["seat"] for entry in seated if entry.get("occupant") == "person"]
    return Table.open(setup, people, start["seed"], start["at_ms"])


def _follow(table: Table, entry: Entry) -> None:
    """Replay one entry on the table."""
    time_ms = entry["at_ms"]
    if entry["kind"] == "act":
        message = Message("act", entry["id"], entry["period"], entry["action"])
        table.act(entry["seat"], message, time_ms)
    elif entry["kind"] == "answered":
        about = {"question": entry["question"], "value": entry["value"]}
        table.reply(
            entry["seat"], Message("answer", entry["id"], entry["period"], **about), time_ms
        )
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
