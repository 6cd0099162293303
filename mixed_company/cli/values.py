"""What the texts of arguments stand for: parameters of a game, lists, whole numbers."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from typing import Any

from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest

__all__ = ["assigned", "parts", "whole_numbers"]

_SECTIONS = ("core", "layers", "agents", "instrumentation")
_OPTIONS = ("game", "archetype", "seed")


def assigned(pairs: Iterable[str]) -> dict[str, Any]:
    """The keywords of `engine.make` that `key=value` texts stand for. Values are JSON, or text.

    >>> assigned(["capacity=50", "layers.power.intensity=0.5"])
    {'capacity': 50, 'layers': {'power': {'intensity': 0.5}}}

    Raises ConfigError or UnknownName.
    """
    keywords: dict[str, Any] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        path = key.split(".")
        if not equals or not all(path):
            raise ConfigError(f"{pair!r}: should be key=value")
        if len(path) > 1 and path[0] not in _SECTIONS:
            raise UnknownName(f"{key}: unknown section {path[0]!r}{nearest(path[0], _SECTIONS)}")
        if path[0] == "core":
            path = path[1:]
            if len(path) != 1:
                raise ConfigError(f"{key}: set a whole parameter: core.{path[0]}=JSON")
        if path[0] in _OPTIONS:
            raise ConfigError(f"{key}: is no parameter; there is --archetype and --seed")
        _place(keywords, path, _value(text), key)
    return keywords


def _place(keywords: dict[str, Any], path: list[str], value: Any, key: str) -> None:
    for part in path[:-1]:
        keywords = keywords.setdefault(part, {})
        if not isinstance(keywords, dict):
            raise ConfigError(f"{key}: {part} is set as a whole already")
    keywords[path[-1]] = value


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def parts(text: str) -> tuple[str, ...]:
    """What stands between commas, without blanks and what is empty. What has commas itself stands
    in double quotes, as in CSV.

    >>> parts('"lab, quota=2", lab')
    ('lab, quota=2', 'lab')
    """
    row = next(csv.reader([text], skipinitialspace=True), [])
    return tuple(part.strip() for part in row if part.strip())


def whole_numbers(key: str, text: str) -> tuple[int, ...]:
    """Whole numbers by commas. Raises ConfigError that names the key."""
    if not all(part.isdigit() for part in parts(text)):
        raise ConfigError(f"{key} = {text!r}: should be whole numbers by commas, such as 4,8,12")
    return tuple(map(int, parts(text)))
