"""The results page of gem mining: the gems found, and how close the team came to the best
result."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np

from gem_mining import words
from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.gem_mining import GemCore, of_state
from mixed_company.engine.play.episode import Episode
from mixed_company.engine.solutions import judge_play
from mixed_company.engine.solutions.gem_mining import (
    JointChoice,
    best_of_play,
    front_of_play,
    nearest_best,
)
from mixed_company.language import gettext as _
from mixed_company.server.pages.guide import Row
from mixed_company.server.pages.texts import counted, number, periods_of
from mixed_company.table.table import Table

DIGITS = 2
MOST_NAMED = 6
"""Maximum number of villages whose mines a sentence names; the table has the mines of all
villages."""


def summary(table: Table, log: list[Row], seat: int) -> list[str]:
    """Describe the gems found, the expected gems, the best possible expectation and how to reach
    it."""
    rows = periods_of(log)
    if not rows:
        return []
    purse = rows[-1]["state"]["purse"]
    gems = words.listed(words.gems(k, count) for k, count in enumerate(purse))
    compared = _compared(table, rows)
    earned, expected, best = compared["earned"], compared["expected"], compared["best"]
    lines = [
        counted(
            "Your team found {gems}, worth {n} point to every village.",
            "Your team found {gems}, worth {n} points to every village.",
            earned,
            DIGITS,
            gems=gems,
        )
    ]
    if not best:
        return lines
    line = _(
        "With the mines it chose, your team could expect {share}% of the best possible result."
    )
    lines.append(line.format(share=number(100 * expected / best)))
    return [*lines, _luck(earned - expected), *_reachable(table, rows, seat)]


def _reachable(table: Table, rows: list[Row], seat: int) -> list[str]:
    """Describe the best joint choice that is closest to the play, and the points from the village's
    own mine."""
    best, judged = _nearest(table, rows), _judged(table, rows)
    if best is None:
        return []
    count = sum(period["efficiency"] > 1 - 1e-9 for period in judged)
    lines = [
        _(
            "Your team made the best joint choice, or an equally good one, in {n} of "
            "{periods} periods."
        ).format(n=count, periods=len(rows))
    ]
    going = [
        _("{village} to {mine}").format(village=_name(village, seat), mine=words.mine(int(mine)))
        for village, mine in enumerate(best.choice)
        if village == seat or len(best.choice) <= MOST_NAMED
    ]
    lines.append(
        _("Of the best joint choices, this one is closest to what your team did: {going}.").format(
            going=words.listed(going)
        )
    )
    part = number(_by_mine(table, rows, best)[best.choice[seat]], DIGITS)
    lines.append(
        counted(
            "It earns every village {n} point per period, {own} of them from your mine.",
            "It earns every village {n} points per period, {own} of them from your mine.",
            judged[0]["best_expected_points"],
            DIGITS,
            own=part,
        )
    )
    return lines


def _nearest(table: Table, rows: list[Row]) -> JointChoice | None:
    """Return the best joint choice that is closest to the play, or None if it is unknown or changes
    between periods."""
    start = _start(table)
    if _moving(start, rows):
        return None
    mines = np.array([row["state"]["mine"] for row in rows])
    return nearest_best(table.game, start, mines)


def _by_mine(table: Table, rows: list[Row], best: JointChoice) -> Array:
    """Return the expected points (m,) from each mine in a period with this joint choice."""
    core = table.game.core
    instance = of_state(core, _start(table))
    crowd = instance.workers_at(best.choice)
    chances = instance.probabilities(int(crowd.max()))[np.arange(core.mines), crowd]
    return np.asarray(chances @ np.asarray(core.weights))


def _name(village: int, own_seat: int) -> str:
    name = words.village(village)
    return _("{village} (you)").format(village=name) if village == own_seat else name


def _luck(points: float) -> str:
    """Describe the difference between the actual points and the expected points."""
    if not round(points, DIGITS):
        return _("Overall, luck made no difference.")
    if points < 0:
        return counted(
            "Bad luck cost every village {n} point.",
            "Bad luck cost every village {n} points.",
            -points,
            DIGITS,
        )
    return counted(
        "Good luck gave every village {n} extra point.",
        "Good luck gave every village {n} extra points.",
        points,
        DIGITS,
    )


def _compared(table: Table, rows: list[Row]) -> Row:
    """Return points per village over the whole play: earned, expected, and best possible.

    The expected points are computed from the choices. The best possible points are None if
    searching for them would block the server.
    """
    judged = _judged(table, rows)
    best = [period["best_expected_points"] for period in judged]
    return {
        "earned": float(np.dot(rows[-1]["state"]["purse"], table.game.core.weights)),
        "expected": sum(period["expected_points"] for period in judged),
        "best": None if None in best else sum(best),
    }


def details(table: Table, log: list[Row], seat: int) -> list[Row]:
    """Return tables of the villages' choices, the mines and the periods."""
    core, rows = table.game.core, periods_of(log)
    if not rows:
        return []
    periods = _by_period(core, rows, seat, _judged(table, rows))
    start = _start(table)
    if _moving(start, rows):
        return [periods]
    best = _nearest(table, rows)
    villages = [] if best is None else [_villages(table, rows, seat, best)]
    return [*villages, _mines(core, start, rows), periods]


def _judged(table: Table, rows: list[Row]) -> list[Row]:
    """Evaluate the joint choice of each period."""
    return list(judge_play(table.game, table.episode.seed, (row["state"] for row in rows)))


def _start(table: Table) -> Row:
    """Return the record of the state before the first period."""
    return Episode(table.game, table.episode.seed).state_record()


def _moving(start: Row, rows: list[Row]) -> bool:
    """Return whether chances or villages change during the play; if so, no choice is best in every
    period."""
    return any(
        row["state"].get(name) != start.get(name)
        for row in rows
        for name in ("base_probabilities", "seat_reason")
    )


def _villages(table: Table, rows: list[Row], own_seat: int, best: JointChoice) -> Row:
    cells, points = [], _by_mine(table, rows, best)
    for seat, mine in enumerate(best.choice.tolist()):
        went = Counter(row["state"]["mine"][seat] for row in rows)
        favourite, times = went.most_common(1)[0]
        cells.append(
            [
                _name(seat, own_seat),
                words.mine(mine),
                number(points[mine], DIGITS),
                f"{went[mine]} / {len(rows)}",
                f"{words.mine(favourite)} ({times})",
            ]
        )
    heads = [
        _("Village"),
        _("Mine"),
        _("points from this mine"),
        _("periods there"),
        _("most often at"),
    ]
    return {"title": _("Best joint choice"), "heads": heads, "rows": cells}


def _mines(core: GemCore, start: Row, rows: list[Row]) -> Row:
    instance = of_state(core, start)
    chances = 100 * instance.probabilities(1)[:, 1]
    workers = np.array([row["state"]["workers_at"] for row in rows])
    gems = np.array([row["state"]["found"] for row in rows]).sum(axis=0)
    cells = [
        [
            words.mine(mine),
            *(number(chance) for chance in chances[mine]),
            str(int((workers[:, mine] > 0).sum())),
            *(str(int(count)) for count in gems[mine]),
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
    return {"title": _("Chances of finding gems, with one worker"), "heads": heads, "rows": cells}


def _by_period(core: GemCore, rows: list[Row], seat: int, values: list[Row]) -> Row:
    cells = []
    for row, judged in zip(rows, values, strict=True):
        state = row["state"]
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


def picture(table: Table, log: list[Row], _seat: int) -> Row:
    """Return the data for the pictures (JSON): the bar of points and the fronts of expected gems.

    bar     points found, expected and best
    fronts  for each pair of kinds, the front of expected gems and the team's place on it; empty if
            there is only one kind, if chances change in the play, or if solving would block the
            server
    course  the best expected points; all villages earn the same, so there is no line for the others
    """
    core, rows = table.game.core, periods_of(log)
    start = _start(table)
    best = best_of_play(table.game, start) if rows and not _moving(start, rows) else None
    bar = _compared(table, rows) if rows else None
    course = {"best": _best_course(table, rows)}
    if best is None:
        return {"bar": bar, "fronts": [], "course": course}
    expected = np.array([period["expected_gems"] for period in _judged(table, rows)])
    gems = np.array([row["state"]["gems"] for row in rows])
    return {
        "bar": bar,
        "course": course,
        "fronts": [
            {
                "kinds": list(pair),
                "front": front_of_play(table.game, start, pair).tolist(),
                "best": best.rewards[list(pair)].tolist(),
                "periods": expected[:, pair].tolist(),
                "team": expected[:, pair].mean(axis=0).tolist(),
                "found": gems[:, pair].mean(axis=0).tolist(),
            }
            for pair in pairwise(range(core.gem_types))
            if len(front_of_play(table.game, start, pair))
        ],
    }


def _best_course(table: Table, rows: list[Row]) -> Row | None:
    """Return the best expected points so far after each period; None if they are unknown."""
    best = [period["best_expected_points"] for period in _judged(table, rows)]
    if None in best:
        return None
    return {"name": _("The most you could expect"), "points": np.cumsum(best).tolist()}
