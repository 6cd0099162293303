"""What gem mining says at the end: what was found, and how close the team came to the best."""

from __future__ import annotations

from collections import Counter
from gettext import gettext as _
from typing import Any

import numpy as np

from engine.games.gem_mining import GemCore, Instance, of_state
from engine.solutions.gem_mining import best_of_play, judge, pareto_set
from engine.space import Array
from gem_mining import words
from seats.table import Table
from seats.texts import number

__all__ = ["DIGITS", "details", "picture", "summary"]

DIGITS = 2
MOST_REACHED = 8
"""Where villages reach more mines than that, the front takes seconds to solve: no picture of it."""

Row = dict[str, Any]


def summary(table: Table, log: list[Row], seat: int) -> list[str]:
    """What the team found, what could be expected, and what the best would have been."""
    core, rows = table.game.core, _periods(log)
    if not rows:
        return []
    purse = rows[-1]["state"]["purse"]
    found = words.listed(words.gems(k, str(count)) for k, count in enumerate(purse))
    earned = float(np.dot(purse, core.weights))
    lines = [
        _("Your team found {gems}, worth {points} points to every village.").format(
            gems=found, points=number(earned, DIGITS)
        )
    ]
    judged = [judge(core, row["state"]) for row in rows]
    expected = sum(each["expected_points"] for each in judged)
    best = sum(each["best_expected_points"] for each in judged)
    if not best:
        return lines
    said = {
        "x": number(expected, DIGITS),
        "best": number(best, DIGITS),
        "share": number(100 * expected / best),
        "luck": number(abs(earned - expected), DIGITS),
    }
    line = _(
        "Where all villages went, {x} points were to be expected. With the best joint choice it "
        "would have been {best}: your team came to {share} % of the best it could have done."
    )
    lines.append(line.format(**said))
    luck = (
        _("Chance added {luck} points.") if earned >= expected else _("Chance took {luck} points.")
    )
    return [*lines, luck.format(**said)]


def details(table: Table, log: list[Row], seat: int) -> list[Row]:
    """Where each village went and should have gone; what the mines held; the periods."""
    core, rows = table.game.core, _periods(log)
    if not rows:
        return []
    return [_villages(core, rows, seat), _mines(core, rows), _by_period(core, rows, seat)]


def _villages(core: GemCore, rows: list[Row], own: int) -> Row:
    best = best_of_play(core, rows[0]["state"]).choice
    cells = []
    for seat in range(core.seats):
        went = Counter(row["state"]["mine"][seat] for row in rows)
        most, times = went.most_common(1)[0]
        name = words.village(seat)
        cells.append(
            [
                _("{village} (you)").format(village=name) if seat == own else name,
                words.mine(int(best[seat])),
                f"{went[int(best[seat])]} / {len(rows)}",
                f"{words.mine(most)} ({times})",
            ]
        )
    heads = [_("Village"), _("best for the team"), _("periods there"), _("most often at")]
    return {"title": _("The best joint choice"), "heads": heads, "rows": cells}


def _mines(core: GemCore, rows: list[Row]) -> Row:
    state = rows[0]["state"]
    workers = np.array([row["state"]["workers_at"] for row in rows])
    found = np.array([row["state"]["found"] for row in rows]).sum(axis=0)
    cells = [
        [
            words.mine(mine),
            *(number(100 * each) for each in state["base_probabilities"][mine]),
            str(int((workers[:, mine] > 0).sum())),
            *(str(int(each)) for each in found[mine]),
        ]
        for mine in range(core.mines)
    ]
    types = range(core.gem_types)
    heads = [
        _("Mine"),
        *(_("{kind}, %").format(kind=words.kind(k)) for k in types),
        _("periods mined"),
        *(_("{kinds} found").format(kinds=words.kinds()[k][1]) for k in types),
    ]
    return {"title": _("The chances of the mines, with one worker"), "heads": heads, "rows": cells}


def _by_period(core: GemCore, rows: list[Row], seat: int) -> Row:
    cells = []
    for row in rows:
        state, judged = row["state"], judge(core, row["state"])
        share = judged["efficiency"]
        cells.append(
            [
                row["period"] + 1,
                words.mine(state["mine"][seat]),
                *(str(count) for count in state["gems"]),
                number(judged["expected_points"], DIGITS),
                "" if share is None else number(100 * share),
            ]
        )
    heads = [
        _("Period"),
        _("your mine"),
        *(words.kinds()[k][1] for k in range(core.gem_types)),
        _("points expected"),
        _("% of the best"),
    ]
    return {"title": _("Period by period"), "heads": heads, "rows": cells}


def picture(table: Table, log: list[Row]) -> Row:
    """The front of what could be expected, two kinds at a time, with the team on it (JSON)."""
    core, rows = table.game.core, _periods(log)
    reached = max(rows[0]["state"]["reach"]) if rows else 0
    if not rows or core.gem_types < 2 or reached > MOST_REACHED:
        return {"fronts": []}
    told = of_state(core, rows[0]["state"])
    best = best_of_play(core, rows[0]["state"]).rewards
    expected = np.array([judge(core, row["state"])["expected_gems"] for row in rows])
    found = np.array([row["state"]["gems"] for row in rows])
    pairs = [(k, k + 1) for k in range(core.gem_types - 1)]
    return {"fronts": [_front(told, pair, best, expected, found) for pair in pairs]}


def _front(
    told: Instance, pair: tuple[int, int], best: Array, expected: Array, found: Array
) -> Row:
    """What no joint choice beats in these two kinds, whatever becomes of the others."""
    of_two = list(pair)
    instance = Instance(
        told.reach,
        told.workers,
        told.base_probabilities[:, of_two],
        told.truncation,
        told.worker_bonus,
    )
    return {
        "kinds": of_two,
        "front": [each.rewards.tolist() for each in pareto_set(instance)],
        "best": best[of_two].tolist(),
        "periods": expected[:, of_two].tolist(),
        "team": expected[:, of_two].mean(axis=0).tolist(),
        "found": found[:, of_two].mean(axis=0).tolist(),
    }


def _periods(log: list[Row]) -> list[Row]:
    return [row for row in log if row["kind"] == "period"]
