"""Which messages of a group's talk go out with a view: all that its seat can read to a page that
asks for everything, else those that were in none of its views before.
"""

from __future__ import annotations

from typing import Any

__all__ = ["Told"]


class Told:
    """What the pages of each seat were sent of the talk; `seat -> the last message's number`."""

    def __init__(self) -> None:
        self._last: dict[int, int] = {}

    def beside(self, seat: int, view: dict[str, Any], whole: bool) -> dict[str, Any]:
        """A view, plain JSON, with the messages that are to go with it."""
        talk = view.get("talk")
        if talk is None:
            return view
        last = self._last.get(seat, -1)
        self._last[seat] = max([last, *(one["number"] for one in talk["messages"])])
        if whole:
            return view
        new = [one for one in talk["messages"] if one["number"] > last]
        return {**view, "talk": {**talk, "messages": new}}
