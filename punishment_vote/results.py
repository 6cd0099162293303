"""The results page of the punishment vote: the resources collected, their costs, and which players
paid them."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from mixed_company.engine import solutions
from mixed_company.engine.games.punishment_vote import VoteCore
from mixed_company.language import gettext as _
from mixed_company.server.pages import plain
from mixed_company.server.pages.texts import counted, number, percent, periods_of, together
from mixed_company.table.table import Table

DIGITS = 1


def summary(table: Table, log: list[dict[str, Any]], seat: int) -> list[str]:
    """Return sentences about the course of the game and the seat's earnings."""
    core = table.game.core
    rows = periods_of(log)
    if not rows:
        return []
    lines = [
        *_own_summary(core, rows, seat),
        _group_summary(table, rows),
        *_at_most(table, rows),
    ]
    if plain.is_seen(table.game, "level"):
        line = _("At the end the punishment level was {level}.")
        lines.append(line.format(level=percent(rows[-1]["state"]["level"])))
    return lines


def _own_summary(core: VoteCore, rows: list[dict[str, Any]], seat: int) -> list[str]:
    parts = {
        name: sum(row["components"][name][seat] for row in rows) for name in rows[0]["components"]
    }
    counts = Counter(row["state"]["collected"][seat] for row in rows)
    names = list(core.resources)
    kinds = ", ".join(f"{counts[i]} {name}" for i, name in enumerate(names, 1) if counts[i])
    return [
        counted(
            "You collected: {kinds}. That earned you {n} point.",
            "You collected: {kinds}. That earned you {n} points.",
            parts["value"],
            DIGITS,
            kinds=kinds or _("nothing"),
        ),
        counted(
            "You lost {n} point to punishment, {votes} to voting costs and {harm} to harm "
            "from other players.",
            "You lost {n} points to punishment, {votes} to voting costs and {harm} to harm "
            "from other players.",
            -parts["punishment"],
            DIGITS,
            votes=number(-parts["vote_cost"]),
            harm=number(-parts["harm"]),
        ),
        counted(
            "The resources you collected cost the other players {n} point in total.",
            "The resources you collected cost the other players {n} points in total.",
            _caused(core, rows, seat),
            DIGITS,
        ),
    ]


def _caused(core: VoteCore, rows: list[dict[str, Any]], seat: int) -> float:
    """Return the total points that the other seats lost because of what this seat collected."""
    harms = [0.0, *(kind.harm for kind in core.resources.values())]
    caused = (harms[row["state"]["collected"][seat]] * _harmed(core, row, seat) for row in rows)
    return float(sum(caused))


def _harmed(core: VoteCore, row: dict[str, Any], seat: int) -> int:
    """Return the number of other seats that are harmed if a seat collects a resource in this turn.
    Seats that have left are not harmed."""
    left = row["state"].get("seat_reason", [0] * core.seats)
    return sum(not left[other] for other in range(core.seats) if other != seat)


def _votes_are_seen(table: Table) -> bool:
    """Return whether the play showed the number of votes, directly or through the level."""
    return plain.is_seen(table.game, "increases", "decreases")


def _group_summary(table: Table, rows: list[dict[str, Any]]) -> str:
    up = sum(int(row["state"]["increases"]) for row in rows)
    down = sum(int(row["state"]["decreases"]) for row in rows)
    points = sum(sum(row["rewards"]) for row in rows)
    if not _votes_are_seen(table):
        return together(points, DIGITS)
    return counted(
        "Your group earned {n} point together. Votes for more punishment: {up}, for less: {down}.",
        "Your group earned {n} points together. Votes for more punishment: {up}, for less: {down}.",
        points,
        DIGITS,
        up=up,
        down=down,
    )


def _at_most(table: Table, rows: list[dict[str, Any]]) -> list[str]:
    """Describe the upper bound on what the group could have earned, or return nothing if it is
    unknown. It may be impossible to reach the bound, so the text does not claim that more was
    possible.
    """
    bound = _bound(table, rows)
    if bound is None:
        return []
    lines = [
        counted(
            "No group could have earned more than {n} point together in this game, even if "
            "it had known where all resources would appear.",
            "No group could have earned more than {n} points together in this game, even if "
            "it had known where all resources would appear.",
            math.ceil(10 * bound - 1e-6) / 10,  # never below what the group earned
            DIGITS,
        )
    ]
    points = sum(sum(row["rewards"]) for row in rows)
    if points > 0:
        line = _("Your group earned {share}% of that.")
        lines.append(line.format(share=number(100 * points / bound)))
    return [" ".join(lines)]


def _bound(table: Table, rows: list[dict[str, Any]]) -> float | None:
    """Return an upper bound on the whole group's points, or None if no bound is known."""
    if any(any(row["state"].get("seat_reason", ())) for row in rows):
        return None
    best = solutions.best(table.game, table.episode.seed)
    return None if best is None or best.value <= 0 else best.value


def picture(table: Table, log: list[dict[str, Any]], seat: int) -> dict[str, Any]:
    """Return the totals of the seat and of all seats together.

    The picture does not distinguish between the other seats, because the play did not either. The
    chart of points shows the others' average only if there are several other seats.

    own, all   {points, collected: by kind, up, down: votes, cost: points lost by the others}; the
               votes of all are None if the play did not show them
    """
    core = table.game.core
    rows = periods_of(log)
    everybody = _done(core, rows, list(range(core.seats)))
    if not _votes_are_seen(table):
        everybody |= {"up": None, "down": None}
    bound = _bound(table, rows)
    level = [] if bound is None else [bound / core.seats] * len(rows)
    best = {"name": _("Maximum per player"), "points": level} if level else None
    course = {"others": core.seats > 2, "best": best}
    return {"own": _done(core, rows, [seat]), "all": everybody, "course": course}


def _done(core: VoteCore, rows: list[dict[str, Any]], seats: list[int]) -> dict[str, Any]:
    """Return the totals for these seats: points, resources by kind, votes, cost to others."""
    taken = Counter(row["state"]["collected"][seat] for row in rows for seat in seats)
    votes = Counter(row["state"]["vote"][seat] for row in rows for seat in seats)
    return {
        "points": sum(row["rewards"][seat] for row in rows for seat in seats),
        "collected": [taken[i] for i in range(1, len(core.resources) + 1)],
        "up": votes[1],
        "down": votes[-1],
        "cost": sum(_caused(core, rows, seat) for seat in seats),
    }
