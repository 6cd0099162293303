"""Reading of TOML files that people write by hand."""

from __future__ import annotations

import tomllib
from typing import Any

__all__ = ["toml"]

MOST_CHARACTERS = 50_000
"""Of a text."""

MOST_DOTS = 1000
"""Of a line, so of a key: the time for a key grows with the square of the number of its parts."""


def toml(text: str) -> dict[str, Any]:
    """Return the content of a TOML text. Raises ValueError with the reason for any bad text."""
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"it has {len(text)} characters: at most {MOST_CHARACTERS}")
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > MOST_DOTS:
            raise ValueError(f"line {number} has {line.count('.')} dots: at most {MOST_DOTS}")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
