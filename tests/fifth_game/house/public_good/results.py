"""Results page of the public good: what the seat and the others gave, and the group's earnings."""

from __future__ import annotations

import numpy as np

from mixed_company.engine import solutions
from mixed_company.engine.contract.space import Array
from mixed_company.language import gettext as _
from mixed_company.server.pages.guide import Row
from mixed_company.server.pages.texts import number, own_periods, periods_of, together
from mixed_company.table.table import Table

__all__ = ["DIGITS", "details", "summary"]

DIGITS = 1


def summary(table: Table, log: list[Row], seat: int) -> list[str]:
    """Describe, in sentences, the periods that the seat played and the group's result."""
    rows = own_periods(log, seat)
    if not rows:
        return []
    amounts, others = _given(rows, seat)
    lines = [_("You gave {own} points on average.").format(own=number(float(amounts.mean())))]
    if table.game.seats > 1:
        line = _("The others gave {others} points on average.")
        lines.append(line.format(others=number(float(others.mean()))))
    earned = sum(sum(row["rewards"]) for row in periods_of(log))
    lines.append(together(earned, DIGITS))
    best = solutions.best(table.game)
    if best is not None:
        line = _("That is {share}% of what it could have earned.")
        lines.append(line.format(share=number(100 * earned / best.value)))
    return lines


def details(table: Table, log: list[Row], seat: int) -> list[Row]:
    """Return a table of the periods."""
    rows = own_periods(log, seat)
    if not rows:
        return []
    cells = [
        [row["period"] + 1, number(amount), number(mean), number(row["rewards"][seat], DIGITS)]
        for row, amount, mean in zip(rows, *_given(rows, seat), strict=True)
    ]
    heads = [_("Period"), _("you gave"), _("others gave"), _("points")]
    return [{"title": _("Period by period"), "heads": heads, "rows": cells}]


def _given(rows: list[Row], seat: int) -> tuple[Array, Array]:
    """Return the seat's contribution in each of these periods, and the mean of the other seats."""
    contributions = np.array([row["state"]["contribution"] for row in rows])
    others = np.delete(contributions, seat, axis=1)
    return contributions[:, seat], others.sum(axis=1) / max(others.shape[1], 1)
