"""The errors of the engine. Each message names the key, the value and the rule it breaks."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = [
    "ActionError",
    "ConfigError",
    "EngineError",
    "LogError",
    "UnknownName",
    "choices",
    "nearest",
]


class EngineError(ValueError):
    """Anything the engine refuses. Catch this to catch them all."""


class ConfigError(EngineError):
    """A configuration that cannot be played."""


class ActionError(EngineError):
    """An action that is refused. The state has not changed."""


class UnknownName(EngineError):
    """A game, archetype, policy or key that does not exist."""


class LogError(EngineError):
    """A log that cannot be read or replayed."""


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint to append to an error: the nearest right name, or the list of names.

    >>> nearest("capacty", ["capacity", "periods"])
    "; did you mean 'capacity'?"
    """
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; one of: {', '.join(names)}" if names else ""


def choices(low: float, high: float) -> str:
    """The choices from low to high: all of them, or their ends if they are many.

    >>> choices(2, 4), choices(0, 22)
    ('2, 3, 4', '0 to 22')
    """
    numbers = range(int(low), int(high) + 1)
    if len(numbers) > 10:
        return f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(map(str, numbers))
