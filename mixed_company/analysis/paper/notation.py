"""Numbers and tests in the notation of journals (American Psychological Association, 2020)."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import Any

from mixed_company.analysis.report.parts import MINUS
from mixed_company.analysis.statistics.effects import unitless


def number(value: float) -> str:
    """Return a number with two decimals, or three below 1.

    >>> number(12.345), number(0.12345), number(3.0), number(1234.5)
    ('12.35', '0.123', '3', '1234.50')
    """
    sign, size = MINUS if value < 0 else "", abs(value)
    if math.isinf(size):
        return f"{sign}∞"
    decimals = 0 if float(size).is_integer() else 3 if size < 1 else 2
    return f"{sign}{size:.{decimals}f}"


def p_value(p: float) -> str:
    """Return a p value with three decimals and without the zero before the point.

    >>> p_value(0.0124), p_value(0.0004), p_value(1.0)
    ('*p* = .012', '*p* < .001', '*p* = 1.000')
    """
    return "*p* < .001" if p < 0.001 else f"*p* = {f'{p:.3f}'.removeprefix('0')}"


def interval(low: float, high: float, confidence: float) -> str:
    """Return an interval.

    >>> interval(0.1, 2.5, 0.95)
    '95% CI [0.100, 2.50]'
    """
    return f"{100 * confidence:.4g}% CI [{number(low)}, {number(high)}]"


def test(row: Mapping[Hashable, Any]) -> str:
    """Return the test of a row of the table `hypotheses`: statistic, p, effect and interval.

    The corrected p is left out if nothing was corrected, because there was a single test.
    """
    df = "" if math.isnan(row["df"]) else f"({number(row['df'])})"
    symbol = f"*{row['symbol']}*" if len(row["symbol"]) == 1 else row["symbol"]
    parts = [f"{symbol}{df} = {number(row['statistic'])}", p_value(row["p"])]
    method, _, tests = str(row["correction"]).partition(", ")
    if not tests.startswith("1 test"):
        parts.append(f"corrected for {tests} ({method}) {p_value(row['p_corrected'])}")
    effect = f"{row['effect_name'].replace(' - ', f' {MINUS} ')} = {number(row['effect'])}"
    parts.append(effect)
    if not math.isnan(row["low"]):
        parts.append(interval(row["low"], row["high"], row["confidence"]))
    if not math.isnan(row["standardised"]) and not effect.startswith("epsilon squared"):
        size = unitless(row["test"], len(str(row["groups"]).split(", ")))
        parts.append(f"{size} = {number(row['standardised'])}")
    return ", ".join(parts)


def listed(names: list[str]) -> str:
    """Return names as a list in words.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
