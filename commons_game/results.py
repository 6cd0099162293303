"""What the commons says at the end: what was taken, and what could have been."""

from __future__ import annotations

from gettext import gettext as _
from typing import Any

import numpy as np

from engine.games.commons_game import CommonsCore
from engine.solutions.commons_game import best_group_plan, efficiency, periods_survived
from server.texts import number
from table.table import Table

__all__ = ["DIGITS", "prepare", "summary"]

DIGITS = 1
COMPARED_PERIODS = 300
"""Longer plays are not compared with the best plan: solving it would keep a server waiting."""


def prepare(core: CommonsCore) -> None:
    """Solve what the results page compares with, before anybody waits for it."""
    if core.periods <= COMPARED_PERIODS:
        best_group_plan(core)


def summary(table: Table, log: list[dict[str, Any]], seat: int) -> list[str]:
    """What happened and why one earned what one earned, in sentences."""
    core = table.game.core
    rows = [row for row in log if row["kind"] == "period"]
    if not rows:
        return []
    stocks = np.array([row["state"]["stock"] for row in rows])
    rewards = np.array([row["rewards"] for row in rows])
    survived = periods_survived(core, stocks)
    lines = [_("The stock lasted all {periods} periods.").format(periods=core.periods)]
    if any(row["state"]["collapsed"] for row in rows):
        line = _("The stock collapsed after period {period} of {periods}.")
        lines = [line.format(period=survived, periods=core.periods)]
    group = number(float(rewards.sum()))
    lines.append(_("Your group took {group} points together.").format(group=group))
    if core.periods <= COMPARED_PERIODS:
        line = _("That is {share} % of what the best plan would have brought.")
        lines.append(line.format(share=number(100 * efficiency(core, rewards))))
    taken = float(sum(row["components"]["harvest"][seat] for row in rows))
    paid = -float(sum(row["components"]["contribution"][seat] for row in rows))
    lines.append(_("On your seat {taken} fish were taken in all.").format(taken=number(taken)))
    if core.governance != "none":
        lines.append(_("From it {paid} points were paid into the pool.").format(paid=number(paid)))
    return lines
