"""Parser for config values that come as strings from forms, session configs or commands."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mixed_company.engine.contract.config import Section
from mixed_company.engine.contract.errors import ConfigError

_FILE = ".txt"
_FLAGS = {"true": True, "false": False}


def read(section: type[Section], config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a section's keys in `config`, with strings parsed.

    oTree's form and its session configs can hold only numbers, flags and strings, and the form
    returns a string for every value that was initially empty. An empty string means the default, if
    the default is None or empty. Raises ConfigError for a list or an object that is not JSON.
    """
    values = {key: config[key] for key in section.model_fields if key in config}
    for key, value in values.items():
        field = section.model_fields[key]
        if field.annotation is not str:
            empty = field.default if field.default in (None, {}, ()) else value
            values[key] = from_text(key, value, empty)
    return values


def from_text(key: str, value: Any, empty: Any) -> Any:
    """Return the number, flag, list or object that a string represents, or `empty` for an empty
    string.

    Raises a ConfigError that names `key` if a list or an object is not JSON.
    """
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text[:1] in ("[", "{"):
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"{key} = {value!r:.60}: not JSON: {error}") from None
    return plain(value) if text else empty


def plain(text: str) -> bool | float | str:
    """Return the flag or number that a string represents; return any other string unchanged."""
    lower = text.strip().lower()
    if lower in _FLAGS:
        return _FLAGS[lower]
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            pass
    return text


def is_number(text: str) -> bool:
    """Return whether a string consists only of digits, at most as many as a seed can have."""
    return re.fullmatch("[0-9]{1,30}", text.strip()) is not None


def consent_text(text: str) -> str:
    """Return the text of `consent`; a value ending in .txt is the name of a file in the project.

    Raises ConfigError if there is no such file, or if it is not UTF-8 text.
    """
    name = text.strip()
    if not name.endswith(_FILE) or len(name.split()) > 1:
        return text
    folder = Path.cwd().resolve()
    file = (folder / name).resolve()
    if not file.is_relative_to(folder) or not file.is_file():
        raise ConfigError(f"consent = {name!r:.80}: there is no such file in {folder}")
    try:
        return file.read_text("utf-8").strip()
    except UnicodeDecodeError:
        raise ConfigError(f"consent = {name!r:.80}: not UTF-8 text") from None
