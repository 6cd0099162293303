"""What a page hands in as JSON in a field of its form, whatever came; among it, attention.

The play page counts how often and how long it was hidden (another tab, another window), and how
long nobody touched it while it was to be seen.
"""

from __future__ import annotations

import json
from typing import Any

__all__ = ["COUNTS", "counted", "handed_in"]

COUNTS = ("hidden_ms", "hidden_times", "idle_ms")
"""What a page counts: milliseconds, times, milliseconds."""

_MOST = 10**10


def handed_in(text: Any) -> dict[str, Any]:
    """Return the object that a page has handed in; empty if it is not an object."""
    try:
        sent = json.loads(text) if isinstance(text, str) and text else {}
    except (ValueError, RecursionError):
        return {}
    return sent if isinstance(sent, dict) else {}


def counted(text: Any) -> dict[str, int]:
    """Return the counts that a page has sent, whatever it was; other values are left out."""
    sent = handed_in(text)
    return {
        name: sent[name]
        for name in COUNTS
        if type(sent.get(name)) is int and 0 <= sent[name] <= _MOST
    }
