"""The rows that the rules determine, from the line of a period.

A *line* is the JSON form of a `Period`: `sent`, `used`, `rewards`, `components`, `state` (after it)
and `ended` (why the play ended with it, or None).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import permutations
from typing import Any

from engine import solutions
from engine.contract.space import Field
from engine.game import Game
from engine.play.decision import Decision
from table.export.columns import group_fields, pair_fields, places, seat_fields

__all__ = [
    "Row",
    "decision_of",
    "decision_row",
    "in_columns",
    "pair_rows",
    "period_row",
    "seat_rows",
]

Line = Mapping[str, Any]
Row = dict[str, Any]
"""A row of a table of an export: column -> number, flag or text; empty where there is nothing."""


def seat_rows(game: Game[Any], line: Line) -> list[Row]:
    """One row per seat."""
    per_seat = [field.name for field in seat_fields(game)]
    return [
        {
            **{f"sent_{name}": values[seat] for name, values in line["sent"].items()},
            **{f"used_{name}": values[seat] for name, values in line["used"].items()},
            "reward": line["rewards"][seat],
            **{f"reward_{name}": part[seat] for name, part in line["components"].items()},
            **{f"after_{name}": line["state"][name][seat] for name in per_seat},
        }
        for seat in range(game.seats)
    ]


def decision_row(decision: Decision) -> Row:
    """The columns that say who decided, and when."""
    return {
        "occupant": decision.occupant,
        "policy_id": decision.policy_id or "",
        "decided_by": decision.by,
        "received_ms": decision.at_ms,
        "delay_ms": "" if decision.delay_ms is None else decision.delay_ms,
    }


def decision_of(row: Mapping[str, Any]) -> Decision:
    """The decision that a row of `decisions` describes; what has no time is at 0."""
    sent = {name.removeprefix("sent_"): value for name, value in row.items() if _is_sent(name)}
    at_ms, delay_ms = row["received_ms"], row["delay_ms"]
    return Decision(
        sent,
        row["decided_by"],
        0 if at_ms == "" else at_ms,
        row["policy_id"] or None,
        None if delay_ms == "" else delay_ms,
    )


def _is_sent(column: str) -> bool:
    return column.startswith("sent_")


def period_row(game: Game[Any], line: Line, judged: Mapping[str, Any]) -> Row:
    """The row of the group; `judged` is what `solutions.judge` said of the period."""
    return {
        "reward_sum": sum(line["rewards"]),
        **in_columns("after_", group_fields(game), line["state"]),
        **in_columns("", solutions.judged(game), judged),
        "ended": line["ended"] or "",
    }


def pair_rows(game: Game[Any], line: Line) -> list[Row]:
    """One row per ordered pair of seats."""
    between = [field.name for field in pair_fields(game)]
    partners = [field.name for field in seat_fields(game)]
    state = line["state"]
    return [
        {
            "seat": seat,
            "partner": partner,
            **{f"after_{name}": state[name][seat][partner] for name in between},
            **{f"partner_{name}": state[name][partner] for name in partners},
        }
        for seat, partner in permutations(range(game.seats), 2)
    ]


def in_columns(prefix: str, fields: Iterable[Field], values: Mapping[str, Any]) -> Row:
    """The places of arrays, each in its column; what has no value is empty."""
    row: Row = {}
    for field in fields:
        for name, place in places(f"{prefix}{field.name}", field.shape):
            value = values[field.name]
            for index in place:
                value = value[index]
            row[name] = "" if value is None else value
    return row
