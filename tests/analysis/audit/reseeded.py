"""Forgeries of seeds and arrivals. Everything follows from them in all tables, except the seats of
people, or the seed of the session's other groups."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import count

from mixed_company.experiment.assignment import treatment_of
from mixed_company.table.seating import block_and_number, draw_seats, group_number, play_seed
from tests.analysis.audit.faults import Rows
from tests.analysis.audit.planting import Manifest, Plant, Tables, records, remake_iso

__all__ = ["seeds"]

Row = dict[str, str]

SLOTS = range(4)
"""Slots of each rehearsed session."""


def seeds(good: Tables) -> Iterator[tuple[str, str, Plant]]:
    """Yield all forgeries, as (name, name in UNKNOWN, plant). None of the bots in this export
    decides by chance, so its plays do not depend on the seed."""
    session = next(records(good["config"]))["session"]
    yield "another seed in the second block", "", _of_block(good, session)
    yield "another seed in one treatment", "", _of_treatment(session)
    yield "another seed of the session", "", _of_session(session)
    yield "two people's arrivals exchanged", "", _arrivals_exchanged
    yield "the numbers of two groups exchanged", "", _numbers_exchanged(session)


def _of_block(good: Tables, session: str) -> Plant:
    """Return a forgery with a seed that gives everybody in the block the same seats."""
    here = [row for row in records(good["config"]) if row["session"] == session]
    old, block = json.loads(here[0]["config"])["identity"]["seed"], here[-1]["block"]
    numbers = [int(row["group"]) for row in here if row["block"] == block]

    def seats(seed: int) -> list[set[int]]:
        return [{*draw_seats(seed, number, 4, 2)} for number in numbers]

    new = next(seed for seed in count(old + 1) if seats(seed) == seats(old))

    def plant(tables: Tables, _manifest: Manifest) -> None:
        _reseed(tables, new, lambda row: (row["session"], row["block"]) == (session, block))

    return plant


def _of_treatment(session: str) -> Plant:
    def plant(tables: Tables, _manifest: Manifest) -> None:
        _reseed(tables, 99, lambda row: (row["session"], row["treatment"]) == (session, "talk"))

    return plant


def _of_session(session: str) -> Plant:
    """Return a forgery with a seed that assigns the treatments in the same order."""

    def plant(tables: Tables, manifest: Manifest) -> None:
        plan, [old, *others] = manifest["sessions"][session]["plan"], manifest["rehearsed"]["seed"]

        def order(seed: int) -> list[str]:
            sizes, how = plan["treatments"], plan["assignment"]
            return [treatment_of(slot, sizes, how, seed) for slot in SLOTS]

        new = next(seed for seed in count(old + 2) if order(seed) == order(old))
        manifest["rehearsed"]["seed"] = [new, *others]
        _reseed(tables, new, lambda row: row["session"] == session)

    return plant


def _reseed(tables: Tables, seed: int, chosen: Callable[[Row], bool]) -> None:
    """Change the session's seed in these groups, with the seeds of their plays."""
    head, started = tables["config"][0], {}
    for line, row in zip(tables["config"][1:], records(tables["config"]), strict=True):
        if chosen(row):
            config = json.loads(row["config"])
            config["identity"]["seed"] = seed
            play = started[row["group_id"]] = play_seed(seed, int(row["group"]))
            line[head.index("config")] = json.dumps(config)
            line[head.index("seed")] = str(play)
    _restart(tables, started)


def _restart(tables: Tables, started: dict[str, int]) -> None:
    """Change the seeds with which journals begin, by group."""
    head = tables["journal"][0]
    for line, row in zip(tables["journal"][1:], records(tables["journal"]), strict=True):
        if row["kind"] == "start" and row["group_id"] in started:
            entry = {**json.loads(row["entry"]), "seed": started[row["group_id"]]}
            line[head.index("entry")] = json.dumps(entry)


def _arrivals_exchanged(tables: Tables, _manifest: Manifest) -> None:
    """Swap the times at which the two people of a group arrived, and how long they waited."""
    head, waited = tables["participants"][0], tables["outcomes"][0].index("waited_ms")
    group = next(records(tables["participants"]))["group_id_1"]
    people = [row for row in tables["participants"] if row[head.index("group_id_1")] == group]
    place = head.index("arrived_ms_1")
    first, second = people
    first[place], second[place] = second[place], first[place]
    for row in people:
        remake_iso(head, row, "arrived_ms_1")
    codes = [row[head.index("participant")] for row in people]
    block = next(records(tables["outcomes"]))["block"]
    names = [tables["outcomes"][0].index(name) for name in ("participant", "block")]
    rows = {tuple(row[name] for name in names): row for row in tables["outcomes"]}
    first, second = (rows[code, block] for code in codes)
    first[waited], second[waited] = second[waited], first[waited]


def _numbers_exchanged(session: str) -> Plant:
    """Return a forgery that exchanges the first two groups of each block, with their seeds."""
    pairs = [[group_number(block, number) for number in (1, 2)] for block in (1, 2)]
    names = {str(old): str(new) for pair in pairs for old, new in (pair, pair[::-1])}
    ids = {f"{session}-{old}": f"{session}-{new}" for old, new in names.items()}

    def plant(tables: Tables, _manifest: Manifest) -> None:
        seeds = {row["group_id"]: row["seed"] for row in records(tables["config"])}
        for table, rows in tables.items():
            head = rows[0]
            for line in rows[1:]:
                row = dict(zip(head, line, strict=True))
                for name in head:
                    if name in ("group", "matching_group") and row["session"] == session:
                        line[head.index(name)] = names.get(row[name], row[name])
                    elif name.startswith("group_id"):
                        line[head.index(name)] = ids.get(row[name], row[name])
                if table == "config":
                    line[head.index("seed")] = seeds[line[head.index("group_id")]]
            if table not in ("outcomes", "answers", "participants"):
                _sort(rows)
        _restart(tables, {group: int(seed) for group, seed in seeds.items()})

    return plant


def _sort(rows: Rows) -> None:
    """Sort the rows by block, session and group; the rows of each group keep their order."""
    session, group = rows[0].index("session"), rows[0].index("group")
    sessions = list(dict.fromkeys(row[session] for row in rows[1:]))
    numbers = {row[group]: block_and_number(int(row[group])) for row in rows[1:]}

    def place(row: list[str]) -> tuple[int, int, int]:
        block, number = numbers[row[group]]
        return block, sessions.index(row[session]), number

    rows[1:] = sorted(rows[1:], key=place)
