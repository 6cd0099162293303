"""Promises of the default sessions of commons_game."""

from __future__ import annotations

from collections.abc import Iterator

from docs.stakes.conditions import Condition
from docs.stakes.earning import Table

__all__ = ["SESSIONS", "conditions"]

SESSIONS = ("commons",)


def conditions(table: Table) -> Iterator[Condition]:
    """Yield the promises of a session of this game."""
    yield from ()
