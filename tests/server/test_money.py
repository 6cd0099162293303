"""Texts about money: amounts, the rate, and other parts of the payment."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from otree import settings

from mixed_company.language import speaking
from mixed_company.server.pages import money, wording
from mixed_company.table.ledger import Stay, Terms, ledger
from mixed_company.table.options import Options

LESS = "If you do not play to the end, you may be paid less for taking part."
WAITING = "You are paid €0.20 for each minute that you wait for your group."
ROUNDED = "Your total payment is rounded up to a multiple of €0.50."


@pytest.mark.parametrize(
    ("options", "sentences"),
    [
        ({}, []),
        ({"pay_rounding": 0.01}, []),  # too little to notice
        ({"pay_rounding": 0.5}, [ROUNDED]),
        ({"pay_waiting": 0.2}, [WAITING]),
        ({"fee_pro_rata": True}, [LESS]),
        ({"fee_shares": {"ended": 0.5}}, [LESS]),
        ({"fee_shares": {"finished": 0.5}}, []),  # that is the fee
        ({"pay_rounding": 0.5, "pay_waiting": 0.2, "fee_pro_rata": True}, [ROUNDED, WAITING, LESS]),
    ],
)
def test_exactly_the_other_parts_of_the_payment_are_described(options, sentences):
    assert money.besides(Options(**options)) == sentences


@pytest.mark.parametrize(
    ("amount", "language", "text"),
    [
        (2.5, "en", "€2.50"),
        (0, "en", "€0.00"),
        (-0.25, "en", "\N{MINUS SIGN}€0.25"),
        (1234.5, "en", "€1234.50"),
        (2.5, "de", "2,50 €"),
        (-2.5, "de", "\N{MINUS SIGN}2,50 €"),
    ],
)
def test_an_amount_is_written_as_the_language_writes_it(amount, language, text):
    with speaking(language):
        assert money.written(amount).replace("\N{NO-BREAK SPACE}", " ") == text


def test_an_amount_has_the_currency_and_the_decimals_of_the_settings(monkeypatch):
    monkeypatch.setattr(settings, "REAL_WORLD_CURRENCY_DECIMAL_PLACES", 0)
    monkeypatch.setattr(settings, "REAL_WORLD_CURRENCY_CODE", "USD")
    assert money.written(2.0) == "$2"
    monkeypatch.setattr(settings, "REAL_WORLD_CURRENCY_CODE", "XYZ")  # has no currency sign
    assert money.written(2.0) == "XYZ2"


def session(rate: float, fee: float = 2.0) -> Any:
    keys = {"real_world_currency_per_point": rate, "participation_fee": fee}
    return SimpleNamespace(config=keys)


@pytest.mark.parametrize(
    ("rate", "text"), [(0.1, "1 point = €0.10"), (0.003, "100 points = €0.30"), (0.0, "")]
)
def test_the_rate_is_written_with_the_smallest_readable_number_of_points(rate, text):
    assert money.equation(session(rate)) == text


@pytest.mark.parametrize(("share", "text"), [(1.0, "€2.00"), (0.25, "€0.50")])
def test_the_fee_is_the_one_for_playing_to_the_end(share, text):
    assert money.fee(session(0.1), Options(fee_shares={"finished": share})) == text


def test_the_answer_about_pay_gives_the_reason_and_the_rounding():
    """Pay 2 points at 0.10, and 2.00 for taking part: 2.20, rounded up to 2.50."""
    [plain] = money.question(session(0.1), Options())
    assert plain["name"] == "pay"
    assert plain["why"] == "2 points are worth €0.20, and you get €2.00 for taking part."
    [rounded] = money.question(session(0.1), Options(pay_rounding=0.5))
    assert rounded["right"] == "€2.50"
    assert rounded["why"] == f"{plain['why']} {ROUNDED}"


def test_the_example_on_the_results_page_follows_the_rule():
    """Pay 4.304 and 4.305 points at 1.00 per point."""
    sentence = wording.results()["rounded"]
    assert sentence.endswith("4.304 becomes 4.30, and 4.305 becomes 4.31.")
    for points, paid in ((4.304, "4.30"), (4.305, "4.31")):
        parts = ledger(Terms(0.0, 1.0), Stay("finished", seated=True, points=points))
        assert str(parts["points"]) == paid
