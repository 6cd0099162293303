"""Results page of the public good: the seat's earnings and the group's."""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company.engine import solutions
from mixed_company.language import gettext as _
from mixed_company.server.pages.texts import number, own_periods
from mixed_company.table.table import Table

__all__ = ["DIGITS", "details", "summary"]

DIGITS = 1

Row = dict[str, Any]


def summary(table: Table, log: list[Row], seat: int) -> list[str]:
    """Describe the seat's own periods and the group's result, in sentences."""
    rows = own_periods(log, seat)
    if not rows:
        return []
    contributions, others = _given(rows, seat)
    lines = [
        _("You gave {own} points on average.").format(own=number(float(np.mean(contributions))))
    ]
    if table.game.seats > 1:
        line = _("The others gave {others} points on average.")
        lines.append(line.format(others=number(float(np.mean(others)))))
    if table.game.core.most_punishment > 0:
        line = _("You spent {spent} points on punishing, and lost {lost} to punishment.")
        spent, lost = (
            abs(sum(row["components"][name][seat] for row in rows))
            for name in ("spent", "suffered")
        )
        lines.append(line.format(spent=number(spent), lost=number(lost)))
    return [*lines, *_group(table, log)]


def _group(table: Table, log: list[Row]) -> list[str]:
    """Describe the group's earnings, compared with the best possible."""
    earned = sum(sum(row["rewards"]) for row in log if row["kind"] == "period")
    lines = [_("Your group earned {points} points together.").format(points=number(earned))]
    best = solutions.best(table.game)
    if best is not None:
        line = _("That is {share} % of what it could have earned.")
        lines.append(line.format(share=number(100 * earned / best.value)))
    return lines


def _given(rows: list[Row], seat: int) -> tuple[list[float], list[float]]:
    """Return the seat's contribution in each of these periods, and the mean of the other seats."""
    contributions = np.array([row["state"]["contribution"] for row in rows])
    others = np.delete(contributions, seat, axis=1)
    means = others.mean(axis=1) if others.shape[1] else np.zeros(len(rows))
    return contributions[:, seat].tolist(), means.tolist()


def details(table: Table, log: list[Row], seat: int) -> list[Row]:
    """Return a table of the periods."""
    rows = own_periods(log, seat)
    if not rows:
        return []
    contributions, others = _given(rows, seat)
    cells = [
        [
            row["period"] + 1,
            number(amount),
            number(mean),
            number(row["components"]["spent"][seat], DIGITS),
            number(row["components"]["suffered"][seat], DIGITS),
            number(row["rewards"][seat], DIGITS),
        ]
        for row, amount, mean in zip(rows, contributions, others, strict=True)
    ]
    heads = [_("Period"), _("you gave"), _("others gave"), _("spent"), _("lost"), _("points")]
    return [{"title": _("Period by period"), "heads": heads, "rows": cells}]
