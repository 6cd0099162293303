"""The rows of the exported tables for one group; their columns are declared in `table.export`.

oTree's Data page (`server.data_page`) and the file of an export (`server.archive`) are made of the
same rows. The rows of participants are in `server.outcome` and `server.answered`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from mixed_company import engine
from mixed_company.engine import solutions
from mixed_company.engine.game import Game
from mixed_company.engine.play.decision import Decision
from mixed_company.server.blocks.company import matching_group
from mixed_company.server.gate.labels import as_text
from mixed_company.server.played import Played
from mixed_company.table.export import (
    Column,
    Row,
    archive,
    columns,
    decision_row,
    pair_rows,
    period_row,
    seat_rows,
)
from mixed_company.table.export.messages import message_rows
from mixed_company.table.export.outcomes import OF_QUESTIONS
from mixed_company.table.setup import setup_from

__all__ = ["ROWS", "declared", "software"]


def declared(
    name: str, groups: Iterable[list[Any]], game_id: str, asking: bool = False
) -> list[Column]:
    """Return the columns of a table for the games of these groups; without groups, of the game.

    `outcomes` has the same columns for all; those of questions only with `asking`.
    """
    setups = [setup_from(members[0].group.setup) for members in groups if name != "outcomes"]
    games: list[Game[Any]] = list(dict.fromkeys(game for own in setups for game in own.games))
    left_out = () if asking or name != "outcomes" else OF_QUESTIONS
    listed = [column for game in games or [engine.make(game_id)] for column in columns(name, game)]
    return [column for column in listed if column.name not in left_out]


def _decisions(played: Played) -> Iterator[Row]:
    """Yield one row per seat and period."""
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


def _periods(played: Played) -> Iterator[Row]:
    """Yield one row per period."""
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


def _pairs(played: Played) -> Iterator[Row]:
    """Yield one row per period and ordered pair of seats: the state between the two."""
    for line in played.periods:
        for row in pair_rows(played.setup.game, line):
            yield {**played.base, "period": line["period"], **row}


def _seats(played: Played) -> Iterator[Row]:
    """Yield one row per occupancy of a seat."""
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


def _events(played: Played) -> Iterator[Row]:
    """Yield one row per event."""
    for row in played.entries("event"):
        own = ("kind", "at_ms", "period", "event", "seat")
        rest = {key: value for key, value in row.items() if key not in own}
        yield {
            **played.base,
            **{key: row.get(key, "") for key in ("period", "at_ms", "event", "seat")},
            "wall_ms": played.wall(row["at_ms"]),
            "detail": json.dumps(rest) if rest else "",
        }


def _config(played: Played) -> Iterator[Row]:
    """Yield the row of the group: all that its play follows from, besides the decisions."""
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


def _messages(played: Played) -> Iterator[Row]:
    """Yield one row per message of a group that talked."""
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
"""The name of a table -> its rows for one group."""


@lru_cache(maxsize=1)
def software() -> dict[str, str]:
    """Return the versions of Python, oTree, numpy and this project."""
    return archive.software("otree", "numpy")
