"""The exported tables, one function each; columns are declared in `table.export`.

Every row is derived from the players that oTree hands in, so the export of one session holds that
session and no other. Times are milliseconds since 1970: those of the play, and in `wall_ms` what
the machine's clock showed (`server.play_clock`).

`decisions`, `periods` and so on are the tables of oTree's Data page; `server.archive` writes all of
them into one file, from the same rows: `ROWS` per group, `outcome` per participant.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any

from mixed_company import engine
from mixed_company.engine import solutions
from mixed_company.engine.game import Game
from mixed_company.engine.play.decision import Decision
from mixed_company.server.answered import answers as answered
from mixed_company.server.answered import asks
from mixed_company.server.blocks.apps import number_of
from mixed_company.server.blocks.company import matching_group
from mixed_company.server.blocks.way import block_shown
from mixed_company.server.gate.labels import as_text
from mixed_company.server.keeping import storage
from mixed_company.server.outcome import outcome
from mixed_company.server.play_clock import Stretch, stretches, wall_times
from mixed_company.server.played import Played
from mixed_company.table import voting
from mixed_company.table.export import (
    Column,
    Row,
    archive,
    columns,
    decision_row,
    group_id,
    pair_rows,
    period_row,
    seat_rows,
    spread,
)
from mixed_company.table.export.messages import message_rows
from mixed_company.table.export.outcomes import OF_QUESTIONS
from mixed_company.table.journal import Entry
from mixed_company.table.setup import setup_from

__all__ = [
    "ROWS",
    "Played",
    "answered",
    "answers",
    "asks",
    "config",
    "decisions",
    "declared",
    "events",
    "messages",
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
    return number_of(members[0].group)


def played(groups: Iterable[list[Any]], log: Any) -> Iterator[Played]:
    """What these groups played, one after the other."""
    past: dict[int, list[Stretch]] = {}
    for _, some in groupby(enumerate(groups), lambda pair: pair[0] // GROUPS_AT_ONCE):
        wanted = {members[0].group_id: members for _, members in some}
        logs = storage.logs_of(log, wanted)
        for key, members in wanted.items():
            group, session = members[0].group, members[0].session
            if session.id not in past:
                past[session.id] = stretches(session.id)
            yield Played(
                _base(session, members),
                session.config,
                {player.seat: player for player in members},
                voting.played(setup_from(group.setup), logs.get(key, [])),
                logs.get(key, []),
                _wall_times(past[session.id], int(group.shift_ms), logs.get(key, [])),
            )


def _base(session: Any, members: Sequence[Any]) -> Row:
    """What all rows of a group have."""
    number = _number(members)
    return {
        "session": session.code,
        "group": number,
        "group_id": group_id(session.code, number),
        "treatment": members[0].group.treatment or str(session.config["name"]),
        "block": block_shown(members[0]),
    }


def _wall_times(
    past: list[Stretch], shift_ms: int, log: Sequence[Entry]
) -> Callable[[int], int | None]:
    """What the machine's clock showed at a time of a play that may have been paused."""
    stood = [(entry["at_ms"], entry["stood_ms"]) for entry in log if "stood_ms" in entry]
    wall_at = wall_times(past, shift_ms)
    return lambda at_ms: wall_at(at_ms + sum(ms for when, ms in stood if when < at_ms))


def declared(
    name: str, groups: Iterable[list[Any]], game_id: str, asking: bool = False
) -> list[Column]:
    """The columns of a table for what these groups played; without groups, for the game as it is.

    `outcomes` has the same for all, but for those of questions, where a session asks some.
    """
    setups = [setup_from(members[0].group.setup) for members in groups if name != "outcomes"]
    games: list[Game[Any]] = list(dict.fromkeys(game for own in setups for game in own.games))
    left_out = () if asking or name != "outcomes" else OF_QUESTIONS
    listed = [column for game in games or [engine.make(game_id)] for column in columns(name, game)]
    return [column for column in listed if column.name not in left_out]


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
    for line in played.periods:
        for seat, row in enumerate(seat_rows(played.setup.game, line)):
            yield {
                **played.base,
                "period": line["period"],
                "seat": seat,
                "participant": played.code(seat),
                "shown_ms": line["shown_ms"],
                **decision_row(Decision.from_json(line["seats"][seat])),
                "wall_ms": played.wall(line["seats"][seat]["at_ms"]),
                **row,
            }


def periods(players: Any, log: Any, game_id: str) -> Iterator[list[Any]]:
    """One row per group and period."""
    return _of_groups("periods", players, log, game_id)


def _periods(played: Played) -> Iterator[Row]:
    game, lines = played.setup.game, played.periods
    states = (line["state"] for line in lines)
    judgements = solutions.judge_play(game, played.seed, states)
    for line, judged in zip(lines, judgements, strict=True):
        yield {
            **played.base,
            "period": line["period"],
            "shown_ms": line["shown_ms"],
            "settled_ms": line["at_ms"],
            "wall_ms": played.wall(line["at_ms"]),
            **period_row(game, line, judged),
        }


def pairs(players: Any, log: Any, game_id: str) -> Iterator[list[Any]]:
    """One row per period and ordered pair of seats, long: what is between two of them."""
    return _of_groups("pairs", players, log, game_id)


def _pairs(played: Played) -> Iterator[Row]:
    for line in played.periods:
        for row in pair_rows(played.setup.game, line):
            yield {**played.base, "period": line["period"], **row}


def seats(players: Any, log: Any, game_id: str) -> Iterator[list[Any]]:
    """One row per occupancy of a seat."""
    return _of_groups("seats", players, log, game_id)


def _seats(played: Played) -> Iterator[Row]:
    entries = list(played.entries("seat"))
    for index, row in enumerate(entries):
        later = [entry for entry in entries[index + 1 :] if entry["seat"] == row["seat"]]
        until = later[0]["since_period"] if later else len(played.periods)
        yield {
            **played.base,
            **{key: row[key] for key in ("seat", "occupant", "since_period", "reason", "at_ms")},
            "wall_ms": played.wall(row["at_ms"]),
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
            "wall_ms": played.wall(row["at_ms"]),
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
    yield from _table(declared("outcomes", [], game_id, asks(players)), rows)


def answers(players: Any, log: Any, game_id: str) -> Iterator[list[Any]]:
    """One row per person and question."""
    players = list(players)
    of_seated = {
        id(player): list(answered(player, group))
        for group in played(seated(players), log)
        for player in group.people.values()
    }
    own = (of_seated.get(id(player)) or answered(player, None) for player in players)
    rows = (row for rows in own for row in rows)
    yield from _table(declared("answers", [], game_id), rows)


def config(players: Any, log: Any, game_id: str) -> Iterator[list[Any]]:
    """One row per group: everything that its play followed from, besides the decisions."""
    return _of_groups("config", players, log, game_id)


def _config(played: Played) -> Iterator[Row]:
    identity = played.setup.config["identity"]
    yield {
        **played.base,
        "matching_group": matching_group(list(played.people.values())),
        "seed": played.seed,
        "rehearsed": played.setup.rehearsed,
        "session_config": str(played.session["name"]),
        "participation_fee": float(played.session["participation_fee"]),
        "point_value": float(played.session["real_world_currency_per_point"]),
        "game": identity["game"],
        "version": identity["version"],
        "config": json.dumps(played.setup.config),
        "rule": played.setup.rule,
        "rules": json.dumps(played.setup.rules) if played.setup.rules else "",
        "options": played.setup.options.model_dump_json(),
        "software": json.dumps(software()),
    }


def messages(players: Any, log: Any, game_id: str) -> Iterator[list[Any]]:
    """One row per message."""
    return _of_groups("messages", players, log, game_id)


def _messages(played: Played) -> Iterator[Row]:
    """One row per message of a group that talked."""
    for row in message_rows(played.log):
        yield {
            **played.base,
            **row,
            "text": as_text(row["text"]),
            "wall_ms": played.wall(row["at_ms"]),
            "participant": played.code(row["seat"]),
        }


ROWS: Mapping[str, Callable[[Played], Iterable[Row]]] = {
    "decisions": _decisions,
    "periods": _periods,
    "pairs": _pairs,
    "seats": _seats,
    "events": _events,
    "config": _config,
    "messages": _messages,
}
"""The rows of each table for one group."""


@lru_cache(maxsize=1)
def software() -> dict[str, str]:
    """Versions of what played: Python, oTree, numpy and this project."""
    return archive.software("otree", "numpy")
