"""Catalogue of faults that can be planted in an export, by kind. `verdicts` tries them all.

Planting a fault also recomputes row counts, sha256 and the chain. The seal cannot be recomputed
without the key.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from mixed_company.table.export.participants import PARTICIPANTS
from tests.analysis.audit import copied, imports, points, rehearsed, replaying
from tests.analysis.audit.classes import classes
from tests.analysis.audit.faults import Rows, contents_of
from tests.analysis.audit.forged import forged
from tests.analysis.audit.people import remake_people, with_people
from tests.analysis.audit.planting import (
    KEY,
    Fault,
    Manifest,
    Plant,
    Tables,
    about_of,
    change_value,
    of_sessions,
    packed,
    remake_iso,
    tables_of,
)
from tests.analysis.audit.tables import exported, play, setup

__all__ = ["catalogue"]

GAME = "commons_game"


def export(folder: Path) -> Path:
    """Save an export of two sessions with two groups each: people leave and return, and bots
    talk."""
    settings = setup(
        grace_seconds=10.0,
        decision_seconds=5.0,
        periods=4,
        bots="promises_and_keeps,greedy",
        talk="free",
        talk_seconds=10.0,
        people_per_group=2,
    )
    parts = [
        exported(settings, [play(settings, 2, n, silent) for n in (1, 2)], session)
        for session, silent in (("s", 0.1), ("t", 0.12))
    ]
    path = folder / "good.zip"
    files, manifest = of_sessions(path, parts, groups=2)
    manifest |= {"rehearsed": {"people": ["random"], "seed": settings.config["identity"]["seed"]}}
    tables = tables_of(files, manifest)
    _change_column("config", "rehearsed", lambda _: "1")(tables, manifest)
    return with_people(packed(path, files, tables, manifest), KEY)


# -- the faults -----------------------------------------------------------------------------------


def _change_column(table: str, column: str, value: Callable[[str], str]) -> Plant:
    """Return a fault that changes the column in all rows of a table."""

    def plant(tables: Tables, _manifest: Manifest) -> None:
        index = tables[table][0].index(column)
        for row in tables[table][1:]:
            row[index] = value(row[index])
            remake_iso(tables[table][0], row, column)

    return plant


def _json(column: str, *path: str) -> Plant:
    """Return a fault that changes one key of the configuration or options in the same way in all
    groups.
    """

    def changed(text: str) -> str:
        whole = json.loads(text)
        place = whole
        for name in path[:-1]:
            place = place[name]
        place[path[-1]] = _other_value(place[path[-1]])
        return json.dumps(whole)

    return _change_column("config", column, changed)


def _other_value(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return f"{value}x"
    return [*value, "x"] if isinstance(value, list) else {"x": 1}


def _without(session: str, group: str | None = None) -> Plant:
    """Return a fault that removes a group, or a whole session, from the tables and the manifest."""

    def plant(tables: Tables, manifest: Manifest) -> None:
        for table, rows in tables.items():
            if table == PARTICIPANTS:
                continue
            sessions, numbers = rows[0].index("session"), rows[0].index("group")
            gone = [
                row
                for row in rows[1:]
                if row[sessions] == session and group in (None, row[numbers])
            ]
            rows[:] = [row for row in rows if row not in gone]
        remake_people(tables)
        if group is None:
            manifest["sessions"].pop(session)
            manifest["created"].remove(session)
        else:
            own_session = manifest["sessions"][session]
            own_session["groups"][GAME] -= 1
            own_session["participants"] -= 2

    return plant


def _columns(good: Tables) -> Iterator[Fault]:
    for table, rows in good.items():
        for column in rows[0]:
            about = about_of(table, column)
            yield Fault(
                f"a value in {table}",
                column,
                about,
                change_value(table, column, 1 + len(rows) // 2),
            )


_ORDER = ("outcomes", "participants")


def _rows(good: Tables) -> Iterator[Fault]:
    changes: dict[str, Callable[[Rows], None]] = {
        "left out": lambda rows: rows.__delitem__(2),
        "the last left out": lambda rows: rows.__delitem__(-1),
        "doubled": lambda rows: rows.insert(2, list(rows[2])),
        "two swapped": lambda rows: rows.__setitem__(slice(2, 4), [rows[3], rows[2]]),
    }
    for table in good:
        for name, change in changes.items():
            in_order = table in _ORDER and name == "two swapped"
            about = f"{table}: order" if in_order else f"{table}: {name}"
            yield Fault("rows", f"{table}: {name}", about, lambda t, _m, x=table, y=change: y(t[x]))


def _of_occupants(good: Tables) -> Iterator[Fault]:
    kind = "bots and people"
    for old, new in (
        ("greedy", "sustainable"),
        ("greedy", "steward"),
        ("promises_and_keeps", "promises_and_breaks"),
        ("promises_and_keeps", "steward"),
    ):
        yield Fault(kind, f"{old} renamed {new} in all tables", "", _renamed(old, new))
    yield Fault(
        kind, "a bot renamed to one that nobody has", "policies", _renamed("greedy", "my_own")
    )
    yield Fault(kind, "a person given out as a bot", "", _swapped("person", "policy", "greedy"))
    yield Fault(kind, "a bot given out as a person", "people", _swapped("policy", "person", ""))
    yield Fault(kind, "a bot's number, cut to the same", "", _bot_sent)


def _renamed(old: str, new: str) -> Plant:
    def rename(tables: Tables, _manifest: Manifest) -> None:
        for rows in tables.values():
            rows[1:] = [[value.replace(old, new) for value in row] for row in rows[1:]]

    return rename


def _bot_sent(tables: Tables, _manifest: Manifest) -> None:
    rows = tables["decisions"]
    by, sent = rows[0].index("decided_by"), rows[0].index("sent_harvest")
    next(row for row in rows[1:] if row[by] == "policy")[sent] = "9999.0"


def _swapped(old: str, new: str, policy: str) -> Plant:
    """Return a fault that changes the kind of occupant in a seat of group 1 of session s."""

    def plant(tables: Tables, manifest: Manifest) -> None:
        head, *seats = tables["seats"]
        col = {name: head.index(name) for name in head}
        seat_rows = [row for row in seats if (row[col["session"]], row[col["group"]]) == ("s", "1")]
        counts = Counter(row[col["seat"]] for row in seat_rows)
        seat = next(
            row[col["seat"]]
            for row in seat_rows
            if row[col["occupant"]] == old and (old == "person" or counts[row[col["seat"]]] == 1)
        )
        code = "s-1-9" if new == "person" else ""
        for table in ("decisions", "seats"):
            names = {name: index for index, name in enumerate(tables[table][0])}
            for row in tables[table][1:]:
                key = (row[names["session"]], row[names["group"]], row[names["seat"]])
                if key == ("s", "1", seat):
                    row[names["participant"]] = code
                    if row[names["occupant"]] == old:
                        row[names["occupant"]], row[names["policy_id"]] = new, policy
                        if table == "decisions":
                            row[names["decided_by"]] = new
                            row[names["delay_ms"]] = "" if new == "person" else "2000"
        people = tables["outcomes"]
        names = {name: index for index, name in enumerate(people[0])}
        if new == "policy":
            people[:] = [
                row
                for row in people
                if (row[names["session"]], row[names["group"]], row[names["seat"]])
                != ("s", "1", seat)
            ]
        else:
            people.append(_person(tables, people, seat, code))
        remake_people(tables)
        manifest["sessions"]["s"]["participants"] += 1 if new == "person" else -1

    return plant


def _person(tables: Tables, people: Rows, seat: str, code: str) -> list[str]:
    """Return a row of `outcomes` that credits an invented person with the points of a bot's
    seat."""
    names = {name: index for index, name in enumerate(people[0])}
    row = list(people[1])
    decisions = tables["decisions"]
    col = {name: index for index, name in enumerate(decisions[0])}
    earned = sum(
        float(decision[col["reward"]])
        for decision in decisions[1:]
        if (decision[col["session"]], decision[col["group"]], decision[col["seat"]])
        == ("s", "1", seat)
    )
    values = {"seat": seat, "participant": code, "points": earned, "seat_points": earned}
    values |= {"paid_points": max(earned, 0.0), "bot_share": 0.0, "status": "finished"}
    for name, value in values.items():
        row[names[name]] = str(value)
    for name in names:
        if name.startswith("pay_") or name in ("waited_ms", "reaction_ms"):
            row[names[name]] = ""
    return row


def _defined(good: Tables) -> Iterator[Fault]:
    """Yield faults in a treatment's definition that are the same in all groups."""
    head, first = good["config"][0], good["config"][1]
    config, options = (json.loads(first[head.index(name)]) for name in ("config", "options"))
    for key in config["core"]:
        yield Fault("the rules of all groups", key, "config.config", _json("config", "core", key))
    for key in config["identity"]:
        yield Fault(
            "the rules of all groups", key, "config.config", _json("config", "identity", key)
        )
    for key in options:
        yield Fault("the options of all groups", key, "config.options", _json("options", key))
    everywhere = _renamed("lab", "commons_lab")
    yield Fault("treatments", "the session config renamed", "config.session_config", everywhere)
    yield Fault(
        "treatments", "of one group another", "", change_value("config", "treatment", 1, "other")
    )

    yield Fault("treatments", "a higher fee in all tables", "terms", _paid_more)

    def not_rehearsed(tables: Tables, manifest: Manifest) -> None:
        manifest.pop("rehearsed")
        _change_column("config", "rehearsed", lambda _: "0")(tables, manifest)

    yield Fault("treatments", "`rehearsed` removed from the manifest", "", _manifest("rehearsed"))
    yield Fault("treatments", "`rehearsed` removed everywhere", "rehearsed", not_rehearsed)


def _paid_more(tables: Tables, manifest: Manifest) -> None:
    """Add 1 to the fee of all groups, and to everyone's payment."""
    for table, column in (
        ("config", "participation_fee"),
        *(("outcomes", column) for column in ("pay_fee", "payment")),
    ):
        _change_column(table, column, lambda text: str(float(text) + 1) if text else text)(
            tables, manifest
        )
    remake_people(tables)


def _manifest(key: str, value: Any = None) -> Plant:
    def plant(_tables: Tables, manifest: Manifest) -> None:
        if value is None:
            manifest.pop(key)
        else:
            manifest[key] = value

    return plant


def _left_out(_good: Tables) -> Iterator[Fault]:
    kind = "groups and sessions"
    yield Fault(kind, "the first group left out", "", _without("s", "1"))
    yield Fault(kind, "the last group left out", "groups", _without("s", "2"))
    yield Fault(kind, "a session left out", "sessions", _without("t"))

    def tables_alone(tables: Tables, manifest: Manifest) -> None:
        kept = json.loads(json.dumps(manifest))
        _without("s", "2")(tables, manifest)
        manifest.clear()
        manifest.update(kept)

    yield Fault(kind, "a group left out of the tables alone", "", tables_alone)


def _shifted(_good: Tables) -> Iterator[Fault]:
    kind = "the clock"

    def later(text: str) -> str:
        return str(int(text) + 3_600_000) if text else text

    def all_times(tables: Tables, manifest: Manifest) -> None:
        for table, rows in tables.items():
            for column in rows[0]:
                if column in _TIMES:
                    _change_column(table, column, later)(tables, manifest)
        _change_column("journal", "entry", _later_inside)(tables, manifest)
        remake_people(tables)

    for table in ("decisions", "periods", "seats", "events", "messages", "journal"):
        column = "shown_ms" if table in ("decisions", "periods") else "at_ms"
        yield Fault(kind, f"{table} an hour later", "", _change_column(table, column, later))
    yield Fault(kind, "everything an hour later", "times", all_times)
    yield Fault(kind, "another `made`", "manifest", _manifest("made", "2020-01-01T00:00:00+00:00"))


def _later_inside(text: str) -> str:
    """Return a journal entry with all its times shifted by an hour."""

    def moved(value: Any, name: str = "") -> Any:
        if isinstance(value, dict):
            return {key: moved(item, key) for key, item in value.items()}
        if isinstance(value, list):
            return [moved(item, "at_ms" if name == "seats" else "") for item in value]
        return value + 3_600_000 if name in _TIMES and value is not None else value

    entry = json.loads(text)
    if set(entry) == {"seats"}:  # heartbeats are pairs of seat and time
        return json.dumps(
            {"seats": [[seat, time_ms + 3_600_000] for seat, time_ms in entry["seats"]]}
        )
    return json.dumps(moved(entry))


_TIMES = ("shown_ms", "received_ms", "settled_ms", "at_ms", "wall_ms", "disclosed_ms")


def _entry(kind: str, change: Callable[[dict[str, Any]], None]) -> Plant:
    """Return a fault that changes the first journal entry of a kind."""

    def plant(tables: Tables, _manifest: Manifest) -> None:
        rows = tables["journal"]
        kinds, entries = rows[0].index("kind"), rows[0].index("entry")
        row = next(row for row in rows[1:] if row[kinds] == kind)
        entry = json.loads(row[entries])
        change(entry)
        row[entries] = json.dumps(entry)

    return plant


def _moved(entry: dict[str, Any]) -> None:
    entry["seats"][0][1] -= 1


def _of_journal(_good: Tables) -> Iterator[Fault]:
    kind = "the journal"
    act, seen = "what a person did, in its `act` alone", "a heartbeat a moment earlier"
    yield Fault(kind, act, "", _entry("act", lambda entry: entry["action"].update(harvest=0.0)))
    yield Fault(kind, "another seed", "", _entry("start", lambda entry: entry.update(seed=7)))
    yield Fault(
        kind, "a different id", "journal.entry", _entry("act", lambda entry: entry.update(id="x"))
    )
    yield Fault(kind, seen, "journal.entry", _entry("seen", _moved))

    def left_out(tables: Tables, _manifest: Manifest) -> None:
        del tables["journal"][1:]

    def without_table(tables: Tables, manifest: Manifest) -> None:
        del tables["journal"]
        del manifest["tables"][f"{GAME}/journal.csv"]

    yield Fault(kind, "all entries left out", "", left_out)
    yield Fault(kind, "the table left out", "journal", without_table)


def _of_manifest(_good: Tables) -> Iterator[Fault]:
    kind = "the manifest"
    yield Fault(kind, "another version of the rules", "", _manifest("games", {GAME: "99"}))
    yield Fault(kind, "different software", "manifest", _manifest("software", {"python": "2.7"}))
    yield Fault(kind, "different code", "manifest", _manifest("code", "f" * 64))
    yield Fault(kind, "no seal", "manifest", _manifest("sealed"))


def catalogue(folder: Path) -> list[tuple[Path, list[Fault]]]:
    """Save the exports in this folder, and return each with all faults that can be planted in
    it."""
    good, blocks, peers = export(folder), rehearsed.export(folder), points.export(folder)
    once, strangers = copied.export(folder), imports.export(folder)
    files = contents_of(blocks)
    manifest = json.loads(files["manifest.json"])
    tables = tables_of(files, manifest)
    of_blocks = [*classes(tables, manifest), *forged(tables)]
    of_peers, of_once = [*points.faults(_tables(peers))], [*copied.faults(folder)]
    imported = [*imports.faults()]
    main = [(good, faults(good)), (blocks, of_blocks), (peers, of_peers)]
    return [*main, (once, of_once), (strangers, imported)]


def faults(good: Path) -> list[Fault]:
    """Return all faults that can be planted in this export."""
    tables = _tables(good)
    kinds = (
        _columns,
        _rows,
        _of_occupants,
        _defined,
        _left_out,
        _shifted,
        _of_journal,
        replaying.faults,
        _of_manifest,
    )
    return [fault for kind in kinds for fault in kind(tables)]


def _tables(path: Path) -> Tables:
    files = contents_of(path)
    return tables_of(files, json.loads(files["manifest.json"]))
