"""The exported tables, one function each; columns are declared in `engine.tables`.

Every row is derived from the players that oTree hands in, so the export of one session holds that
session and no other. Times are milliseconds since 1970.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import engine
from engine import solutions
from engine.game import Game
from engine.tables import columns, pair_rows, period_row, seat_rows
from seats import storage
from seats.group import paid_points
from seats.setup import Setup, setup_from
from seats.table import Table

__all__ = ["config", "decisions", "events", "outcomes", "pairs", "periods", "seats"]

Row = dict[str, Any]


@dataclass(frozen=True)
class Played:
    """One group: its people by seat, its table and its log."""

    base: Row
    session_config: str
    people: dict[int, Any]
    setup: Setup
    table: Table
    log: list[Row]

    def code(self, seat: int) -> str:
        return self.people[seat].participant.code if seat in self.people else ""

    def rows(self, kind: str) -> Iterator[Row]:
        return (row for row in self.log if row["kind"] == kind)


def _played(players: Iterable[Any], log: Any) -> list[Played]:
    """Every group that was seated, in order of session and group."""
    by_group: dict[int, list[Any]] = {}
    for player in players:
        if player.seat >= 0:
            by_group.setdefault(player.group_id, []).append(player)
    logs = storage.logs_of(log, by_group)
    found = []
    for group_id, members in by_group.items():
        group = members[0].group
        base = {"session": members[0].session.code, "group": group.id_in_subsession - 1}
        people = {player.seat: player for player in members}
        setup, table = setup_from(group.setup), storage.load(group)
        name = str(members[0].session.config["name"])
        found.append(Played(base, name, people, setup, table, logs.get(group_id, [])))
    return found


def _table(name: str, games: Iterable[Game[Any]], rows: Iterable[Row]) -> Iterator[list[Any]]:
    """Header and rows in the declared order. A row that lacks a column has it empty."""
    found = (key for game in games for each in columns(name, game) for key in each.names())
    names = list(dict.fromkeys(found))
    yield names
    for row in rows:
        yield [row.get(key, "") for key in names]


def _of_groups(
    name: str, players: Any, log: Any, game_id: str, rows: Callable[[Played], Iterable[Row]]
) -> Iterator[list[Any]]:
    found = _played(players, log)
    games = list(dict.fromkeys(each.setup.made for each in found)) or [engine.make(game_id)]
    yield from _table(name, games, (row for each in found for row in rows(each)))


def decisions(players: Any, log: Any, game_id: str) -> Iterator[list[Any]]:
    """One row per seat and period."""
    return _of_groups("decisions", players, log, game_id, _decisions)


def _decisions(played: Played) -> Iterator[Row]:
    for line in played.rows("period"):
        for seat, row in enumerate(seat_rows(played.setup.made, line)):
            who = line["seats"][seat]
            yield {
                **played.base,
                "period": line["period"],
                "seat": seat,
                "participant": played.code(seat),
                "occupant": who["occupant"],
                "policy_id": who["policy_id"] or "",
                "decided_by": who["by"],
                "shown_ms": line["shown_ms"],
                "received_ms": who["received_ms"],
                "delay_ms": "" if who["delay_ms"] is None else who["delay_ms"],
                **row,
            }


def periods(players: Any, log: Any, game_id: str) -> Iterator[list[Any]]:
    """One row per group and period."""
    return _of_groups("periods", players, log, game_id, _periods)


def _periods(played: Played) -> Iterator[Row]:
    game, lines = played.setup.made, list(played.rows("period"))
    states = (line["state"] for line in lines)
    said = solutions.judge_play(game, played.table.episode.seed, states)
    for line, judged in zip(lines, said, strict=True):
        yield {
            **played.base,
            "period": line["period"],
            "shown_ms": line["shown_ms"],
            "settled_ms": line["at_ms"],
            **period_row(game, line, judged),
        }


def pairs(players: Any, log: Any, game_id: str) -> Iterator[list[Any]]:
    """One row per period and ordered pair of seats, long: what is between two of them."""
    return _of_groups("pairs", players, log, game_id, _pairs)


def _pairs(played: Played) -> Iterator[Row]:
    for line in played.rows("period"):
        for row in pair_rows(played.setup.made, line):
            yield {**played.base, "period": line["period"], **row}


def seats(players: Any, log: Any, game_id: str) -> Iterator[list[Any]]:
    """One row per occupancy of a seat."""
    return _of_groups("seats", players, log, game_id, _seats)


def _seats(played: Played) -> Iterator[Row]:
    entries = list(played.rows("seat"))
    for index, row in enumerate(entries):
        later = [each for each in entries[index + 1 :] if each["seat"] == row["seat"]]
        until = later[0]["since_period"] if later else played.table.episode.period
        yield {
            **played.base,
            **{key: row[key] for key in ("seat", "occupant", "since_period", "reason", "at_ms")},
            "policy_id": row["policy_id"] or "",
            "participant": played.code(row["seat"]),
            "until_period": until - 1,
        }


def events(players: Any, log: Any, game_id: str) -> Iterator[list[Any]]:
    """One row per event."""
    return _of_groups("events", players, log, game_id, _events)


def _events(played: Played) -> Iterator[Row]:
    for row in played.rows("event"):
        own = ("kind", "at_ms", "period", "event", "seat")
        rest = {key: value for key, value in row.items() if key not in own}
        yield {
            **played.base,
            **{key: row.get(key, "") for key in ("period", "at_ms", "event", "seat")},
            "detail": json.dumps(rest) if rest else "",
        }


def outcomes(players: Any, log: Any, game_id: str) -> Iterator[list[Any]]:
    """One row per participant, also for those who never got a seat."""
    players = list(players)
    tables = {id(p): each for each in _played(players, log) for p in each.people.values()}
    yield from _table(
        "outcomes",
        [engine.make(game_id)],
        (_outcome(player, tables.get(id(player))) for player in players),
    )


def _outcome(player: Any, played: Played | None) -> Row:
    row: Row = {
        "session": player.session.code,
        "participant": player.participant.code,
        "label": player.participant.label or "",
        "status": player.status,
        "points": 0.0,
        "paid_points": 0.0,
        "payment": float(player.participant.payoff_plus_participation_fee()),
        "quiz_attempts": player.quiz_attempts,
        "quiz_log": player.quiz_log,
    }
    if played is None:
        return row
    chair = played.table.seats[player.seat]
    sat = [row["seats"][player.seat]["occupant"] for row in played.rows("period")]
    return {
        **row,
        "group": played.base["group"],
        "seat": player.seat,
        "points": chair.points,
        "seat_points": chair.seat_points,
        "paid_points": paid_points(chair.points, played.table.options),
        "disconnections": chair.gaps,
        "bot_share": sat.count("policy") / len(sat) if sat else 0.0,
    }


def config(players: Any, log: Any, game_id: str) -> Iterator[list[Any]]:
    """One row per group: everything that its play followed from, besides the decisions."""
    return _of_groups("config", players, log, game_id, _config)


def _config(played: Played) -> Iterator[Row]:
    identity = played.setup.game["identity"]
    yield {
        **played.base,
        "seed": played.table.episode.seed,
        "session_config": played.session_config,
        "game": identity["game"],
        "version": identity["version"],
        "config": json.dumps(played.setup.game),
        "options": played.setup.options.model_dump_json(),
        "software": json.dumps(_software()),
    }


@lru_cache(maxsize=1)
def _software() -> dict[str, str]:
    project = Path(__file__).parent.parent / "pyproject.toml"
    own = next(
        line.split('"')[1] for line in project.read_text().splitlines() if line[:7] == "version"
    )
    return {
        "python": platform.python_version(),
        "otree": version("otree"),
        "numpy": version("numpy"),
        "mixed_company": own,
    }
