"""A person's earnings and pay at a table, and how the person's part ends.

The server uses these rules to pay people, and an export's audit reapplies them.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal

from mixed_company.engine.play.period import Occupant

MOST_PAID = 10**9
"""Largest fee or rate."""

Seated = Literal["seated", "finished", "left", "ended", "released", "excluded"]
"""Statuses of a person who had a seat."""

UNSEATED = (
    *("arriving", "waiting", "left", "released"),
    *("quiz_failed", "no_consent", "excluded"),
)
"""Statuses of a person without a seat."""


def can_be_paid(amount: Any) -> bool:
    """Return whether an amount, as a number or a string, is valid as a fee or a rate."""
    try:
        return not isinstance(amount, bool) and 0 <= Decimal(amount) <= MOST_PAID
    except (ArithmeticError, TypeError, ValueError):
        return False


def paid_points(points: float, floor: float, cap: float) -> float:
    """Return the points that are paid: the points earned, limited by floor and cap (0: no cap)."""
    return min(max(points, floor), cap or float("inf"))


def bot_share(policy_periods: int, periods: int) -> float:
    """Return the share of played periods in which a policy made a seat's decision."""
    return policy_periods / periods if periods else 0.0


def is_paid(status: str, seated: bool) -> bool:
    """Return whether a person with this status is paid.

    A person who had a seat is paid once the participation is over; so is a person who was released.
    A person who never arrived, did not pass the quiz or left the lobby is not paid.
    """
    return status == "released" or (seated and status in ("finished", "left", "ended"))


def status(
    occupant: Occupant,
    out: bool,
    *,
    ended: bool = False,
    released: bool = False,
    excluded: bool = False,
    handed: bool = False,
) -> Seated:
    """Return the status of a person whose seat `occupant` has now.

    out        whether the play is over for this seat; `ended`: whether it was ended early
    released   whether the manager has ended the person's part; `excluded`: without pay
    handed     whether the manager gave the seat to its policy, so the person has not left
    """
    if excluded:
        return "excluded"
    if released:
        return "released"
    if not out:
        return "seated"
    if ended and (occupant == "person" or handed):
        return "ended"
    return "finished" if occupant == "person" else "left"
