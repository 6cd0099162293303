"""What a form or a session config gives for a key: a text as what it stands for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mixed_company.engine.contract.config import Section
from mixed_company.engine.contract.errors import ConfigError

__all__ = ["from_text", "read"]

_FLAGS = {"true": True, "false": False}


def read(section: type[Section], given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a section's keys among those given, texts as what they stand for.

    oTree's form and its session configs know numbers, flags and texts, and a key that is empty at
    first stays a text in the form: here, and nowhere else, texts become what the key is. An empty
    text is the default where that is nothing. Raises ConfigError for what is not JSON.
    """
    values = {key: given[key] for key in section.model_fields if key in given}
    for key, value in values.items():
        field = section.model_fields[key]
        if field.annotation is not str:
            empty = field.default if field.default in (None, {}, ()) else value
            values[key] = from_text(key, value, empty)
    return values


def from_text(key: str, value: Any, empty: Any) -> Any:
    """A text as the number, flag, JSON list or object that it is; an empty one as `empty`.

    Raises ConfigError that names `key`, where a list or an object is no JSON.
    """
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text[:1] in ("[", "{"):
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"{key} = {value!r:.60}: is not JSON: {error}") from None
    return _plain(text, value) if text else empty


def _plain(text: str, otherwise: str) -> Any:
    if text.lower() in _FLAGS:
        return _FLAGS[text.lower()]
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            pass
    return otherwise
