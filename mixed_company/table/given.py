"""The one reader of texts that a form, a session config or a command gives for a key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mixed_company.engine.contract.config import Section
from mixed_company.engine.contract.errors import ConfigError

__all__ = ["from_text", "plain", "read"]

_FLAGS = {"true": True, "false": False}


def read(section: type[Section], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a section's keys among those given, with texts parsed.

    oTree's form and its session configs have numbers, flags and texts, and a key that is empty at
    first stays a text in the form. An empty text is the default of a key whose default is nothing.
    Raises ConfigError for a list or an object that is not JSON.
    """
    values = {key: given[key] for key in section.model_fields if key in given}
    for key, value in values.items():
        field = section.model_fields[key]
        if field.annotation is not str:
            empty = field.default if field.default in (None, {}, ()) else value
            values[key] = from_text(key, value, empty)
    return values


def from_text(key: str, value: Any, empty: Any) -> Any:
    """Return the number, flag, list or object that a text is; an empty one is `empty`.

    Raises ConfigError that names `key`, where a list or an object is not JSON.
    """
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text[:1] in ("[", "{"):
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"{key} = {value!r:.60}: is not JSON: {error}") from None
    return plain(value) if text else empty


def plain(text: str) -> bool | float | str:
    """Return the flag or the number that a text is; any other text is itself."""
    lower = text.strip().lower()
    if lower in _FLAGS:
        return _FLAGS[lower]
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            pass
    return text
