"""The page Payments, and every other place where oTree says what a participant is paid.

oTree 6.0.15 has everybody stand there with the fee, who never came as well, and counts them in the
total and in the mean; and it knows points and a fee alone. Here it is what `server.paying` says.
"""

from __future__ import annotations

from typing import Any

from otree.models import Participant
from otree.views.admin import SessionPayments

from mixed_company.server.paying import beyond_fee, paid_to

__all__ = ["install"]

_payment = Participant.payoff_plus_participation_fee
_bonus = Participant.payoff_in_real_world_currency
_payments = SessionPayments.vars_for_template


def install() -> None:
    """Change what a participant is paid, and the mean of it."""
    Participant.payoff_plus_participation_fee = _paid
    Participant.payoff_in_real_world_currency = _paid_beyond_fee
    SessionPayments.vars_for_template = _with_counts


def _paid(person: Any) -> Any:
    amount = paid_to(person)
    return _payment(person) if amount is None else amount


def _paid_beyond_fee(person: Any) -> Any:
    amount = beyond_fee(person)
    return _bonus(person) if amount is None else amount


def _with_counts(view: Any) -> dict[str, Any]:
    shown: dict[str, Any] = _payments(view)
    amounts = [person.payoff_plus_participation_fee() for person in shown["participants"]]
    paid = [amount for amount in amounts if amount]
    if paid:
        shown["mean_payment"] = sum(paid) / len(paid)
    return {**shown, "paid": len(paid), "unpaid": len(amounts) - len(paid)}
