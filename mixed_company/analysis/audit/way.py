"""People's paths through a session's blocks, read from the tables of all its games.

`load` names all plays of a repeated block after the block (`Data.by_block`), but the audit compares
the names in the export (`plays.as_exported`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from mixed_company.analysis.audit.rows import Rows
from mixed_company.experiment.assignment import Place, group_in, position_of
from mixed_company.experiment.digests import read
from mixed_company.table.export import Row
from mixed_company.table.seating import block_and_number

Plan = Mapping[str, Any]
_BLOCK = re.compile(r"_[0-9]+$")
"""The suffix of an app's name if the app plays a later block."""


def rows_of(games: Mapping[str, Mapping[str, Rows]], table: str) -> list[Row]:
    """Return a table's rows from all these games. The additional `of` key holds the row's game."""
    return [
        {**row, "of": game}
        for game, tables in games.items()
        if table in tables
        for row in tables[table].records()
    ]


def session_in(manifest: Mapping[str, Any], session: Any) -> Mapping[str, Any]:
    """Return the manifest's entry for a session; empty if there is none."""
    entry: Mapping[str, Any] = manifest.get("sessions", {}).get(session, {})
    return entry


def plan_of(manifest: Mapping[str, Any], session: Any) -> Plan | None:
    """Return the manifest's entry for a session's plan; None if there is none."""
    return session_in(manifest, session).get("plan")


def first_blocks(rows: Sequence[Row], manifest: Mapping[str, Any]) -> dict[str, str]:
    """Return the first block that plays this game, for every session with blocks. People read the
    game's instructions only there."""
    blocks: dict[str, set[str]] = {}
    for row in rows:
        blocks.setdefault(row["session"], set()).add(row.get("block", ""))
    firsts = {}
    for session, here in blocks.items():
        names = block_names(plan_of(manifest, session))
        played = [name for name in names if name in here]
        if played:
            firsts[session] = played[0]
    return firsts


def seed_of(config: Any) -> int | None:
    """Return the session's seed in a group's configuration; None if it cannot be read."""
    identity = read(config).get("identity")
    seed = identity.get("seed") if isinstance(identity, Mapping) else None
    return seed if type(seed) is int else None


def seats_in(config: Any) -> int | None:
    """Return the number of seats in a group's configuration; None if it cannot be read."""
    core = read(config).get("core")
    seats = core.get("seats") if isinstance(core, Mapping) else None
    return seats if type(seats) is int else None


def export_ms(manifest: Mapping[str, Any]) -> int | None:
    """Return the end of the second in which the export was made, in ms; None if that second is
    unknown."""
    try:
        moment = datetime.fromisoformat(str(manifest.get("made", "")))
    except ValueError:
        return None
    return 1000 * int(moment.timestamp()) + 1000


def other_apps(entry: Mapping[str, Any], games: Collection[str]) -> list[str] | None:
    """Return the apps in a session's entry that are neither these games nor their later blocks.
    Return None if the entry has no list of apps, as in exports from earlier releases."""
    apps = entry.get("apps")
    if not isinstance(apps, list):
        return None
    return [app for app in map(str, apps) if _BLOCK.sub("", app) not in games]


def block_names(plan: Plan | None) -> list[str]:
    """Return the names of a plan's blocks in order, from the manifest; empty for a session without
    blocks."""
    return list((plan or {}).get("blocks", ()))


def can_be_read(plan: Plan) -> bool:
    """Return whether the manifest's entry has all keys that say how people are matched and paid in
    blocks."""
    return {"matching", "roles", "pay_blocks", "matching_groups"} <= plan.keys()


def gone_on(
    games: Mapping[str, Mapping[str, Rows]], manifest: Mapping[str, Any]
) -> set[tuple[str, str, str]]:
    """Return (session, participant, block) for every block after which a person went on to a later
    one."""
    blocks: dict[tuple[str, str], list[str]] = {}
    for row in rows_of(games, "outcomes"):
        blocks.setdefault((row["session"], row["participant"]), []).append(row.get("block", ""))
    gone = set()
    for (session, participant), here in blocks.items():
        names = block_names(plan_of(manifest, session))
        come = [number for number, name in enumerate(names) if name in here]
        gone |= {(session, participant, names[number]) for number in range(max(come, default=0))}
    return gone


@dataclass(frozen=True)
class Session:
    """A session with blocks: its plan, its groups by number, and the rows of its people."""

    plan: Plan
    groups: Mapping[int, Row]
    people: Sequence[Row]

    @cached_property
    def names(self) -> list[str]:
        return block_names(self.plan)

    @cached_property
    def first(self) -> list[int]:
        """Groups of the first block, in order."""
        return sorted(number for number in self.groups if block_and_number(number)[0] == 1)

    @cached_property
    def seed(self) -> int | None:
        """Seed of the session; None if it cannot be read."""
        return seed_of(self.groups[self.first[0]]["config"])

    @cached_property
    def ways(self) -> dict[str, list[Row]]:
        """Rows of every participant, in the order of the blocks."""
        ways: dict[str, list[Row]] = {}
        for row in self.people:
            if row["block"] in self.names:
                ways.setdefault(row["participant"], []).append(row)
        for rows in ways.values():
            rows.sort(key=lambda row: self.names.index(row["block"]))
        return ways

    @cached_property
    def mixed(self) -> dict[int, tuple[str, int, int]]:
        """The treatment, the matching group (counted from 0) and the group within it, for each
        group of the first block."""
        mixed, many = dict[int, tuple[str, int, int]](), int(self.plan["matching_groups"])
        counts: dict[str, int] = {}
        for number in self.first:
            treatment = str(self.groups[number].get("treatment", ""))
            count = counts.get(treatment, 0)
            counts[treatment] = count + 1
            mixed[number] = (treatment, count // many, count % many)
        return mixed

    @cached_property
    def places(self) -> dict[str, tuple[int, Place, int]]:
        """The group in the first block, the place in the matching group and the seat, for each
        participant."""
        rows = [way[0] for way in self.ways.values() if way[0]["group"] in self.mixed]
        places = {}
        for row in rows:
            number = row["group"]
            taken = [other["seat"] for other in rows if other["group"] == number]
            treatment, _, index = self.mixed[number]
            whole = self.plan["treatments"].get(treatment, 0), self._seats(number)
            position = position_of(row["seat"], taken, *whole)
            places[row["participant"]] = number, Place(index, position), row["seat"]
        return places

    def _seats(self, number: int) -> int:
        return seats_in(self.groups[number]["config"]) or 0

    def matched(self, participant: str, block: int) -> tuple[str, int, int]:
        """Return a participant's treatment, matching group and group in a block (blocks count from
        0)."""
        number, place, _ = self.places[participant]
        treatment, which, _ = self.mixed[number]
        group = group_in(
            block,
            place,
            self.plan["matching"],
            self.plan["matching_groups"],
            self.plan["treatments"].get(treatment, 1),
            roles=self.plan["roles"],
            seed=self.seed or 0,
            which=f"{treatment} {which}",
        )
        return treatment, which, group
