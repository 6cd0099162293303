"""Classes of faults over every table and column of an export with treatments and blocks.

Values are changed, emptied and swapped. Rows are left out, repeated and swapped. Names are swapped
everywhere, and manifest entries are replaced.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from tests.analysis.audit.faults import Rows, other
from tests.analysis.audit.forging import forged, remake
from tests.analysis.audit.planting import (
    Fault,
    Manifest,
    Plant,
    Tables,
    about_of,
    change_value,
    records,
    remake_iso,
)

__all__ = ["classes"]

_KIND = "two blocks: "
"""Prefix of these kinds' names, to tell them from the faults planted in the other export."""


def classes(good: Tables, manifest: Manifest) -> Iterator[Fault]:
    """Yield all faults for an export with these tables."""
    yield from _values(good)
    yield from _rows(good)
    yield from _names(good, manifest)
    yield from _moved(good)
    yield from _of_manifest(manifest)
    yield from forged(manifest)


# -- values and rows ------------------------------------------------------------------------------


_REBUILT = (
    "decisions",
    "periods",
    "pairs",
    "seats",
    "events",
    "messages",
    "journal",
    "participants",
)
"""Tables in which every value follows from other tables, so one changed value is enough."""


def _values(good: Tables) -> Iterator[Fault]:
    for table, rows in good.items():
        middle = 1 + len(rows) // 2
        for place, column in enumerate(rows[0]):
            about, kind = about_of(table, column), f"{_KIND}a value in {table}"
            if column.endswith("_time"):
                continue  # belongs to a time in ms, and both change together
            yield Fault(kind, f"{column} changed", about, change_value(table, column, middle))
            if table in _REBUILT:
                continue
            filled = [number for number, row in enumerate(rows) if number and row[place]]
            if filled:
                number = filled[len(filled) // 2]
                yield Fault(
                    kind, f"{column} emptied", about, change_value(table, column, number, "")
                )
            pair = _differing(rows, place)
            if pair is not None:
                traded = _traded(table, column, *pair)
                yield Fault(kind, f"{column} swapped between two rows", about, traded)


def _differing(rows: Rows, place: int) -> tuple[int, int] | None:
    """Return two rows that differ in a column, if there are any."""
    first = next((number for number, row in enumerate(rows) if number and row[place]), None)
    if first is None:
        return None
    values = enumerate(rows[first + 1 :], first + 1)
    second = next((n for n, row in values if row[place] not in ("", rows[first][place])), None)
    return None if second is None else (first, second)


def _traded(table: str, column: str, first: int, second: int) -> Plant:
    def plant(tables: Tables, _manifest: Manifest) -> None:
        rows = tables[table]
        place = rows[0].index(column)
        values = rows[second][place], rows[first][place]
        for number, value in zip((first, second), values, strict=True):
            rows[number][place] = value
            remake_iso(rows[0], rows[number], column)

    return plant


def _rows(good: Tables) -> Iterator[Fault]:
    changes: dict[str, Callable[[Rows], None]] = {
        "the first left out": lambda rows: rows.__delitem__(1),
        "the last left out": lambda rows: rows.__delitem__(-1),
        "one left out": lambda rows: rows.__delitem__(len(rows) // 2),
        "one repeated": lambda rows: rows.insert(2, list(rows[2])),
        "two swapped": lambda rows: rows.__setitem__(slice(2, 4), [rows[3], rows[2]]),
        "all left out": lambda rows: rows.__delitem__(slice(1, None)),
    }
    for table in good:
        for name, change in changes.items():
            about = _OF_ROWS.get((table, name), f"{table}: {name}")
            plant = _of_rows(table, change)
            yield Fault(f"{_KIND}rows", f"{table}: {name}", about, plant)
        about = "journal" if table == "journal" else f"{table}: left out"
        yield Fault(f"{_KIND}rows", f"the table {table} left out", about, _without(table))


_OF_ROWS = {
    ("outcomes", "two swapped"): "outcomes: order",
    ("participants", "two swapped"): "participants: order",
    ("answers", "two swapped"): "answers: order",
}


def _of_rows(table: str, change: Callable[[Rows], None]) -> Plant:
    return lambda tables, _manifest: change(tables[table])


def _without(table: str) -> Plant:
    return lambda tables, _manifest: tables.__delitem__(table)


# -- swapped names --------------------------------------------------------------------------------


def _names(good: Tables, manifest: Manifest) -> Iterator[Fault]:
    kind = f"{_KIND}names"
    first, second = manifest["sessions"]
    plan = manifest["sessions"][first]["plan"]
    yield Fault(kind, "two sessions swapped", "names", _renamed(first, second))
    yield Fault(kind, "two blocks exchanged", "", _renamed(*plan["blocks"]))
    people = [row["participant"] for row in records(good["participants"])]
    yield Fault(kind, "two people in one session swapped", "names", _renamed(*people[:2]))
    apart = _renamed(people[0], people[-1])
    yield Fault(kind, "two people in different sessions swapped", "names", apart)
    again = _coded_again(good, first, second)
    yield Fault(kind, "the people of one session with the codes of the other", "", again)
    treatments = tuple(plan["treatments"])
    yield Fault(kind, "two treatments exchanged", "", _renamed(*treatments))
    for name, remade in (("of the plan", "plan"), ("of plan and groups", "groups")):
        about = "digests" if remade == "groups" else ""
        title = f"two treatments exchanged with the digests {name} computed again"
        yield Fault(kind, title, about, _renamed(*treatments, remade=remade))
    for table in good:
        if "treatment" in good[table][0]:
            plant = _renamed(*treatments, tables_named=(table,))
            yield Fault(kind, f"two treatments exchanged in {table} alone", "", plant)


def _coded_again(good: Tables, first: str, second: str) -> Plant:
    """Return a fault that gives the people of the second session the codes of the first one."""
    codes = {
        session: [
            row["participant"] for row in records(good["participants"]) if row["session"] == session
        ]
        for session in (first, second)
    }
    others = dict(zip(codes[second], codes[first], strict=True))

    def plant(tables: Tables, _manifest: Manifest) -> None:
        for rows in tables.values():
            rows[1:] = [[others.get(value, value) for value in row] for row in rows[1:]]

    return plant


def _renamed(
    first: str, second: str, *, remade: str = "", tables_named: tuple[str, ...] = ()
) -> Plant:
    """Return a fault that swaps two names in whole cells, group ids and the manifest, in all tables
    or only in some."""
    names = {first: second, second: first}

    def named(text: str) -> str:
        start, dash, rest = text.partition("-")
        return f"{names.get(start, start)}{dash}{rest}"

    def plant(tables: Tables, manifest: Manifest) -> None:
        for table in tables_named or tuple(tables):
            tables[table][1:] = [[named(value) for value in row] for row in tables[table][1:]]
        if tables_named:
            return
        sessions = _keys_renamed(manifest["sessions"], names)
        manifest |= {"sessions": sessions, "created": [*map(named, manifest["created"])]}
        for about in sessions.values():
            if remade:
                remake(about["plan"], tables if remade == "groups" else {})

    return plant


def _keys_renamed(content: Any, names: dict[str, str]) -> Any:
    """Return the content with two names swapped in keys and texts, including `treatment, block`."""
    if isinstance(content, dict):
        pairs = (
            (_label(key, names), _keys_renamed(value, names)) for key, value in content.items()
        )
        return dict(pairs)
    if isinstance(content, list):
        return [_keys_renamed(value, names) for value in content]
    return _label(content, names) if isinstance(content, str) else content


def _label(text: str, names: dict[str, str]) -> str:
    return ", ".join(names.get(part, part) for part in text.split(", "))


# -- one person's words attributed to another -----------------------------------------------------


def _moved(good: Tables) -> Iterator[Fault]:
    kind = f"{_KIND}words"
    for name, inside in (("", False), (" and in the journal", True)):
        title = f"a person's message given to another seat and participant{name}"
        yield Fault(kind, title, "", _message_moved(inside))
    for when in dict.fromkeys(row["when"] for row in records(good["answers"])):
        number = next(n for n, row in enumerate(records(good["answers"]), 1) if row["when"] == when)
        title = f"the row of an answer ({when}) left out"
        yield Fault(
            kind, title, "", _of_rows("answers", lambda rows, n=number: rows.__delitem__(n))
        )


def _message_moved(inside: bool) -> Plant:
    def plant(tables: Tables, _manifest: Manifest) -> None:
        head, row = tables["messages"][0], tables["messages"][-1]
        message = dict(zip(head, row, strict=True))
        place = message["session"], message["group"]
        seated = next(
            seat
            for seat in records(tables["seats"])
            if (seat["session"], seat["group"]) == place
            and seat["occupant"] == "person"
            and seat["seat"] != message["seat"]
        )
        for name in ("seat", "participant"):
            row[head.index(name)] = seated[name]
        names = tables["journal"][0]
        for line in tables["journal"][1:] if inside else ():
            entry = dict(zip(names, line, strict=True))
            content = json.loads(entry["entry"])
            which = (entry["session"], entry["group"], entry["kind"], str(content.get("number")))
            if which == (*place, "message", message["number"]):
                content["seat"] = int(seated["seat"])
                line[names.index("entry")] = json.dumps(content)

    return plant


# -- the manifest ---------------------------------------------------------------------------------


def _of_manifest(manifest: Manifest) -> Iterator[Fault]:
    """Yield two faults for each manifest entry that describes neither a table nor the seal: it is
    replaced, or removed. Only one session's entries are used."""
    later = [*manifest["sessions"]][1:]
    for path, value in _leaves(manifest):
        if path[0] in ("tables", "sealed") or (path[0] == "sessions" and path[1] in later):
            continue
        named = ".".join(str(key) for number, key in enumerate(path) if (path[0], number) != _CODE)
        about = f"manifest: {named.partition('.digests.')[0]}"
        about = "manifest" if path[0] in _OF_MAKING else about
        kind = f"{_KIND}the manifest"
        yield Fault(kind, f"{named} replaced", about, _manifest_changed(path, _another(value)))
        yield Fault(kind, f"{named} removed", about, _manifest_changed(path, None))


_CODE = ("sessions", 1)
_OF_MAKING = ("made", "software", "code")


def _leaves(content: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(content, dict):
        for key, value in content.items():
            yield from _leaves(value, (*path, key))
    else:
        yield path, content


def _another(value: Any) -> Any:
    if isinstance(value, list):
        return [*value, *value[:1]]
    if isinstance(value, bool) or value is None:
        return not value
    return value + 1 if isinstance(value, int | float) else other(value)


def _manifest_changed(path: tuple[Any, ...], value: Any) -> Plant:
    def plant(_tables: Tables, manifest: Manifest) -> None:
        place = manifest
        for key in path[:-1]:
            place = place[key]
        if value is None:
            del place[path[-1]]
        else:
            place[path[-1]] = value

    return plant
