"""Ledger of a payment, calculated by hand to the cent."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest

from mixed_company.table.ledger import PARTS, Stay, Terms, ledger, most, total

FINISHED = Stay("finished", seated=True, points=41.3)


def amounts(terms: Terms, stay: Stay) -> dict[str, str]:
    """Return the non-zero parts as texts."""
    return {name: str(amount) for name, amount in ledger(terms, stay).items() if amount}


@pytest.mark.parametrize(
    ("terms", "stay", "parts", "paid"),
    [
        # 41.3 points at 0.10 are 4.13
        (Terms(2.0, 0.1), FINISHED, {"fee": "2.00", "points": "4.13"}, "6.13"),
        # 1.5 minutes at 0.10 are 0.15
        (
            Terms(2.0, 0.1, waiting=0.1),
            Stay("finished", seated=True, points=41.3, waited_ms=90_000),
            {"fee": "2.00", "points": "4.13", "waiting": "0.15"},
            "6.28",
        ),
        # of 4.13 only 30 points are paid, 3.00
        (
            Terms(2.0, 0.1, cap=30.0),
            FINISHED,
            {"fee": "2.00", "points": "4.13", "cap": "-1.13"},
            "5.00",
        ),
        # -3 points cost 0.30, and the minimum of 5 points pays 0.50
        (
            Terms(2.0, 0.1, floor=5.0),
            Stay("finished", seated=True, points=-3.0),
            {"fee": "2.00", "points": "-0.30", "floor": "0.80"},
            "2.50",
        ),
        # 6.13 up to the next half
        (
            Terms(2.0, 0.1, rounding=0.5),
            FINISHED,
            {"fee": "2.00", "points": "4.13", "rounding": "0.37"},
            "6.50",
        ),
        # 8.25 points at 0.1 are 0.825; a half is rounded up despite its binary value
        (Terms(0.0, 0.1), Stay("finished", seated=True, points=8.25), {"points": "0.83"}, "0.83"),
        # 35.8414 x 0.12 = 4.300968: each part is rounded to the nearest cent
        (
            Terms(0.0, 0.12),
            Stay("finished", seated=True, points=35.8414),
            {"points": "4.30"},
            "4.30",
        ),
        # 2.00 + 4.30 = 6.30, up to the next half
        (
            Terms(2.0, 0.12, rounding=0.5),
            Stay("finished", seated=True, points=35.8414),
            {"fee": "2.00", "points": "4.30", "rounding": "0.20"},
            "6.50",
        ),
        # 4.5042 is 4.50, a multiple of 0.50: the parts are rounded before their sum
        (
            Terms(0.0, 0.12, rounding=0.5),
            Stay("finished", seated=True, points=37.535),
            {"points": "4.50"},
            "4.50",
        ),
        # 20 seconds at 0.10 a minute are 0.0333; a third of 2.00 is 0.6667
        (
            Terms(2.0, 0.12, waiting=0.1, pro_rata=True),
            Stay("left", seated=True, points=35.8414, share=1 / 3, waited_ms=20_000),
            {"fee": "0.67", "points": "4.30", "waiting": "0.03"},
            "5.00",
        ),
        # 1.4 + 1.4 points at 0.01 are 0.014 and together 0.028: the answers add 0.03 - 0.01
        (
            Terms(0.0, 0.01),
            Stay("finished", seated=True, points=1.4, answers=1.4),
            {"points": "0.01", "questions": "0.02"},
            "0.03",
        ),
        # a quarter of the periods: a quarter of the fee, and the points earned in them
        (
            Terms(2.0, 0.1, pro_rata=True),
            Stay("left", seated=True, points=10.0, share=0.25),
            {"fee": "0.50", "points": "1.00"},
            "1.50",
        ),
        # the person did not end it
        (
            Terms(2.0, 0.1, pro_rata=True),
            Stay("ended", seated=True, points=10.0, share=0.25),
            {"fee": "2.00", "points": "1.00"},
            "3.00",
        ),
        # 4 points are won by answers, and the floor of 9 covers both together: 5 + 4 is 9
        (
            Terms(2.0, 0.1, floor=9.0),
            Stay("finished", seated=True, points=5.0, answers=4.0),
            {"fee": "2.00", "points": "0.50", "questions": "0.40"},
            "2.90",
        ),
        # the cap covers both too: 0.60 of 0.90 is paid
        (
            Terms(2.0, 0.1, cap=6.0),
            Stay("finished", seated=True, points=5.0, answers=4.0),
            {"fee": "2.00", "points": "0.50", "questions": "0.40", "cap": "-0.30"},
            "2.60",
        ),
        # released from the lobby after two minutes
        (
            Terms(2.0, 0.1, waiting=0.2),
            Stay("released", seated=False, waited_ms=120_000),
            {"fee": "2.00", "waiting": "0.40"},
            "2.40",
        ),
        (
            Terms(2.0, 0.1, shares={"quiz_failed": 0.25}),
            Stay("quiz_failed", seated=False),
            {"fee": "0.50"},
            "0.50",
        ),
    ],
)
def test_every_cent_has_its_part(terms, stay, parts, paid):
    assert amounts(terms, stay) == parts
    assert tuple(ledger(terms, stay)) == PARTS
    assert total(ledger(terms, stay)) == Decimal(paid)


@pytest.mark.parametrize(
    ("status", "seated"),
    [
        *[(status, False) for status in ("arriving", "waiting", "left", "quiz_failed")],
        *[("no_consent", False), ("excluded", False), ("excluded", True), ("seated", True)],
    ],
)
def test_people_who_did_not_take_part_are_paid_nothing(status, seated):
    terms = Terms(2.0, 0.1, waiting=1.0, floor=5.0, shares={"left": 1.0}, rounding=0.5)
    stay = Stay(status, seated, points=20.0, waited_ms=60_000)
    assert ledger(terms, stay) == dict.fromkeys(PARTS, Decimal(0))


def test_terms_are_read_from_options_of_any_release():
    assert Terms.of(2.0, 0.1, {"pay_cap": 9.0}) == Terms(2.0, 0.1, cap=9.0)
    options = {"pay_waiting": 0.1, "fee_shares": {"left": 0.5}, "pay_rounding": 0.1, "bots": "x"}
    assert Terms.of(1.0, 0.2, options).shares == {"left": 0.5}


def test_the_largest_payment_has_a_bound_if_points_have_one():
    assert most(Terms(2.0, 0.1), math.inf, 0.0) == math.inf
    # 2.00 + 30 x 0.10 + 1 minute x 0.30
    assert most(Terms(2.0, 0.1, cap=30.0, waiting=0.3), math.inf, 60_000) == 5.3
    assert most(Terms(2.0, 0.1, cap=30.0), 20.0, 0.0) == 4.0
    assert most(Terms(2.0, 0.1, floor=25.0), 20.0, 0.0) == 4.5
    assert most(Terms(2.0, 0.0), math.inf, 0.0) == 2.0
