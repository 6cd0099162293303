"""The results page of the sanctions game, which explains a seat's earnings in the periods that it
played."""

from __future__ import annotations

from functools import lru_cache
from itertools import compress
from typing import Any

import numpy as np

from mixed_company import engine
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.engine.games.sanctions import SanctionsCore, SanctionsGame
from mixed_company.engine.games.sanctions.core import per_seat
from mixed_company.engine.solutions import without_points
from mixed_company.engine.solutions.sanctions import best_alike
from mixed_company.language import gettext as _
from mixed_company.language import pair
from mixed_company.server.pages import plain
from mixed_company.server.pages.plain import stops
from mixed_company.server.pages.texts import (
    counted,
    number,
    own_periods,
    per_player,
    percent,
    periods_of,
)
from mixed_company.table.table import Table
from sanctions.framing import alike, all_or_nothing, shown, takes, took
from sanctions.quiz import expects, reacts, trust_counts
from sanctions.words import most_given

DIGITS = 2
TINY = 1e-9
"""Threshold in points: smaller effects are rounding errors and not sanctions."""


LONGEST = 500
"""Maximum number of periods in a play that is replayed for comparison."""

MOST_TRIED = 50_000
"""Maximum number of amounts times periods simulated in the search for the best equal amount."""


def summary(table: Table, log: list[dict[str, Any]], seat: int) -> list[str]:
    """Return sentences about the periods that the seat played and about its earnings."""
    game, core = table.game, table.game.core
    rows = own_periods(log, seat)
    if not rows:
        return []
    seen = plain.is_seen(game, "contribution")
    lines = [_contributed(core, rows, seat, seen)]
    if reacts(core):
        lines += _sanctioned(core, rows, seat)
    if trust_counts(core) and plain.is_seen(game, "trust"):
        lines.append(_trusted(core, rows, seat))
    if seen and core.others_earnings != "hidden":
        total = sum(sum(row["rewards"]) for row in rows)
        lines.append(
            counted(
                "All players together earned {n} point in these periods.",
                "All players together earned {n} points in these periods.",
                total,
                1,
            )
        )
    return lines


def _contributed(core: SanctionsCore, rows: list[dict[str, Any]], seat: int, seen: bool) -> str:
    """Describe the seat's contributions and the baseline. If `seen`, include others'
    contributions."""
    amounts = _amounts(core, rows)
    return counted(
        *_average_words(core, seen, expects(core)),
        float(amounts[:, seat].mean()),
        1,
        others=number(float(np.delete(amounts, seat, axis=1).mean())),
        b=per_player(core.baseline),
    )


def _amounts(core: SanctionsCore, rows: list[dict[str, Any]]) -> Array:
    """Return the points that each seat gave or took out in each period, shape (T, n)."""
    return shown(core, np.array([row["state"]["contribution"] for row in rows]))


def _average_words(core: SanctionsCore, seen: bool, expected: bool) -> tuple[str, str]:
    """Return the sentence about the average contribution (singular, plural)."""
    if takes(core):
        return took(seen)
    if seen and expected:
        return pair(
            "You contributed {n} point on average, the others {others}. Expected: {b}.",
            "You contributed {n} points on average, the others {others}. Expected: {b}.",
        )
    if seen:
        return pair(
            "You contributed {n} point on average, the others {others}.",
            "You contributed {n} points on average, the others {others}.",
        )
    if expected:
        return pair(
            "You contributed {n} point on average. Expected: {b}.",
            "You contributed {n} points on average. Expected: {b}.",
        )
    return pair("You contributed {n} point on average.", "You contributed {n} points on average.")


def _sanctioned(core: SanctionsCore, rows: list[dict[str, Any]], seat: int) -> list[str]:
    """Return separate sentences about losses and gains, because the net sum would hide both."""
    effects = [row["components"]["sanctions"][seat] for row in rows]
    lost = [effect for effect in effects if effect < -TINY]
    gained = [effect for effect in effects if effect > TINY]
    lines = []
    for words, part in zip(_changes(core), (lost, gained), strict=True):
        if part:
            often = {"periods": len(part), "all": len(rows)}
            lines.append(counted(*words, abs(sum(part)), DIGITS, **often))
        if part is lost and core.signal == "baseline" and core.falls_on == "deviator":
            lines += _late(core, rows, seat)
    return lines or [_("Sanctions and rewards made no difference.")]


def _changes(core: SanctionsCore) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the texts (singular, plural) for losses and for gains."""
    if core.falls_on == "deviator":
        return (
            pair(
                "You lost {n} point through sanctions, in {periods} of {all} periods. In these "
                "periods, your remembered average or your contribution was too low.",
                "You lost {n} points through sanctions, in {periods} of {all} periods. In these "
                "periods, your remembered average or your contribution was too low.",
            ),
            pair(
                "You gained {n} point through rewards, in {periods} of {all} periods. In these "
                "periods, your remembered average or your contribution was high enough.",
                "You gained {n} points through rewards, in {periods} of {all} periods. In these "
                "periods, your remembered average or your contribution was high enough.",
            ),
        )
    return (
        pair(
            "You lost {n} point in {periods} of {all} periods because of what the others "
            "contributed.",
            "You lost {n} points in {periods} of {all} periods because of what the others "
            "contributed.",
        ),
        pair(
            "You gained {n} point in {periods} of {all} periods because of what the others "
            "contributed.",
            "You gained {n} points in {periods} of {all} periods because of what the "
            "others contributed.",
        ),
    )


def _late(core: SanctionsCore, rows: list[dict[str, Any]], seat: int) -> list[str]:
    """Describe losses in periods in which the seat gave enough even though its average was too
    low."""
    baseline = float(per_seat(core.baseline, core.seats)[seat])
    late = [
        row["components"]["sanctions"][seat]
        for row in rows
        if row["state"]["contribution"][seat] >= baseline
        and row["components"]["sanctions"][seat] < -TINY
        and (row["period"] > 0 or core.window != "peer")  # `peer` remembers nothing in period 0
    ]
    if not late:
        return []
    return [
        counted(
            "Of that, you lost {n} point in periods in which you contributed enough, "
            "because your remembered average was still too low (periods: {periods}).",
            "Of that, you lost {n} points in periods in which you contributed enough, "
            "because your remembered average was still too low (periods: {periods}).",
            -sum(late),
            DIGITS,
            periods=len(late),
        )
    ]


def _trusted(core: SanctionsCore, rows: list[dict[str, Any]], seat: int) -> str:
    last = np.array(rows[-1]["state"]["trust"])
    column = last[:, seat] if core.falls_on == "deviator" else last[seat]
    mean = float(np.delete(column, seat).mean())
    line = (
        _("The others' trust in you was {before} at the start and {after} at the end.")
        if core.falls_on == "deviator"
        else _("Your trust in the others was {before} at the start and {after} at the end.")
    )
    more = _("With more trust, you could gain or lose more in a period.") if reacts(core) else ""
    line = line.format(before=percent(core.initial_trust), after=percent(mean, 1))
    return f"{line} {more}".strip()


def details(table: Table, log: list[dict[str, Any]], seat: int) -> list[dict[str, Any]]:
    """Return a table of the periods and, if all contributions were shown, a table of the
    players."""
    core, rows = table.game.core, own_periods(log, seat)
    if not rows:
        return []
    others = [_by_player(core, rows, seat)] if _others_are_seen(table.game) else []
    return [*others, _by_period(core, rows, seat)]


def _others_are_seen(game: Game[Any]) -> bool:
    """Return whether the play showed the contributions and sanctions of all players, and whose they
    were."""
    return plain.are_named(game) and plain.is_seen(game, "contribution", "reciprocity_effects")


def _by_player(core: SanctionsCore, rows: list[dict[str, Any]], seat: int) -> dict[str, Any]:
    """Return a table with a row for each other player: contributions, and the points gained or lost
    because of that player."""
    effects = np.array([row["state"]["reciprocity_effects"] for row in rows])
    mine = effects[:, :, seat] if core.falls_on == "deviator" else effects[:, seat, :]
    if core.form == "multiplier":
        mine = _in_points(core, rows, seat, mine)
    averages = _amounts(core, rows).mean(axis=0)
    gave = _("took out on average") if takes(core) else _("gave on average")
    heads = [_("Player"), gave, _("you lost"), _("you gained")]
    cells = [
        [
            _("Player {n}").format(n=other + 1),
            number(float(averages[other])),
            number(float(np.minimum(mine[:, other], 0.0).sum()), DIGITS),
            number(float(np.maximum(mine[:, other], 0.0).sum()), DIGITS),
        ]
        for other in range(core.seats)
        if other != seat
    ]
    if not reacts(core):  # without a column for losses and gains
        heads, cells = heads[:2], [row[:2] for row in cells]
    title = _("By player") if reacts(core) else _("What the others gave")
    if takes(core):
        title = _("What the others took out")
    return {"title": title, "heads": heads, "rows": cells}


def _in_points(core: SanctionsCore, rows: list[dict[str, Any]], seat: int, effects: Array) -> Array:
    """Convert factors into effects in points (periods, n), which add up to each period's
    sanctions."""
    changed = np.array([row["components"]["sanctions"][seat] for row in rows])
    earned = np.array([row["rewards"][seat] for row in rows]) - changed
    total = effects.sum(axis=1)
    usual = earned / float(np.mean(core.endowment))
    factor = np.where(np.abs(total) > TINY, changed / np.where(total == 0, 1.0, total), usual)
    return np.asarray(effects * factor[:, None])


def _by_period(core: SanctionsCore, rows: list[dict[str, Any]], seat: int) -> dict[str, Any]:
    gave = _("you took out") if takes(core) else _("you gave")
    heads = [_("Period"), gave, _("remembered"), _("sanctions and rewards"), _("points")]
    amounts = _amounts(core, rows)[:, seat]
    cells = [
        [
            row["period"] + 1,
            number(float(amount)),
            number(row["state"]["memory_averages"][seat]),
            number(row["components"]["sanctions"][seat], DIGITS),
            number(row["rewards"][seat], DIGITS),
        ]
        for row, amount in zip(rows, amounts, strict=True)
    ]
    columns = [True, True, reacts(core), reacts(core), True]
    shown = [list(compress(row, columns)) for row in [heads, *cells]]
    return {"title": _("Period by period"), "heads": shown[0], "rows": shown[1:]}


def prepare(game: SanctionsGame) -> None:
    """Run the plays that the results page shows for comparison, before anybody opens it."""
    for gives in ("expected", "nothing"):
        _sums(game, gives)
    _best_course(game)


def picture(table: Table, log: list[dict[str, Any]], seat: int) -> dict[str, Any]:
    """Return the play's numbers: earnings, contributions, and effects between a seat and the
    others.

    points   (n) total earned; None for others who were hidden, for all others if the play hides
             their points, and with peer points unless it shows them, because these would reveal who
             gave any
    given    (n) average contribution, or points taken; None for others who were hidden
    effects  {received, given}: (n) each, points or per cent, summed; None if impossible or hidden
    expected, nothing   the seat's points if all had given the baseline, or nothing; None if unknown
    course   the points so far if all had always given the best equal amount
    """
    core, game = table.game.core, table.game
    rows = periods_of(log)
    effects = np.array([row["state"]["reciprocity_effects"] for row in rows]).sum(axis=0)
    if core.form == "multiplier":
        effects = 100.0 * effects / float(np.mean(core.endowment))
    # through[i, j]: the effect on seat i because of seat j
    through = effects.T if core.falls_on == "deviator" else effects
    seen = _others_are_seen(game)
    whose = [seen or other == seat for other in range(game.seats)]
    tells = seen and _tells(game)
    paid = [tells or other == seat for other in range(game.seats)]
    points = np.array([row["rewards"] for row in rows]).sum(axis=0).tolist()
    averages = _amounts(core, rows).mean(axis=0).tolist()
    pair = {"received": through[seat].tolist(), "given": through[:, seat].tolist()}
    could = {name: _sums(game, name) for name in ("expected", "nothing")}
    return {
        "points": [value if shown else None for value, shown in zip(points, paid, strict=True)],
        "given": [value if shown else None for value, shown in zip(averages, whose, strict=True)],
        "effects": pair if seen and reacts(core) else None,
        "course": {"others": tells, "best": _best_course(game)},
        **{name: None if sums is None else sums[seat] for name, sums in could.items()},
    }


def _tells(game: Game[Any]) -> bool:
    """Return whether people are allowed to see the others' points at the end."""
    if game.peers is None:
        return bool(game.core.others_earnings != "hidden")
    return bool(game.core.others_earnings == "seen")


@lru_cache(maxsize=64)
def _sums(game: SanctionsGame, gives: str) -> tuple[float, ...] | None:
    """Return each seat's total points (n,) if all seats give nothing or, for "expected", the
    baseline. Return None if the roles do not allow this, if chance is involved, or if the play is
    too long.
    """
    amounts = np.zeros(game.seats) if gives == "nothing" else per_seat(alike(game.core), game.seats)
    if game.shocks or game.horizon > LONGEST:
        return None
    if np.any(amounts > np.array(plain.most(game, "contribution"))):
        return None
    play, total = engine.Episode(without_points(game), seed=0), np.zeros(game.seats)
    while not play.done:
        total += play.step({"contribution": amounts.tolist()}).rewards
    return tuple(total.tolist())


def _best_course(game: Any) -> dict[str, Any] | None:
    """Return the line {name, points} for the best equal amount, for the chart of points. Return
    None if chance is involved, or if the search would take too long.
    """
    highest = min(most_given(game, seat) for seat in range(game.seats))
    amounts = tuple(stops(game, "contribution", 0.0, highest))
    if all_or_nothing(game.core):
        amounts = (0.0, highest)
    if game.shocks or len(amounts) < 2 or len(amounts) * game.horizon > MOST_TRIED:
        return None
    amount, points = best_alike(game, amounts)
    line = _("Best if everyone had always given the same amount: {x}")
    if takes(game.core):
        line = _("Best if everyone had always left the same amount in the pool: {x}")
    return {"name": line.format(x=number(amount)), "points": list(points)}
