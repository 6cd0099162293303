"""Errors raised by the engine. Each message names the key, its value and the rule it breaks."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

_MOST_ITEMS = 12  # items of a value shown in an error
_LONGEST = 40  # characters of a value shown in an error


class EngineError(ValueError):
    """Base class of the engine's errors."""


class ConfigError(EngineError):
    """Error for a configuration that cannot be played."""


class ActionError(EngineError):
    """Error for a refused action. The state has not changed.

    subject   the refused field, with its value if there is one; empty if only the message names it
    rule      the rule it breaks, a translatable text with placeholders that `gaps` fills
    """

    def __init__(self, message: str, *, subject: str = "", rule: str = "", **gaps: Any) -> None:
        super().__init__(message)
        self.subject = subject
        self.rule = rule
        self.gaps = gaps

    @classmethod
    def of(cls, place: str, subject: str, rule: str, **gaps: Any) -> ActionError:
        """Return the error for one seat's action; `place` names the play and the seat if needed."""
        message = f"{place}{subject}: {rule.format(**gaps)}"
        return cls(message, subject=subject, rule=rule, **gaps)


class UnknownName(EngineError):
    """Error for an unknown game, archetype, policy or key name."""


class LogError(EngineError):
    """Error for a log that cannot be read or replayed."""


def listed(value: object) -> str:
    """Return a list from a configuration as abbreviated JSON.

    >>> listed(((0, 1), (1,)))
    '[[0, 1], [1]]'
    """
    text = str(value).replace("(", "[").replace(",)", "]").replace(")", "]")
    return text if len(text) <= 80 else text[:77] + "..."


def short(value: object, longest: int = _LONGEST, items: int = _MOST_ITEMS) -> str:
    """Return a value in the short form used in error messages.

    >>> short(2.5), short([1, 2]), short([0] * 99), short(10**400)
    ('2.5', '[1, 2]', 'list of 99', 'a huge number')
    """
    if isinstance(value, dict | list | tuple) and len(value) > items:
        return f"{type(value).__name__} of {len(value)}"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**20:
        return "a huge number"
    try:
        text = repr(value)
    except (
        RecursionError,
        ValueError,
    ):  # recursive lists; numbers too long to write
        return f"a {type(value).__name__}"
    return text if len(text) <= longest else text[: longest - 3] + "..."


def nearest(name: object, valid: Iterable[str]) -> str:
    """Return a hint to append to an error: the nearest valid name, or the list of names.

    Only a string can be similar to a name. Names that contain commas are listed in quotes, as in
    CSV.

    >>> nearest("capacty", ["capacity", "periods"]), nearest(10**5000, ["capacity"])
    ("; did you mean 'capacity'?", '; one of: capacity')
    >>> nearest("x", ["lab, quota=2", "lab"])
    '; one of: lab, "lab, quota=2"'
    """
    names = sorted(valid)
    close = difflib.get_close_matches(name, names, n=1) if isinstance(name, str) else []
    if close:
        return f"; did you mean {close[0]!r}?"
    listed = (f'"{text}"' if "," in text else text for text in names)
    return f"; one of: {', '.join(listed)}" if names else ""


def choices(low: float, high: float) -> str:
    """Return the choices from low to high as text, or only the first and last if there are many.

    >>> choices(2, 4), choices(0, 22)
    ('2, 3, 4', '0 to 22')
    """
    numbers = range(int(low), int(high) + 1)
    if len(numbers) > 10:
        return f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(map(str, numbers))
