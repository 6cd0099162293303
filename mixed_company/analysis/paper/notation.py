"""Format numbers and tests as journals do (American Psychological Association, 2020), and escape
texts from researchers and manifests, so that Markdown shows them as they were written."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Mapping
from typing import Any

from mixed_company.analysis.report.parts import MINUS
from mixed_company.analysis.statistics.effects import SHARES, unitless
from mixed_company.analysis.statistics.result import percentage

_MOST = 12
"""Maximum number of decimals."""


def number(value: float) -> str:
    """Return a number with two decimals (three below 1), or more if it would round to 0.

    >>> number(12.345), number(0.12345), number(3.0), number(1234.5), number(0.000123)
    ('12.35', '0.123', '3', '1234.50', '0.0001')
    """
    sign, size = MINUS if value < 0 else "", abs(value)
    if math.isinf(size):
        return f"{sign}∞"
    decimals = 0 if float(size).is_integer() else 3 if size < 1 else 2
    while size and not float(f"{size:.{decimals}f}") and decimals < _MOST:
        decimals += 1
    return f"{sign}{size:.{decimals}f}"


def p_value(p: float, level: float = 0.05) -> str:
    """Return a p value with three decimals and no leading zero. It has more decimals if rounding
    would make it 0 or equal to the level, or move it to the other side of the level.

    >>> p_value(0.0124), p_value(0.0004), p_value(1.0), p_value(0.05)
    ('*p* = .012', '*p* < .001', '*p* = 1.000', '*p* = .050')
    >>> p_value(0.0496), p_value(0.0504), p_value(0.0004, 0.0005), p_value(0.00001, 0.0005)
    ('*p* = .0496', '*p* = .0504', '*p* = .0004', '*p* < .0001')
    """
    bound, places = 0.001, 3
    while bound > level and places < _MOST:
        bound, places = bound / 10, places + 1
    if p < bound:
        return f"*p* < {_short(bound, places)}"
    decimals = 3
    while decimals < _MOST and _misleads(p, float(f"{p:.{decimals}f}"), level):
        decimals += 1
    return f"*p* = {_short(p, decimals)}"


def _misleads(p: float, rounded: float, level: float) -> bool:
    """Return whether a rounded p value is 0, or is not on the same side of the level as p."""
    same = math.isclose(p, level, rel_tol=1e-9)
    return not rounded or (
        not same and (rounded > level, rounded < level) != (p > level, p < level)
    )


def _short(p: float, decimals: int) -> str:
    return f"{p:.{decimals}f}".removeprefix("0")


def interval(low: float, high: float, confidence: float) -> str:
    """Return a confidence interval as text.

    >>> interval(0.1, 2.5, 0.95)
    '95% CI [0.100, 2.50]'
    """
    return f"{percentage(confidence)}% CI [{number(low)}, {number(high)}]"


def test(row: Mapping[Hashable, Any]) -> str:
    """Return the test in a row of the `hypotheses` table as text: statistic, p value, effect and
    interval.

    The corrected p value is left out if there was only one test, because then nothing was
    corrected, and at a look, because there it does not decide.
    """
    df = "" if math.isnan(row["df"]) else f"({number(row['df'])})"
    symbol = f"*{row['symbol']}*" if len(row["symbol"]) == 1 else row["symbol"]
    level = round(1 - row["confidence"], _MOST)
    parts = [f"{symbol}{df} = {number(row['statistic'])}", p_value(row["p"], level)]
    method, _, tests = str(row["correction"]).partition(", ")
    if not tests.startswith("1 test") and "level" not in row:
        parts.append(f"corrected for {tests} ({method}) {p_value(row['p_corrected'], level)}")
    effect = f"{row['effect_name'].replace(' - ', f' {MINUS} ')} = {number(row['effect'])}"
    parts.append(effect)
    if not math.isnan(row.get("unbiased_effect", math.nan)):
        parts.append(f"unbiased effect = {number(row['unbiased_effect'])}")
    if not math.isnan(row["low"]):
        parts.append(interval(row["low"], row["high"], row["confidence"]))
    if not math.isnan(row["standardised"]) and not effect.startswith(SHARES):
        size = unitless(row["test"], len(str(row["groups"]).split(", ")))
        parts.append(f"{size} = {number(row['standardised'])}")
    return ", ".join(parts)


# -- texts ---------------------------------------------------------------------------------------


_SIGNS = re.compile(r"[\\`*\[\]<>~$|]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)")
"""Characters that begin or end formatting, links, HTML or formulas. Within a word, `_` does not."""


def plain(text: object) -> str:
    r"""Return the text on one line, with all Markdown syntax escaped.

    >>> plain("# Results\n\n**all** of per_step <b>")
    '\\# Results \\*\\*all\\*\\* of per_step \\<b\\>'
    >>> plain("1. first"), plain("2.5 points")
    ('1\\. first', '2.5 points')
    """
    line = _SIGNS.sub(r"\\\g<0>", " ".join(str(text).split()))
    numbered = re.sub(r"^(\d+)([.)])(?= |$)", r"\1\\\2", line)
    return re.sub(r"^(?=[#+=-])", r"\\", numbered)
