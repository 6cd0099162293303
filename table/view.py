"""What the page of one seat shows: the `view` of the live protocol.

It holds what the seat may see and nothing else: its own observation, what it earned, who has
decided, and, if the session discloses it, who is a person and who a policy.
"""

from __future__ import annotations

from typing import Any

from engine.contract import space
from table.seating import Seat
from table.table import Table

__all__ = ["phase", "view"]


def phase(table: Table, seat: int) -> str:
    """decide, waiting or over, for one seat."""
    if table.out(seat):
        return "over"
    chair = table.seats[seat]
    free = table.started_ms is not None and chair.occupant == "person"
    open_still = table.options.by_clock or seat not in table.decided
    open_still = open_still and table.episode.turn in (None, seat)
    return "decide" if free and open_still else "waiting"


def view(table: Table, seat: int, now: int) -> dict[str, Any]:
    """What the page of one seat shows; call `advance` first."""
    chair = table.seats[seat]
    layout = table.game.declaration.observations
    last = None
    if table.last is not None:
        last = {
            "reward": table.last["rewards"][seat],
            "components": {name: row[seat] for name, row in table.last["components"].items()},
            "used": {name: row[seat] for name, row in table.last["used"].items()},
            "by": table.last["by"][seat],
        }
    return {
        "kind": "view",
        "period": table.episode.period,
        "phase": phase(table, seat),
        "remaining_ms": _remaining_ms(table, now),
        "observation": space.to_json(space.of_seat(layout, table.episode.observations, seat)),
        "limits": table.episode.allowed(seat).to_json(),
        "last": last,
        "seats": [_shown(table, other, seat) for other in table.seats],
        "points": chair.points,
        "standin": chair.occupant == "policy",
        "started": table.started_ms is not None,
        "turn": table.episode.turn,
        "ended": _ended(table, seat),
    }


def _ended(table: Table, seat: int) -> dict[str, Any]:
    """Why the play is over for a seat."""
    if table.seats[seat].occupant == "nobody":
        return {"reason": "left", "result": "neither"}
    return {"reason": table.episode.reason, "result": table.episode.result}


def _remaining_ms(table: Table, now: int) -> int | None:
    """Until the decision's time is up (before the start: until it starts at the latest).

    Never until a bot answers: that would tell who is a bot.
    """
    if table.episode.done:
        return None
    due = table.opened_ms + table.grace_ms if table.started_ms is None else table.deadline_ms
    return None if due is None else max(due - now, 0)


def _shown(table: Table, chair: Seat, viewer: int) -> dict[str, Any]:
    shown: dict[str, Any] = {"seat": chair.seat, "you": chair.seat == viewer}
    if not table.options.by_clock:  # there a bot's answer, always at once, would tell who is a bot
        shown["decided"] = chair.seat in table.decided
    if table.options.disclosure == "labels":
        shown["occupant"] = chair.occupant
    return shown
