"""Columns of `answers`: people's answers to a session's questions, and their prizes."""

from __future__ import annotations

from typing import Any

from mixed_company.table.beliefs import Belief
from mixed_company.table.export.column import Column, Personal
from mixed_company.table.items import Item, Value

_SINCE = "milliseconds since 1970-01-01 UTC"
_OF_PLAY = f"{_SINCE}, on the play's clock"

PAGES_LAST = ("after", "end")
"""Pages with rows that follow all period rows."""


def _new(
    name: str, kind: str, meaning: str, unit: str = "", personal: Personal | None = None
) -> Column:
    return Column(name, kind, meaning, unit, since="0.8.0", personal=personal)


def answer_columns() -> list[Column]:
    """Return an answer's columns after session, group, period, seat and participant."""
    return [
        _new("when", "text", "period: during a period; before, after, end: on a page"),
        _new("question", "text", "name of the question"),
        _new("type", "text", "number, slider, choice or text"),
        _new(
            "value",
            "text",
            "the answer; for a choice, the option in its first language",
            personal=Personal.ANSWER,
        ),
        _new("number", "real", "the answer as a number; for a choice, its position, from 1"),
        _new("truth", "real", "the truth; empty: there is none or it is not known yet"),
        _new("error", "real", "distance between the answer and the truth"),
        _new("points", "real", "points won by the answer; empty: answers are not paid", "points"),
        _new("shown_ms", "whole", "when the period began; empty: on a page", _OF_PLAY),
        _new(
            "answered_ms",
            "whole",
            "when the answer that counts arrived; empty: on a page",
            _OF_PLAY,
        ),
        _new(
            "shown_wall_ms", "whole", "when the question was shown, on the machine's clock", _SINCE
        ),
        _new(
            "wall_ms",
            "whole",
            "when the answer that counts arrived, on the machine's clock",
            _SINCE,
        ),
    ]


def answer_row(item: Item, value: Value | None, belief: Belief) -> dict[str, Any]:
    """Return an answer's values for the table; a missing value is `""`."""
    number = value if value is not None and not isinstance(value, str) else None
    belief_values = {"truth": belief.truth, "error": belief.error, "points": belief.points}
    return {
        "question": item.name,
        "type": item.type,
        "value": "" if value is None else item.written(value),
        "number": "" if number is None else float(number),
        **{name: "" if amount is None else amount for name, amount in belief_values.items()},
    }
