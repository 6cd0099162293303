"""A TOML file that somebody wrote by hand."""

from __future__ import annotations

import tomllib
from typing import Any

__all__ = ["toml"]

MOST_CHARACTERS = 50_000
"""Of a text: the time for a key of many parts grows with the square of their number."""


def toml(text: str) -> dict[str, Any]:
    """What a TOML text says. Raises ValueError with the reason, whatever the text is."""
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"it has {len(text)} characters: at most {MOST_CHARACTERS}")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
