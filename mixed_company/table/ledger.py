"""A person's payment in money, part by part; the parts add up exactly, to the cent.

    fee        paid for taking part; only in part to a person who left or was not admitted
    points     earned points, at the rate
    questions  points won with answers to questions, at the rate
    floor      amount added to reach the minimum payment
    cap        amount deducted above the maximum payment
    waiting    paid for the minutes in the lobby
    rounding   added to round the sum of the other parts up to a multiple of the session's step

Money is `Decimal`. The fee, the paid points and the waiting time are each rounded to the nearest
hundredth of the session's currency, with an exact half rounded away from 0. Only their sum is
rounded up, so that a person can add up the parts as shown. For example, 35.8414 points at 0.12 are
4.30097, which is 4.30. With a fee of 2.00 the sum is 6.30, and 6.50 if the step is 0.50:

    >>> terms = Terms(fee=2.0, rate=0.12, rounding=0.5)
    >>> parts = ledger(terms, Stay("finished", seated=True, points=35.8414))
    >>> {name: float(amount) for name, amount in parts.items() if amount}
    {'fee': 2.0, 'points': 4.3, 'rounding': 0.2}

Points and answers are rounded together, so `questions` is the amount that the answers add to the
rounded points; likewise, `floor` and `cap` are differences between rounded amounts. In a session
with several games or blocks, this rule applies to each game's or block's parts, and to their sum.
The server uses these rules to pay people, and an export's audit reapplies them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal
from typing import Any

from mixed_company.table.pay import is_paid, paid_points

PARTS = ("fee", "points", "questions", "floor", "cap", "waiting", "rounding")
"""Parts of a payment, in the order they are shown."""

CENT = Decimal("0.01")
_MINUTE_MS = 60_000

Ledger = dict[str, Decimal]
"""Part -> amount; contains all of PARTS, in that order."""


@dataclass(frozen=True)
class Terms:
    """A session's terms of payment; amounts are in its currency.

    fee, rate    amount paid for taking part, and for each point
    floor, cap   minimum and maximum points paid (0: no cap), including points for answers
    waiting      amount paid for each minute in the lobby
    pro_rata     whether a person who left is paid a share of the fee for the periods they played
    shares       outcome -> share of the fee, where it is not all or nothing
    rounding     the sum of the rounded parts is rounded up to a multiple of this
    """

    fee: float
    rate: float
    floor: float = 0.0
    cap: float = 0.0
    waiting: float = 0.0
    pro_rata: bool = False
    shares: Mapping[str, float] = field(default_factory=dict)
    rounding: float = 0.01

    @classmethod
    def of(cls, fee: float, rate: float, options: Mapping[str, Any]) -> Terms:
        """Return a session's terms; options that are missing in an older release get their
        defaults."""
        values = {name: options[key] for name, key in _KEYS.items() if key in options}
        return cls(fee, rate, **values)


_KEYS = {
    "floor": "pay_floor",
    "cap": "pay_cap",
    "waiting": "pay_waiting",
    "pro_rata": "fee_pro_rata",
    "shares": "fee_shares",
    "rounding": "pay_rounding",
}
"""Term -> key of the options."""


@dataclass(frozen=True)
class Stay:
    """Facts about a person's participation that affect pay.

    points      earned points
    share       share of the game's periods in which the person had the seat, 0 to 1
    waited_ms   time in the lobby
    answers     points won with answers to questions
    """

    status: str
    seated: bool
    points: float = 0.0
    share: float = 1.0
    waited_ms: float = 0.0
    answers: float = 0.0


def ledger(terms: Terms, stay: Stay) -> Ledger:
    """Return a person's payment, by part."""
    parts = dict.fromkeys(PARTS, Decimal(0))
    parts["fee"] = _cents(_decimal(terms.fee) * _decimal(_fee_share(terms, stay)))
    if is_paid(stay.status, stay.seated):
        parts["waiting"] = _cents(
            _decimal(terms.waiting) * _decimal(stay.waited_ms) / Decimal(_MINUTE_MS)
        )
        if stay.seated:
            parts |= _of_points(terms, stay.points, stay.answers)
    exact = total(parts)
    parts["rounding"] = rounded_up(exact, terms.rounding) - exact
    return parts


def total(parts: Ledger) -> Decimal:
    """Return the total payment."""
    return sum(parts.values(), Decimal(0))


def most(terms: Terms, points: float, longest_wait_ms: float) -> float:
    """Return the most that one person can be paid for at most this many points, prizes included.

    The result is infinite if points have a rate but neither a limit nor a cap.
    """
    counted = min(points, terms.cap) if terms.cap else points
    if terms.rate and math.isinf(counted):
        return math.inf
    earned = counted if terms.rate else 0.0
    stay = Stay("finished", seated=True, points=earned, waited_ms=longest_wait_ms)
    return float(total(ledger(terms, stay)))


def _of_points(terms: Terms, points: float, answers: float) -> Ledger:
    rate, both = _decimal(terms.rate), points + answers
    earned, won, raised, kept = (
        _cents(_decimal(counted) * rate)
        for counted in (
            points,
            both,
            max(both, terms.floor),
            paid_points(both, terms.floor, terms.cap),
        )
    )
    return {
        "points": earned,
        "questions": won - earned,
        "floor": raised - won,
        "cap": kept - raised,
    }


def _fee_share(terms: Terms, stay: Stay) -> float:
    """Return the share of the fee that is paid.

    A person who left the lobby gets no fee, whatever `shares` says for `left`.
    """
    paid = is_paid(stay.status, stay.seated)
    if stay.status == "left" and not paid:
        return 0.0
    share = terms.shares.get(stay.status, 1.0 if paid else 0.0)
    by_periods = terms.pro_rata and stay.status == "left"
    return share * stay.share if by_periods else share


def _decimal(amount: float) -> Decimal:
    """Return the number exactly as written: 0.1 is exactly one tenth."""
    return Decimal(repr(float(amount)))


def _cents(amount: Decimal) -> Decimal:
    """Round an amount to hundredths, with an exact half rounded away from 0."""
    return amount.quantize(CENT, ROUND_HALF_UP)


def rounded_up(amount: Decimal, step: float) -> Decimal:
    """Return the smallest multiple of a step that is at least an amount."""
    exact = _decimal(step)
    return (amount / exact).to_integral_value(ROUND_CEILING) * exact
