"""How attentive a person was at the play page, as the page has counted it.

The page hands it in with its form: how often and how long it was hidden (another tab, another
window), and how long nobody touched it while it was to be seen.
"""

from __future__ import annotations

from typing import Any

from mixed_company.server.pages.handed_in import handed_in

__all__ = ["COUNTS", "counted"]

COUNTS = ("hidden_ms", "hidden_times", "idle_ms")
"""What a page counts: milliseconds, times, milliseconds."""

_MOST = 10**10


def counted(text: Any) -> dict[str, int]:
    """The counts that a page has sent, whatever it was; what is no count is left out."""
    sent = handed_in(text)
    return {
        name: sent[name]
        for name in COUNTS
        if type(sent.get(name)) is int and 0 <= sent[name] <= _MOST
    }
