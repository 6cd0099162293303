"""Parsers for untrusted JSON from a form field, and for a page's attention counts.

The play page counts how often and how long it was hidden (another tab or window), and how long it
was visible but idle.
"""

from __future__ import annotations

import json
from typing import Any

COUNTS = ("hidden_ms", "hidden_times", "idle_ms")
"""Counts that a page submits: milliseconds hidden, number of times hidden, milliseconds idle."""

_MOST = 10**10


def handed_in(text: Any) -> dict[str, Any]:
    """Return the submitted object, or an empty one if the text is not a JSON object."""
    try:
        sent = json.loads(text) if isinstance(text, str) and text else {}
    except (ValueError, RecursionError):
        return {}
    return sent if isinstance(sent, dict) else {}


def counted(text: Any) -> dict[str, int]:
    """Return the valid counts in the submitted text; ignore everything else."""
    sent = handed_in(text)
    return {
        name: sent[name]
        for name in COUNTS
        if type(sent.get(name)) is int and 0 <= sent[name] <= _MOST
    }
