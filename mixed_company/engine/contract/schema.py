"""JSON Schema (2020-12) of an action, for agents that send JSON.

    action_schema(game.allowed(state).of(seat))

For a seat that may harvest 0 to 12.5:

    {"type": "object",
     "properties": {"harvest": {"type": "number", "minimum": 0.0, "maximum": 12.5,
                                "description": "...", "default": 0.0}},
     "required": ["harvest"], "additionalProperties": false}

The schema is built from a seat's `Allowed` value. It accepts the same actions, except amounts
outside the range, which `Allowed` would clamp. Fields of other stages are left out. JSON Schema
cannot express the rules for assigning points, so the description states them.
"""

from __future__ import annotations

import math
from typing import Any

from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.space import Field

_TYPES = {"real": "number", "whole": "integer", "choice": "integer", "flag": "integer"}


def action_schema(allowed: Allowed) -> dict[str, Any]:
    """Return the JSON Schema of the actions currently open to one seat."""
    defaults, ends = allowed.default_action(), allowed.to_json()
    properties = {
        field.name: {
            **_property(field, ends[field.name]),
            "default": _typed(field, defaults[field.name]),
        }
        for field in allowed.fields
        if field.name not in allowed.idle
    }
    rules = allowed.assigning
    if rules is not None and rules.field in properties:
        properties[rules.field]["description"] += f". {rules.in_words()}"
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _property(field: Field, ends: list[Any]) -> dict[str, Any]:
    words = f"{field.meaning} ({field.unit})" if field.unit else field.meaning
    described = {"description": _described(field, words)}
    if not field.shape:
        return {**described, **_number(field, ends)}
    return {**described, **_array(field, field.shape, ends[0], ends[1])}


def _described(field: Field, words: str) -> str:
    names = ", ".join(
        f"{int(field.low) + place}: {name.replace('_', ' ')}"
        for place, name in enumerate(field.names)
    )
    return f"{words}. {names}" if names else words


def _number(field: Field, ends: list[Any]) -> dict[str, Any]:
    low, high, *listed = ends
    if field.kind == "choice":
        chosen = listed[0] if listed else range(int(low), int(high) + 1)
        return {"type": "integer", "enum": [int(choice) for choice in chosen]}
    number: dict[str, Any] = {"type": _TYPES[field.kind]}
    if field.ends_only:
        return {**number, "enum": sorted({_typed(field, low), _typed(field, high)})}
    if low is not None:
        number["minimum"] = _typed(field, low)
    if high is not None:
        number["maximum"] = _typed(field, high)
    return number


def _array(field: Field, shape: tuple[int, ...], low: Any, high: Any) -> dict[str, Any]:
    """Return the schema of a nested array of numbers, with the widest range of any entry."""
    length = {"type": "array", "minItems": shape[0], "maxItems": shape[0]}
    if len(shape) > 1:
        return {**length, "items": _array(field, shape[1:], _flat(low), _flat(high))}
    ends = [_widest(min, low), _widest(max, high)]
    return {**length, "items": _number(field, ends)}


def _flat(values: Any) -> list[Any]:
    return [value for row in values for value in (row if isinstance(row, list) else [row])]


def _widest(of: Any, values: Any) -> Any:
    listed = values if isinstance(values, list) else [values]
    return None if None in listed else of(listed)


def _typed(field: Field, value: Any) -> Any:
    if isinstance(value, list):
        return [_typed(field, item) for item in value]
    return float(value) if field.kind == "real" or not math.isfinite(value) else int(value)
