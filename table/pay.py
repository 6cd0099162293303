"""What a person at a table earns, is paid, and how his or her part ends.

The server pays by these rules, and the audit of an export checks by them.
"""

from __future__ import annotations

from typing import Literal

from engine.play.decision import Occupant

__all__ = ["UNSEATED", "bot_share", "credited", "paid_points", "status"]

UNSEATED = ("arriving", "waiting", "left", "released")
"""How the part of a person can stand who has no seat."""


def credited(occupant: Occupant, reward: float) -> float:
    """What a person is credited with of what his or her seat earned in a period.

    All of it, unless a policy decided: what was still owed to who has left is paid as well.
    """
    return 0.0 if occupant == "policy" else reward


def paid_points(points: float, floor: float, cap: float) -> float:
    """The points that are paid: what the person earned, within floor and cap (0: no cap)."""
    return min(max(points, floor), cap or float("inf"))


def bot_share(policy_periods: int, periods: int) -> float:
    """The share of the periods played in which a policy decided on a seat."""
    return policy_periods / periods if periods else 0.0


def status(occupant: Occupant, out: bool) -> Literal["seated", "finished", "left"]:
    """How the part of a person stands whose seat this occupant has; `out`: its play is over."""
    if not out:
        return "seated"
    return "finished" if occupant == "person" else "left"
