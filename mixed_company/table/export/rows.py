"""Rows that the rules determine, computed from a period's line.

A *line* is the JSON form of a `Period`: `sent`, `used`, `rewards`, `components`, `state` (after it)
and `ended` (why the play ended with it, or None).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import permutations
from typing import Any

from mixed_company.engine import solutions
from mixed_company.engine.contract.space import Field
from mixed_company.engine.game import Game
from mixed_company.engine.play.period import Decision
from mixed_company.table.export import peers
from mixed_company.table.export.column import places
from mixed_company.table.export.ruled import group_fields, has_pairs, pair_fields, seat_fields

Line = Mapping[str, Any]
Row = dict[str, Any]
"""Row of an export's table: column -> number, flag or text; a missing value is empty."""


def group_id(session: str, group: int) -> str:
    """Return a group's id, which is unique across sessions: `abcdefgh-3`."""
    return f"{session}-{group}"


def seat_rows(game: Game[Any], line: Line) -> list[Row]:
    """Return one row per seat."""
    per_seat = [field.name for field in seat_fields(game)]
    actions = game.declaration.actions
    return [
        {
            **in_columns("sent_", actions, _of_seat(line["sent"], seat)),
            **in_columns("used_", actions, _of_seat(line["used"], seat)),
            "reward": line["rewards"][seat],
            **{f"reward_{name}": part[seat] for name, part in line["components"].items()},
            **{f"after_{name}": line["state"][name][seat] for name in per_seat},
            **peers.seat_row(game, line["state"], seat),
        }
        for seat in range(game.seats)
    ]


def _of_seat(values: Mapping[str, Any], seat: int) -> dict[str, Any]:
    return {name: by_seat[seat] for name, by_seat in values.items()}


def decision_row(decision: Decision) -> Row:
    """Return the columns that say who decided, and when."""
    return {
        "occupant": decision.occupant,
        "policy_id": decision.policy_id or "",
        "decided_by": decision.by,
        "received_ms": decision.at_ms,
        "delay_ms": "" if decision.delay_ms is None else decision.delay_ms,
    }


def sent_of(game: Game[Any], rows: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return the actions that all seats sent in a period, in the form that the engine accepts.

    `rows` are the rows of `decisions`, in seat order. A value is None if nothing was sent.
    """
    decisions = list(rows)
    return {
        field.name: [_value_at(f"sent_{field.name}", field.shape, row) for row in decisions]
        for field in game.declaration.actions
    }


def _value_at(column: str, shape: tuple[int, ...], row: Mapping[str, Any]) -> Any:
    """Rebuild a field's value from the columns that `places` spread it over."""
    if not shape:
        value = row[column]
        return None if value is None or value == "" or value != value else value
    parts = [_value_at(f"{column}_{place}", shape[1:], row) for place in range(shape[0])]
    return None if all(part is None for part in parts) else parts


def period_row(game: Game[Any], line: Line, judged: Mapping[str, Any]) -> Row:
    """Return the row of the group; `judged` is the result of `solutions.judge` for the period."""
    return {
        "reward_sum": sum(line["rewards"]),
        **in_columns("after_", group_fields(game), line["state"]),
        **in_columns("", solutions.judged(game), judged),
        "ended": line["ended"] or "",
    }


def pair_rows(game: Game[Any], line: Line) -> list[Row]:
    """Return one row per ordered pair of seats; none if the game has no values for pairs."""
    if not has_pairs(game):
        return []
    between = [field.name for field in pair_fields(game)]
    partners = [field.name for field in seat_fields(game)]
    state = line["state"]
    return [
        {
            "seat": seat,
            "partner": partner,
            **{f"after_{name}": state[name][seat][partner] for name in between},
            **{f"partner_{name}": state[name][partner] for name in partners},
            **peers.pair_row(game, state, seat, partner),
        }
        for seat, partner in permutations(range(game.seats), 2)
    ]


def in_columns(prefix: str, fields: Iterable[Field], values: Mapping[str, Any]) -> Row:
    """Return the values of fields by column, with one column per array element.

    A missing value is empty. A whole number that a client sent as 3.0 is written as 3, to match its
    column's type.
    """
    row: Row = {}
    for field in fields:
        whole = field.kind in ("whole", "choice")
        for name, place in places(f"{prefix}{field.name}", field.shape):
            value = values[field.name]
            for index in place if value is not None else ():
                value = value[index]
            if whole and isinstance(value, float) and value.is_integer():
                value = int(value)
            row[name] = "" if value is None else value
    return row
