"""Self-contained HTML page for a log, with controls for stepping through the play in both
directions.

The page shows the complete state, so it is for researchers, never for players.
"""

from __future__ import annotations

import html
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mixed_company.engine.contract import describe
from mixed_company.engine.contract.space import Field
from mixed_company.engine.game import Game
from mixed_company.engine.play import record
from mixed_company.engine.play.episode import Episode
from mixed_company.files import standing_alone

_EVERYTHING = {"period": 1, "seat": 0, "verbose": True, "events": "all"}
_SHOWN = 20


def page(
    lines: Sequence[Mapping[str, Any]], wrong: Sequence[str] = (), game: Game[Any] | None = None
) -> str:
    """Return a log's page as HTML. `wrong` lists its differences from the replay, if any.

    `game` is needed only if `engine.make` does not know the game.
    Raises LogError if the log cannot be replayed.
    """
    shown = data(lines, wrong, game)
    # an angle bracket in a text must not end the surrounding script
    written = json.dumps(shown, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return player(shown["title"], written)


def data(
    lines: Sequence[Mapping[str, Any]], wrong: Sequence[str] = (), game: Game[Any] | None = None
) -> dict[str, Any]:
    """Return the JSON data for a log's page; see `page`."""
    logged_game, again = record.recomputed([dict(line) for line in lines], game, _EVERYTHING)
    head, config = again[0], logged_game.config
    identity, declared, more = config.identity, logged_game.declaration, len(wrong) - _SHOWN
    return {
        "title": f"{identity.game} ({identity.archetype}), seed {head['seed']}",
        "summary": _summary(logged_game, again),
        "wrong": [*wrong[:_SHOWN], *([f"and {more} more"] if more > 0 else [])],
        "roles": list(config.agents.seats) or [""] * logged_game.seats,
        "fields": {
            "actions": [_field(field) for field in declared.actions],
            "observations": [_field(field) for field in declared.observations],
            "state": [_field(field, logged_game.seats) for field in declared.state],
            "components": [_field(field) for field in declared.components],
        },
        "config": [
            list(row)
            for section in type(config).model_fields
            for row in describe.parameters(getattr(config, section), f"{section}.")
        ],
        "start": {
            "state": Episode(logged_game, head["seed"]).state_record(),
            "observations": head["observations"],
        },
        "periods": _periods(again),
    }


def player(title: str, written: str) -> str:
    """Return the HTML page for `written`, which is the result of `data` as JSON without angle
    brackets.
    """
    template = Path(__file__).with_name("replay.html")
    return standing_alone(template, TITLE=html.escape(title), DATA=written)


def _summary(game: Game[Any], lines: Sequence[record.Line]) -> str:
    periods = sum(line["level"] == "period" for line in lines)
    text = f"seats: {game.seats}, periods: {periods}"
    end = lines[-1]
    if not record.is_whole(lines):
        return f"{text}; the log stops before the play is over"
    return f"{text}; ended by {end['reason']} ({end['result']})"


def _field(field: Field, seats: int | None = None) -> dict[str, Any]:
    """Return a field in the form that the page reads; a missing limit of its range is null.

    `seats` is passed for a state field, whose first axis may be the seats.
    """
    low, high = (end if math.isfinite(end) else None for end in (field.low, field.high))
    span = field.high - field.low + 1
    return {
        "name": field.name,
        "meaning": field.meaning,
        "unit": field.unit,
        "kind": field.kind,
        "low": low,
        "high": high,
        "shape": list(field.shape),
        "visibility": field.visibility,
        "bulk": field.bulk,
        "names": list(field.names),
        "one_hot": bool(field.names) and len(field.names) != span,
        "of_seats": field.shape[:1] == (seats,) and not field.common,
    }


def _periods(lines: Sequence[record.Line]) -> list[record.Line]:
    """Return the period lines, each with its period's events."""
    periods: list[record.Line] = []
    for line in lines:
        if line["level"] == "period":
            periods.append({**line, "events": []})
        elif line["level"] == "event":
            periods[-1]["events"].append(
                {key: value for key, value in line.items() if key not in ("level", "period")}
            )
    return periods
