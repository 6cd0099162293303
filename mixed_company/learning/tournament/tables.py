"""Results as text: tables in Markdown and CSV, and means with intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from mixed_company.learning.tournament.means import Mean


def markdown(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown, without a final line break."""
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def csv_text(rows: Sequence[Mapping[str, Any]], columns: list[str] | None = None) -> str:
    """Return rows as CSV, with all digits of numbers, and an empty cell for NaN.

    Pass `columns` if there may be no rows.
    """
    return pd.DataFrame(rows, columns=columns).to_csv(index=False, lineterminator="\n")


def interval(name: str, estimate: Mean) -> dict[str, float]:
    """Return a mean and the ends of its interval, as three columns."""
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}


def number(value: float, digits: int = 1) -> str:
    """Return a rounded number, or an empty string for NaN."""
    return "" if math.isnan(value) else f"{round(value, digits) + 0.0:.{digits}f}"


def plus_minus(estimate: Mean) -> str:
    """Return a mean and half the width of its interval; an empty string without a mean."""
    half = (estimate.high - estimate.low) / 2
    return number(estimate.value) + ("" if math.isnan(half) else f" ± {half:.1f}")
