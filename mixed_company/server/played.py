"""One group that played, as an export reads it: its people, and what its journal says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mixed_company.table.export import Row
from mixed_company.table.journal import Entry
from mixed_company.table.setup import Setup

__all__ = ["Played"]


@dataclass(frozen=True)
class Played:
    """One group: its people by seat, and what its journal says.

    session   the config of the session
    wall_at   at a time of the play: what the machine's clock showed; None: nobody knows
    """

    base: Row
    session: Mapping[str, Any]
    people: dict[int, Any]
    setup: Setup
    log: list[Entry]
    wall_at: Callable[[int], int | None]

    def wall(self, at_ms: int) -> int | str:
        """What the machine's clock showed at a time of the play, where that is known."""
        known = self.wall_at(at_ms)
        return "" if known is None else known

    @cached_property
    def seed(self) -> int:
        """The seed of its play."""
        return int(next(self.entries("start"))["seed"])

    @cached_property
    def periods(self) -> list[Entry]:
        """The periods that are over."""
        return list(self.entries("period"))

    def code(self, seat: int) -> str:
        return self.people[seat].participant.code if seat in self.people else ""

    def entries(self, kind: str) -> Iterator[Entry]:
        """The entries of its log that are of a kind."""
        return (entry for entry in self.log if entry["kind"] == kind)
