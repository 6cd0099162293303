"""What a cell of a table describes in JSON, read without ever stopping at a damaged one."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["described"]


def described(text: str) -> dict[str, Any] | None:
    """The mapping that a JSON text describes; None where it cannot be read, or is none.

    >>> described('{"pace": "clock"}'), described("{pace"), described("[1]")
    ({'pace': 'clock'}, None, None)
    """
    try:
        value = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
