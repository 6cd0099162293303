"""The exported tables, one function each; columns are declared in `table.export`.

Every row is derived from the players that oTree hands in, so the export of one session holds that
session and no other. Times are milliseconds since 1970.

`decisions`, `periods` and so on are the tables of oTree's Data page; `server.archive` writes all of
them into one file, from the same rows: `ROWS` per group, `outcome` per participant.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any

import engine
from engine import solutions
from engine.game import Game
from engine.play.decision import Decision
from server import storage
from table import pay
from table.export import (
    Column,
    Row,
    archive,
    columns,
    decision_row,
    pair_rows,
    period_row,
    seat_rows,
    spread,
)
from table.journal import Entry
from table.setup import Setup, setup_from
from table.table import Table

__all__ = [
    "ROWS",
    "Played",
    "config",
    "decisions",
    "declared",
    "events",
    "outcome",
    "outcomes",
    "pairs",
    "periods",
    "played",
    "seated",
    "seats",
    "software",
]

GROUPS_AT_ONCE = 20
"""So many groups' logs are read at a time, and then forgotten."""


@dataclass(frozen=True)
class Played:
    """One group: its people by seat, its table and its log."""

    base: Row
    session_config: str
    people: dict[int, Any]
    setup: Setup
    table: Table
    log: list[Entry]

    def code(self, seat: int) -> str:
        return self.people[seat].participant.code if seat in self.people else ""

    def entries(self, kind: str) -> Iterator[Entry]:
        """The entries of its log that are of a kind."""
        return (entry for entry in self.log if entry["kind"] == kind)


def seated(players: Iterable[Any]) -> list[list[Any]]:
    """The people of every group that was seated, in order of session and group."""
    by_session: dict[str, dict[int, list[Any]]] = {}
    for player in players:
        if player.seat >= 0:
            groups = by_session.setdefault(player.session.code, {})
            groups.setdefault(player.group_id, []).append(player)
    return [
        members
        for groups in by_session.values()
        for members in sorted(groups.values(), key=_number)
    ]


def _number(members: Sequence[Any]) -> int:
    """The number of a group in its session: oTree counts those who wait as its first group."""
    return int(members[0].group.id_in_subsession) - 1


def played(groups: Iterable[list[Any]], log: Any) -> Iterator[Played]:
    """What these groups played, one after the other."""
    for _, some in groupby(enumerate(groups), lambda pair: pair[0] // GROUPS_AT_ONCE):
        wanted = {members[0].group_id: members for _, members in some}
        logs = storage.logs_of(log, wanted)
        for group_id, members in wanted.items():
            group, session = members[0].group, members[0].session
            yield Played(
                {"session": session.code, "group": _number(members)},
                str(session.config["name"]),
                {player.seat: player for player in members},
                setup_from(group.setup),
                storage.load(group),
                logs.get(group_id, []),
            )


def declared(name: str, groups: Iterable[list[Any]], game_id: str) -> list[Column]:
    """The columns of a table for what these groups played; without groups, for the game as it is.

    `outcomes` has the same for all.
    """
    played = (setup_from(members[0].group.setup).game for members in groups)
    games: list[Game[Any]] = list(dict.fromkeys(played)) if name != "outcomes" else []
    return [column for game in games or [engine.make(game_id)] for column in columns(name, game)]


def _table(declared: Sequence[Column], rows: Iterable[Row]) -> Iterator[list[Any]]:
    """Header and rows in the declared order. A row that lacks a column has it empty."""
    names = list(spread(declared))
    yield names
    for row in rows:
        yield [row.get(key, "") for key in names]


def _of_groups(name: str, players: Any, log: Any, game_id: str) -> Iterator[list[Any]]:
    groups = seated(players)
    rows = (row for group in played(groups, log) for row in ROWS[name](group))
    yield from _table(declared(name, groups, game_id), rows)


def decisions(players: Any, log: Any, game_id: str) -> Iterator[list[Any]]:
    """One row per seat and period."""
    return _of_groups("decisions", players, log, game_id)


def _decisions(played: Played) -> Iterator[Row]:
    for line in played.entries("period"):
        for seat, row in enumerate(seat_rows(played.setup.game, line)):
            yield {
                **played.base,
                "period": line["period"],
                "seat": seat,
                "participant": played.code(seat),
                "shown_ms": line["shown_ms"],
                **decision_row(Decision.from_json(line["seats"][seat])),
                **row,
            }


def periods(players: Any, log: Any, game_id: str) -> Iterator[list[Any]]:
    """One row per group and period."""
    return _of_groups("periods", players, log, game_id)


def _periods(played: Played) -> Iterator[Row]:
    game, lines = played.setup.game, list(played.entries("period"))
    states = (line["state"] for line in lines)
    judgements = solutions.judge_play(game, played.table.episode.seed, states)
    for line, judged in zip(lines, judgements, strict=True):
        yield {
            **played.base,
            "period": line["period"],
            "shown_ms": line["shown_ms"],
            "settled_ms": line["at_ms"],
            **period_row(game, line, judged),
        }


def pairs(players: Any, log: Any, game_id: str) -> Iterator[list[Any]]:
    """One row per period and ordered pair of seats, long: what is between two of them."""
    return _of_groups("pairs", players, log, game_id)


def _pairs(played: Played) -> Iterator[Row]:
    for line in played.entries("period"):
        for row in pair_rows(played.setup.game, line):
            yield {**played.base, "period": line["period"], **row}


def seats(players: Any, log: Any, game_id: str) -> Iterator[list[Any]]:
    """One row per occupancy of a seat."""
    return _of_groups("seats", players, log, game_id)


def _seats(played: Played) -> Iterator[Row]:
    entries = list(played.entries("seat"))
    for index, row in enumerate(entries):
        later = [entry for entry in entries[index + 1 :] if entry["seat"] == row["seat"]]
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
    return _of_groups("events", players, log, game_id)


def _events(played: Played) -> Iterator[Row]:
    for row in played.entries("event"):
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
    of_seated = {
        id(player): outcome(player, group)
        for group in played(seated(players), log)
        for player in group.people.values()
    }
    rows = (of_seated.get(id(player)) or outcome(player, None) for player in players)
    yield from _table(declared("outcomes", [], game_id), rows)


def outcome(player: Any, played: Played | None) -> Row:
    """The row of a participant; without what was played, of one who never got a seat."""
    row: Row = {
        "session": player.session.code,
        "participant": player.participant.code,
        "label": _one_line(player.participant.label or ""),
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
    sat = [entry["seats"][player.seat]["occupant"] for entry in played.entries("period")]
    options = played.table.options
    return {
        **row,
        "group": played.base["group"],
        "seat": player.seat,
        "points": chair.points,
        "seat_points": chair.seat_points,
        "paid_points": pay.paid_points(chair.points, options.pay_floor, options.pay_cap),
        "disconnections": chair.gaps,
        "bot_share": pay.bot_share(sat.count("policy"), len(sat)),
    }


def _one_line(text: str) -> str:
    """A label comes with the link, from outside: what would end a line of a table is a space."""
    return "".join(sign if sign >= " " else " " for sign in text)


def config(players: Any, log: Any, game_id: str) -> Iterator[list[Any]]:
    """One row per group: everything that its play followed from, besides the decisions."""
    return _of_groups("config", players, log, game_id)


def _config(played: Played) -> Iterator[Row]:
    identity = played.setup.config["identity"]
    yield {
        **played.base,
        "seed": played.table.episode.seed,
        "session_config": played.session_config,
        "game": identity["game"],
        "version": identity["version"],
        "config": json.dumps(played.setup.config),
        "options": played.setup.options.model_dump_json(),
        "software": json.dumps(software()),
    }


ROWS: Mapping[str, Callable[[Played], Iterable[Row]]] = {
    "decisions": _decisions,
    "periods": _periods,
    "pairs": _pairs,
    "seats": _seats,
    "events": _events,
    "config": _config,
}
"""The rows of each table for one group."""


@lru_cache(maxsize=1)
def software() -> dict[str, str]:
    """Versions of what played: Python, oTree, numpy and this project."""
    return archive.software("otree", "numpy")
