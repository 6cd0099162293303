"""Value of points in readable units: 100 points = 0.30, but never 1 point = 0.00. This module also
has the quiz question about the value.
"""

from __future__ import annotations

from typing import Any

from otree import settings
from otree.i18n import CURRENCY_SYMBOLS, get_currency_format

from mixed_company.language import decimals, spoken
from mixed_company.language import gettext as _
from mixed_company.server.pages import texts
from mixed_company.server.pages.guide import Question
from mixed_company.server.paying import terms_of
from mixed_company.table.ledger import Stay, ledger, total
from mixed_company.table.options import Options
from mixed_company.table.pay import paid_points

ONE_CENT = 0.01

LEAST = 0.10
"""Smallest amount of money on the right side of the equation."""
ROUNDING = 0.001
"""Maximum relative error from writing an amount with two digits."""
_PLACES = 10  # nobody reads longer strings of zeros


def worth(rate: float) -> tuple[int, float]:
    """Return (points, money): the smallest of 1, 10, 100 ... points with a value that is easy to
    read.

    `rate` is money per point; (1, 0.0) if points are worth nothing.
    """
    if rate <= 0:
        return 1, 0.0
    counts = [10**places for places in range(_PLACES)]
    fitting = (count for count in counts if _is_plain(count * rate))
    count = next(fitting, counts[-1])
    return count, count * rate


def written(amount: Any) -> str:
    """Format an amount in the currency of the settings and the current language."""
    code, places = settings.REAL_WORLD_CURRENCY_CODE, settings.REAL_WORLD_CURRENCY_DECIMAL_PLACES
    form = get_currency_format(spoken(), "", code)
    figure = decimals(f"{abs(float(amount)):.{places}f}")
    sign = "\N{MINUS SIGN}" if amount < 0 else ""
    symbol = str(CURRENCY_SYMBOLS.get(code, code))
    return sign + str(form).replace("\N{CURRENCY SIGN}", symbol).replace("#", figure)


def _is_plain(money: float) -> bool:
    return money >= LEAST and abs(round(money, 2) - money) <= ROUNDING * money


def equation(session: Any) -> str:
    """Return the value of a session's points, as text; empty if they are worth nothing."""
    points, money = worth(float(session.config["real_world_currency_per_point"]))
    return texts.rate(points, written(money)) if money else ""


def question(session: Any, options: Options) -> list[Question]:
    """Return the quiz question about the total payment; empty if points are worth nothing."""
    rate = float(session.config["real_world_currency_per_point"])
    if rate <= 0:
        return []
    step, _worth = worth(rate)
    earned = paid_points(2 * step, options.pay_floor, options.pay_cap)
    parts = ledger(terms_of(session, options), Stay("finished", seated=True, points=earned))
    gained, fee, rounded = parts["points"], parts["fee"], parts["rounding"]
    sums = (total(parts), gained, fee, total(parts) - gained / 2)
    right, worth_alone, fee_alone, half = (written(amount) for amount in sums)
    options_shown = {right, worth_alone, fee_alone, half}
    why = texts.counted(
        "{n} point is worth {worth}, and you get {fee} for taking part.",
        "{n} points are worth {worth}, and you get {fee} for taking part.",
        earned,
        worth=worth_alone,
        fee=fee_alone,
    )
    if rounded:
        why = " ".join([why, *rounding(options)])
    return [
        {
            "name": "pay",
            "text": texts.counted(
                "Suppose you have earned {n} point by the end. How much are you paid in total?",
                "Suppose you have earned {n} points by the end. How much are you paid in total?",
                earned,
            ),
            "options": sorted(options_shown, key=lambda amount: (len(amount), amount)),
            "right": right,
            "why": why,
        }
    ]


def fee(session: Any, options: Options) -> str:
    """Return the participation fee for a full play, as text."""
    return written(ledger(terms_of(session, options), Stay("finished", seated=True))["fee"])


def rounding(options: Options) -> list[str]:
    """Return a sentence about rounding if people would notice it, otherwise an empty string."""
    if options.pay_rounding <= ONE_CENT:
        return []
    line = _("Your total payment is rounded up to a multiple of {money}.")
    return [line.format(money=written(options.pay_rounding))]


def besides(options: Options) -> list[str]:
    """Return the instructions' sentences about other parts of the payment."""
    lines = rounding(options)
    if options.pay_waiting:
        line = _("You are paid {money} for each minute that you wait for your group.")
        lines.append(line.format(money=written(options.pay_waiting)))
    if options.fee_pro_rata or set(options.fee_shares) - {"finished"}:
        lines.append(_("If you do not play to the end, you may be paid less for taking part."))
    return lines
