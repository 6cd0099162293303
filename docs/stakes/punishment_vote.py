"""Promises of the default sessions of punishment_vote."""

from __future__ import annotations

from collections.abc import Iterator

from docs.stakes.conditions import Condition
from docs.stakes.earning import Table

__all__ = ["SESSIONS", "conditions"]

SESSIONS = ("vote",)


def conditions(table: Table) -> Iterator[Condition]:
    """Yield the promises of a session of this game."""
    yield from ()
