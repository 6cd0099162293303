"""The rows that the rules determine, from the line of a period.

A *line* is what is known of a period, plain JSON: `sent`, `used`, `rewards`, `components`, `state`
(after it) and `ended` (why the play ended with it, or None).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import permutations
from typing import Any

from engine import solutions
from engine.contract import space
from engine.contract.space import Field
from engine.game import Game
from engine.play.episode import Episode
from engine.play.period import Period
from table.export.columns import group_fields, pair_fields, places, seat_fields

__all__ = ["in_columns", "line_of", "pair_rows", "period_row", "seat_rows"]

Line = Mapping[str, Any]
Row = dict[str, Any]


def line_of(episode: Episode, sent: Mapping[str, Any], step: Period) -> Row:
    """The line of the period that `step` ended, in which `sent` was sent."""
    return {
        "period": episode.period - 1,
        "sent": {name: list(values) for name, values in sent.items()},
        "used": space.to_json(step.used),
        "rewards": step.rewards.tolist(),
        "components": space.to_json(step.components),
        "state": episode.state_record(),
        "ended": step.reason,
    }


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
    found: Row = {}
    for field in fields:
        for name, place in places(f"{prefix}{field.name}", field.shape):
            value = values[field.name]
            for index in place:
                value = value[index]
            found[name] = "" if value is None else value
    return found
