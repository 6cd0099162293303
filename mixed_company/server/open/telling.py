"""Selects the talk messages that are sent with a view.

A page that asks for everything gets all messages that its seat can read. Other views carry only
messages that no earlier view has contained.
"""

from __future__ import annotations

from typing import Any


class Told:
    """Number of the last talk message sent to each seat."""

    def __init__(self) -> None:
        self._last: dict[int, int] = {}

    def beside(self, seat: int, view: dict[str, Any], whole: bool) -> dict[str, Any]:
        """Return the view (plain JSON) with only the talk messages that it should carry."""
        talk = view.get("talk")
        if talk is None:
            return view
        last = self._last.get(seat, -1)
        self._last[seat] = max([last, *(message["number"] for message in talk["messages"])])
        if whole:
            return view
        new = [message for message in talk["messages"] if message["number"] > last]
        return {**view, "talk": {**talk, "messages": new}}
