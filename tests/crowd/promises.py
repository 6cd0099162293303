"""Messages of a person and their acknowledgements, compared with an export.

The last acknowledged action for a period counts, or a later action whose reply was lost. No other
action counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

__all__ = ["Promised", "Promises"]


class Promises:
    """Decisions of one person.

    acts           messages by id, in the order in which they were first sent
    acknowledged   their ids, in the order of the replies
    """

    def __init__(self) -> None:
        self.acts: dict[str, dict[str, Any]] = {}
        self.acknowledged: list[str] = []

    def sent(self, message: dict[str, Any]) -> None:
        """Record a message that a page sends."""
        if message.get("kind") == "act" and isinstance(message.get("id"), str):
            self.acts.setdefault(message["id"], message)

    def answered(self, message: dict[str, Any]) -> None:
        """Record a reply to a page."""
        if message.get("kind") == "ack" and message.get("id") in self.acts:
            self.acknowledged.append(message["id"])

    def saved(self) -> list[dict[str, float]]:
        """Return the acknowledged actions, in this order."""
        return [self.acts[name]["action"] for name in self.acknowledged]

    def differences(self, rows: Iterable[Mapping[str, Any]], over: bool = True) -> Iterator[str]:
        """Yield the differences between this person's decisions in an export and these promises.

        `rows` are the person's rows of `decisions`. While the play is not `over`, the current
        period is not in the export.
        """
        played: set[int] = set()
        for row in rows:
            period = row["period"]
            if period in played:
                yield f"period {period} occurs twice"
            played.add(period)
            sent = [name for name, act in self.acts.items() if act.get("period") == period]
            promised = [name for name in sent if name in self.acknowledged]
            possible = sent[sent.index(promised[-1]) :] if promised else sent
            actions = [self.acts[name].get("action") for name in possible]
            person = row["decided_by"] == "person"
            kept = any(_is(row, action) for action in actions)
            if (promised and not person) or (person and not kept):
                yield f"period {period}: {dict(row)}; sent {actions}, promised {promised}"
        open_still = set() if over else {max(played, default=-1) + 1}
        periods = {self.acts[name]["period"] for name in self.acknowledged}
        for period in sorted(periods - played - open_still):
            yield f"period {period}: promised, and not in the export"


class Promised(Protocol):
    """Person with promises, on a page or in a browser window."""

    @property
    def game_id(self) -> str:
        """Game that was played."""

    @property
    def code(self) -> str:
        """oTree's code of the participant."""

    @property
    def promises(self) -> Promises:
        """Messages that this person sent, and their acknowledgements."""

    @property
    def raised(self) -> int:
        """Number of errors in code that ran for this person."""


def _is(row: Mapping[str, Any], action: Any) -> bool:
    """Return whether a row contains the action as it was sent. An action that is not a mapping
    never matches."""
    if not isinstance(action, Mapping):
        return False
    return all(row.get(f"sent_{field}") == value for field, value in action.items())
