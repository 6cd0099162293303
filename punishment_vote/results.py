"""What the punishment vote says at the end: what was collected, what it cost, and whom."""

from __future__ import annotations

from collections import Counter
from gettext import gettext as _
from typing import Any

from engine.games.punishment_vote import VoteCore
from server.texts import number, percent
from table.table import Table

__all__ = ["DIGITS", "details", "summary"]

DIGITS = 1


def summary(table: Table, log: list[dict[str, Any]], seat: int) -> list[str]:
    """What happened and why one earned what one earned, in sentences."""
    core = table.game.core
    rows = [row for row in log if row["kind"] == "period"]
    if not rows:
        return []
    return [
        *_own_summary(core, rows, seat),
        _group_summary(core, rows),
        _("At the end the punishment level was {level}.").format(
            level=percent(rows[-1]["state"]["level"])
        ),
    ]


def _own_summary(core: VoteCore, rows: list[dict[str, Any]], seat: int) -> list[str]:
    parts = {
        name: sum(row["components"][name][seat] for row in rows) for name in rows[0]["components"]
    }
    counts = Counter(row["state"]["collected"][seat] for row in rows)
    names = list(core.resources)
    kinds = ", ".join(f"{counts[i]} {name}" for i, name in enumerate(names, 1) if counts[i])
    lines = [
        _("On your seat these were collected: {kinds}. They brought {value} points.").format(
            kinds=kinds or _("nothing"), value=number(parts["value"])
        ),
        _(
            "Taken off: {punishment} points as punishment, {votes} for votes, and {harm} because "
            "of what the others collected."
        ).format(
            punishment=number(-parts["punishment"]),
            votes=number(-parts["vote_cost"]),
            harm=number(-parts["harm"]),
        ),
    ]
    caused = sum(
        (core.seats - 1) * core.resources[names[row["state"]["collected"][seat] - 1]].harm
        for row in rows
        if row["state"]["collected"][seat]
    )
    line = _("What was collected on your seat cost the others {caused} points together.")
    return [*lines, line.format(caused=number(caused))]


def _group_summary(core: VoteCore, rows: list[dict[str, Any]]) -> str:
    up = sum(int(row["state"]["increases"]) for row in rows)
    down = sum(int(row["state"]["decreases"]) for row in rows)
    together = number(sum(sum(row["rewards"]) for row in rows))
    line = _("Your group earned {points} points together. Votes: {up} up, {down} down.")
    return line.format(points=together, up=up, down=down)


def details(table: Table, log: list[dict[str, Any]], seat: int) -> list[dict[str, Any]]:
    """What was collected on the seat, kind by kind."""
    core = table.game.core
    counts = Counter(row["state"]["collected"][seat] for row in log if row["kind"] == "period")
    kinds = list(enumerate(core.resources.items(), start=1))
    rows = [
        [name, counts[i], number(counts[i] * kind.value), number(counts[i] * kind.harm)]
        for i, (name, kind) in kinds
    ]
    heads = [_("Kind"), _("times"), _("points for you"), _("points each other lost")]
    return [{"title": _("What was collected on your seat"), "heads": heads, "rows": rows}]
