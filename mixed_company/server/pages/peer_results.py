"""Peer points on the results page, the same for all games that have them."""

from __future__ import annotations

from typing import Any

from mixed_company.engine.game import Game
from mixed_company.language import pair
from mixed_company.server.pages.guide import Row
from mixed_company.server.pages.results import is_own
from mixed_company.server.pages.texts import counted, periods_of


def summary(game: Game[Any], log: list[Row], seat: int, digits: int) -> list[str]:
    """Describe the points that a person gave and got in the person's own periods, and their
    effects. If a game has both kinds of points, players see only the sum of the points that they
    got, so only the sum is described here.
    """
    rows = [row for row in periods_of(log) if is_own(row, seat)]
    if game.peers is None or not rows:
        return []
    kind = game.core.peer
    assigned = [points for row in rows for points in row["state"]["assigned"][seat]]
    less, more = (-sum(min(p, 0) for p in assigned), sum(max(p, 0) for p in assigned))
    counts = {"punishment": (more, 0), "reward": (0, more), "both": (less, more)}[kind]
    gave = [
        counted(*words, count)
        for words, count, unlike in zip(_gave(), counts, ("reward", "punishment"), strict=True)
        if kind != unlike
    ]
    cost = -sum(row["components"]["peer_cost"][seat] for row in rows)
    if any(counts):
        gave.append(counted("This cost you {n} point.", "This cost you {n} points.", cost, digits))
    return [" ".join(gave), " ".join(_got(kind, rows, seat, digits))]


def _gave() -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the texts (singular and plural) on punishment points and on reward points."""
    return (
        pair("You gave {n} punishment point.", "You gave {n} punishment points."),
        pair("You gave {n} reward point.", "You gave {n} reward points."),
    )


def _got(kind: str, rows: list[Row], seat: int, digits: int) -> list[str]:
    count = sum(row["state"]["received"][seat] for row in rows)
    change = _changed(sum(row["components"]["peer_received"][seat] for row in rows), digits)
    if kind == "both":
        return [change]
    words = pair("You got {n} punishment point.", "You got {n} punishment points.")
    if kind == "reward":
        words = pair("You got {n} reward point.", "You got {n} reward points.")
    return [counted(*words, count), *([change] if count else [])]


def _changed(change: float, digits: int) -> str:
    words = pair(
        "The points from the others earned you {n} point.",
        "The points from the others earned you {n} points.",
    )
    if change < 0:
        words = pair(
            "The points from the others cost you {n} point.",
            "The points from the others cost you {n} points.",
        )
    return counted(*words, abs(change), digits)
