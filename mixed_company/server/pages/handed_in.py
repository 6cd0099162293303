"""What a page hands in as JSON in a field of its form: whatever came, an object."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["handed_in"]


def handed_in(text: Any) -> dict[str, Any]:
    """The object that a page has handed in; empty where it is none."""
    try:
        sent = json.loads(text) if isinstance(text, str) and text else {}
    except (ValueError, RecursionError):
        return {}
    return sent if isinstance(sent, dict) else {}
