"""Check that a session has a single seed, and that the people of every group sat in the seats that
this seed gives them in order of arrival (`table.seating.seats_of_people`).

In a later block, seats are drawn only if roles are redrawn, and not in order of arrival. Seats that
people keep are checked by `blocks`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import pandas as pd

from mixed_company.analysis.audit.rows import Findings, Rows
from mixed_company.analysis.audit.way import block_names, plan_of, rows_of, seed_of
from mixed_company.analysis.data import Data
from mixed_company.experiment.digests import has_server, read
from mixed_company.table.export import Row, group_id
from mixed_company.table.export.participants import PARTICIPANTS
from mixed_company.table.seating import block_and_number, seats_of_people

_ARRIVED = re.compile(r"arrived_ms_(\d+)")


def check_seeds(games: Mapping[str, Mapping[str, Rows]], findings: Findings) -> None:
    """Check that all groups of a session have the same session seed, in all treatments, blocks and
    games. `games` maps each game to its tables."""
    sessions: dict[str, list[Row]] = {}
    for row in rows_of(games, "config"):
        if has_server(read(row["options"])) and seed_of(row["config"]) is not None:
            sessions.setdefault(row["session"], []).append(row)
    for session, rows in sessions.items():
        seeds = [seed_of(row["config"]) for row in rows]
        usual = Counter(seeds).most_common(1)[0][0]
        rule = f"is the session's seed here, but {usual} in its other groups"
        for row, seed in zip(rows, seeds, strict=True):
            if row["of"] == findings.game:
                key = f"session {session}, group {row['group']}"
                findings.rule(seed == usual, "config", row["row"], "config", seed, rule, key)


def check_seats(
    tables: Mapping[str, Rows],
    games: Mapping[Any, Any],
    manifest: Mapping[str, Any],
    findings: Findings,
) -> None:
    """Check which seats the people of each group had at the beginning. `games` maps the session and
    the number of each group to its game."""
    if "seats" not in tables:
        return
    for row, seats, drawn in _draws(tables["config"], tables["seats"], games, manifest):
        rule = f"should be {_listed(sorted(drawn))}, which the session's seed gives to people"
        cell = ("seats", seats[min(seats)]["row"], "seat", _listed(sorted(seats)))
        findings.rule({*drawn} == {*seats}, *cell, rule, _key(row))


class _Arrival(NamedTuple):
    at_ms: int
    column: str
    row: Row


def check_arrivals(frame: pd.DataFrame, games: Sequence[Data], findings: Findings) -> None:
    """Check that people arrived in the order in which their seats were drawn. `frame` is the table
    `participants`."""
    arrived = _arrived(Rows.of(PARTICIPANTS, frame).records())
    for data in games:
        if {"seats", "config"} & {*data.unread}:
            continue
        tables = Rows.of("config", data.config), Rows.of("seats", data.seats)
        for row, _, drawn in _draws(*tables, data.games, data.manifest):
            # in later blocks, the app has another name
            here = arrived.get((data.game_id, group_id(row["session"], row["group"])), {})
            order = f"the session's seed gives the seats in the order {_listed(drawn)}"
            for before, after in pairwise(here[seat] for seat in drawn if seat in here):
                rule = f"should not be before {before.row['participant']} arrived, because {order}"
                cell = (PARTICIPANTS, after.row["row"], after.column, after.at_ms)
                key = f"{_key(row)}, participant {after.row['participant']}"
                findings.rule(before.at_ms <= after.at_ms, *cell, rule, key)


def _arrived(rows: Iterable[Row]) -> dict[tuple[str, str], dict[int, _Arrival]]:
    """Return when people reached the lobby, by app and group, and then by seat."""
    arrived: dict[tuple[str, str], dict[int, _Arrival]] = {}
    for row in rows:
        for column in filter(_ARRIVED.fullmatch, row):
            of = column.removeprefix("arrived_ms")
            app, group, seat = (row.get(f"{name}{of}", "") for name in ("app", "group_id", "seat"))
            if "" not in (row[column], seat):
                arrival = _Arrival(row[column], column, row)
                arrived.setdefault((app, group), {})[seat] = arrival
    return arrived


def _draws(
    config: Rows, seats: Rows, games: Mapping[Any, Any], manifest: Mapping[str, Any]
) -> Iterable[tuple[Row, Mapping[int, Row], Sequence[int]]]:
    """Yield each group whose people have seats by the rule, with the rows of the people who began
    there, by seat, and with these people's seats under the rule."""
    began: dict[tuple[str, int], dict[int, Row]] = {}
    for row in seats.records():
        if (row["reason"], row["occupant"]) == ("seated", "person"):
            began.setdefault((row["session"], row["group"]), {})[row["seat"]] = row
    for row in config.records():
        key, options = (row["session"], row["group"]), read(row["options"])
        game, people = games.get(key), began.get(key, {})
        if game is None or not people or not has_server(options) or _keeps(row, manifest):
            continue
        how, seed = options.get("people_seats", "drawn"), game.config.identity.seed
        yield row, people, seats_of_people(how, seed, row["group"], game.seats, len(people))


def _keeps(row: Row, manifest: Mapping[str, Any]) -> bool:
    """Return whether the people of a group keep their seats from an earlier block."""
    plan = plan_of(manifest, row["session"])
    later = bool(block_names(plan)) and block_and_number(row["group"])[0] > 1
    return later and (plan or {}).get("roles") != "redrawn"


def _listed(seats: Iterable[int]) -> str:
    return ", ".join(map(str, seats))


def _key(group: Row) -> str:
    return f"session {group['session']}, group {group['group']}"
