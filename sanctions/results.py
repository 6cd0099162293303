"""What the sanctions game says at the end: why one earned what one earned, of the own periods."""

from __future__ import annotations

from gettext import gettext as _
from typing import Any

import numpy as np

from engine.contract.space import Array
from engine.games.sanctions import SanctionsCore
from engine.games.sanctions.core import per_seat
from sanctions.quiz import reacts
from server.texts import number, own_periods, per_player, percent
from table.table import Table

__all__ = ["DIGITS", "details", "summary"]

DIGITS = 2
TINY = 1e-9
"""Less than that is rounding, not a sanction."""


def summary(table: Table, log: list[dict[str, Any]], seat: int) -> list[str]:
    """What happened and why one earned what one earned, in sentences: of the own periods."""
    core = table.game.core
    rows = own_periods(log, seat)
    if not rows:
        return []
    given = np.array([row["state"]["contribution"] for row in rows])
    lines = [
        _("You contributed {own} points on average, the others {others}. Expected: {b}.").format(
            own=number(float(given[:, seat].mean())),
            others=number(float(np.delete(given, seat, axis=1).mean())),
            b=per_player(core.baseline),
        ),
        *_sanctioned(core, rows, seat),
        _trusted(core, rows, seat),
    ]
    total = sum(sum(row["rewards"]) for row in rows)
    line = _("All players together earned {points} points in these periods.")
    return [*lines, line.format(points=number(total))]


def _sanctioned(core: SanctionsCore, rows: list[dict[str, Any]], seat: int) -> list[str]:
    """Losses and gains apart: they do not explain each other away."""
    effects = [row["components"]["sanctions"][seat] for row in rows]
    lost = [effect for effect in effects if effect < -TINY]
    gained = [effect for effect in effects if effect > TINY]
    if core.falls_on == "deviator":
        words = (
            _(
                "You lost {x} points through sanctions, in {n} of {all} periods: too little was "
                "remembered of you, or given."
            ),
            _(
                "You gained {x} points through rewards, in {n} of {all} periods: more was "
                "remembered of you, or given."
            ),
        )
    else:
        words = (
            _("You lost {x} points through what the others gave, in {n} of {all} periods."),
            _("You gained {x} points through what the others gave, in {n} of {all} periods."),
        )
    lines = []
    for line, part in zip(words, (lost, gained), strict=True):
        if part:
            lines.append(line.format(n=len(part), all=len(rows), x=number(abs(sum(part)), DIGITS)))
        if part is lost and core.signal == "baseline" and core.falls_on == "deviator":
            lines += _late(core, rows, seat)
    return lines or [_("Sanctions and rewards changed nothing.")]


def _late(core: SanctionsCore, rows: list[dict[str, Any]], seat: int) -> list[str]:
    """What was lost although one gave enough, since less was still remembered."""
    baseline = float(per_seat(core.baseline, core.seats)[seat])
    late = [
        row["components"]["sanctions"][seat]
        for row in rows
        if row["state"]["contribution"][seat] >= baseline
        and row["components"]["sanctions"][seat] < -TINY
        and (row["period"] > 0 or core.window != "peer")  # there nothing is remembered in it
    ]
    if not late:
        return []
    line = _(
        "Of that, {x} points were lost although you gave enough in the period: the average "
        "remembered was still too low (periods: {n})."
    )
    return [line.format(x=number(-sum(late), DIGITS), n=len(late))]


def _trusted(core: SanctionsCore, rows: list[dict[str, Any]], seat: int) -> str:
    last = np.array(rows[-1]["state"]["trust"])
    column = last[:, seat] if core.falls_on == "deviator" else last[seat]
    mean = float(np.delete(column, seat).mean())
    line = (
        _("Trust in you was {before} at the start and {after} at the end.")
        if core.falls_on == "deviator"
        else _("Your trust in the others was {before} at the start and {after} at the end.")
    )
    more = _("The more trust, the more a period could bring or cost you.") if reacts(core) else ""
    line = line.format(before=percent(core.initial_trust), after=f"{number(100 * mean)} %")
    return f"{line} {more}".strip()


def details(table: Table, log: list[dict[str, Any]], seat: int) -> list[dict[str, Any]]:
    """Period by period, and player by player."""
    core, rows = table.game.core, own_periods(log, seat)
    if not rows:
        return []
    return [_by_player(core, rows, seat), _by_period(core, rows, seat)]


def _by_player(core: SanctionsCore, rows: list[dict[str, Any]], seat: int) -> dict[str, Any]:
    effects = np.array([row["state"]["reciprocity_effects"] for row in rows])
    mine = effects[:, :, seat] if core.falls_on == "deviator" else effects[:, seat, :]
    if core.form == "multiplier":
        mine = _in_points(core, rows, seat, mine)
    given = np.array([row["state"]["contribution"] for row in rows]).mean(axis=0)
    cells = [
        [
            _("Player {n}").format(n=other + 1),
            number(float(given[other])),
            number(float(np.minimum(mine[:, other], 0.0).sum()), DIGITS),
            number(float(np.maximum(mine[:, other], 0.0).sum()), DIGITS),
        ]
        for other in range(core.seats)
        if other != seat
    ]
    heads = [_("Player"), _("gave on average"), _("you lost"), _("you gained")]
    return {"title": _("Through whom"), "heads": heads, "rows": cells}


def _in_points(core: SanctionsCore, rows: list[dict[str, Any]], seat: int, effects: Array) -> Array:
    """(periods, n) what effects that are factors came to: together what the period says."""
    changed = np.array([row["components"]["sanctions"][seat] for row in rows])
    earned = np.array([row["rewards"][seat] for row in rows]) - changed
    total = effects.sum(axis=1)
    plain = earned / float(np.mean(core.endowment))
    factor = np.where(np.abs(total) > TINY, changed / np.where(total == 0, 1.0, total), plain)
    return np.asarray(effects * factor[:, None])


def _by_period(core: SanctionsCore, rows: list[dict[str, Any]], seat: int) -> dict[str, Any]:
    cells = [
        [
            row["period"] + 1,
            number(row["state"]["contribution"][seat]),
            number(row["state"]["memory_averages"][seat]),
            number(row["components"]["sanctions"][seat], DIGITS),
            number(row["rewards"][seat], DIGITS),
        ]
        for row in rows
    ]
    heads = [_("Period"), _("you gave"), _("remembered"), _("sanctions and rewards"), _("points")]
    return {"title": _("Period by period"), "heads": heads, "rows": cells}
