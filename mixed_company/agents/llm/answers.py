"""Parsing of a model's answers: the JSON object in a text, and the action in the object.

    object_in(text)            the object, or the reason why there is none
    action_in(text, schema)    the object with a checked `action`, or the reason

Models that reason, or that are not restricted to JSON, write more than the answer. If `harvest` is
the only field of the action, all of these answers mean {"harvest": 2}:

    {"action": {"harvest": 2}}
    <think>{"harvest": 9} is too much.</think> {"action": {"harvest": 2}}
    I take two fish. ```json {"action": {"harvest": 2}} ```
    {"action": {"harvest": "2"}}
    {"harvest": 2}

If there are several objects, the last object counts, because models draft before they answer.
Numbers in quotation marks count as numbers. Any other value of the wrong type is an error, and so
is an unavailable choice; the model is told why.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

from mixed_company.engine.contract.errors import short

Json = dict[str, Any]

_THOUGHTS = re.compile(r"^.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")
_DECODER = json.JSONDecoder()

_UNFINISHED = re.compile(r"<think(?:ing)?>", re.IGNORECASE)

EMPTY = "it is empty"
"""Reason why an empty answer is unusable."""

MOST_LENGTH = 20_000
"""Number of characters at the end of a text that are searched for objects."""


def object_in(text: str) -> tuple[Json | None, str]:
    """Return the last JSON object in a text, after the model's reasoning, and "".

    Return None and the reason if there is no object.
    """
    if not text.strip():
        return None, EMPTY
    answer = _THOUGHTS.sub("", text).strip()
    if _UNFINISHED.search(answer):
        return None, "its reasoning does not end"
    try:
        data = json.loads(answer)
    except (ValueError, RecursionError):
        objects = _objects(answer[-MOST_LENGTH:])
        return (objects[-1], "") if objects else (None, "it is not JSON")
    return (data, "") if isinstance(data, dict) else (None, "it is not an object")


def _objects(text: str) -> list[Json]:
    """Return the outermost JSON objects in a text."""
    objects, place = [], text.find("{")
    while place >= 0:
        try:
            data, end = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            objects.append(data)
        place = text.find("{", end)
    return objects


def action_in(text: str, schema: Json) -> tuple[Json | None, str]:
    """Return an answer's object, whose `action` has the schema's fields, and "". `schema` describes
    the action. Return None and the reason if the answer has no such action.
    """
    data, reason = object_in(text)
    if data is None:
        return None, reason
    action = data.get("action")
    if not isinstance(action, dict):
        action = {name: data[name] for name in schema["required"] if name in data}
        if len(action) < len(schema["required"]):
            return None, '"action" is missing'
    for name in schema["required"]:
        if name not in action:
            return None, f"action.{name} is missing"
    action = {name: _converted(value) for name, value in action.items()}
    for name, value in action.items():
        if name not in schema["properties"]:
            return None, f"action.{name} is not a field"
        rule = _broken_rule(value, schema["properties"][name])
        if rule:
            return None, f"action.{name} = {short(value)}: {rule}"
    return {**data, "action": action}, ""


def _broken_rule(value: Any, field: Json) -> str:
    """Return the rule that a field's value breaks, or an empty string if it breaks none. Amounts
    outside the range break no rule, because the table limits them.
    """
    if isinstance(value, list) != (field["type"] == "array"):
        return f"should be of type {field['type']}"
    if not _is_filled(value):
        return "should be a number" if field["type"] != "array" else "should have numbers only"
    if "enum" in field and value not in field["enum"]:
        return f"should be one of {', '.join(map(str, field['enum']))}"
    if field["type"] == "integer" and value != int(value):
        return "should be a whole number"
    return ""


def _converted(value: Any) -> Any:
    """Return the value with numbers in quotation marks converted to plain numbers."""
    if isinstance(value, list):
        return [_converted(part) for part in value]
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        number = float(value)
        return int(number) if number.is_integer() else number
    return value


def _is_filled(value: Any) -> bool:
    """Return whether a value is a finite number, or a list of finite numbers at any depth."""
    if isinstance(value, list):
        return all(map(_is_filled, value))
    return isinstance(value, int | float) and math.isfinite(value)
