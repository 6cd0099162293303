"""What the picture of the sanctions game needs, and what follows from what a seat has seen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from engine.games.sanctions import SanctionsCore, SanctionsGame
from engine.games.sanctions.core import per_seat
from engine.games.sanctions.equations import Reciprocity, private_payoff
from server.guide import Observation, Row

__all__ = ["derived", "look_back", "setting"]


def setting(game: SanctionsGame, seat: int) -> Row:
    """What a seat has and what is expected of it, in points; `most` is what any seat has."""
    endowment = per_seat(game.core.endowment, game.seats)
    return {
        "endowment": float(endowment[seat]),
        "most": float(endowment.max()),
        "baseline": float(per_seat(game.core.baseline, game.seats)[seat]),
    }


def look_back(core: SanctionsCore) -> int:
    """As far as contributions are remembered."""
    return core.memory


def derived(game: SanctionsGame, seat: int, seen: Sequence[Observation]) -> Row:
    """How the seat stands with the others, and what a contribution would mean.

    memory      what is remembered of the seat: {average, compared_with, below, is_verdict, nothing}
    received    what it lost or gained through each other seat last period: points, or per cent
    given       what each other seat did through it
    keeps       points kept {now, and more per point contributed}
    remembered  the average that would be remembered, in the same form; None where it is not known
    """
    core = game.core
    nothing, one = (
        private_payoff(core, np.full(game.seats, given))["kept"][seat] for given in (0.0, 1.0)
    )
    received, given = _effects(game, seat, seen[-1]["reciprocity_effects"])
    return {
        "memory": _memory(game, seat, seen[-1]),
        "received": received,
        "given": given,
        "keeps": _line(nothing, one),
        "remembered": _remembered(game, seat, seen),
    }


def _line(at_nothing: float, at_one: float) -> Row:
    return {"now": float(at_nothing), "per": {"contribution": float(at_one - at_nothing)}}


@lru_cache(maxsize=64)
def _rules(game: SanctionsGame) -> Reciprocity:
    return Reciprocity(game.core)


def _memory(game: SanctionsGame, seat: int, now: Observation) -> Row:
    """The average that is remembered, beside what the signal compares with it."""
    period, average = now["period"], now["memory_averages"][seat]
    nothing = period == 0 or not _rules(game).counted(np.asarray(period - 1))
    with_baseline = game.core.signal == "baseline"
    given = None if period == 0 else now["contribution"][seat]
    other = float(_rules(game).baseline[seat]) if with_baseline else given
    below = None
    if average is not None and other is not None and not nothing:
        below = average < other if with_baseline else other < average
    return {
        "average": average,
        "nothing": bool(nothing),
        "compared_with": other,
        "below": below,
        "is_verdict": with_baseline and below is not None,
    }


def _remembered(game: SanctionsGame, seat: int, seen: Sequence[Observation]) -> Row | None:
    """The average after this period, by the contribution: a straight line.

    Known only if the seat has seen all that is remembered of it as it was.
    """
    information = game.config.layers.information
    changed = information.intensity > 0 and (
        "contribution" in information.delay or "contribution" in information.noise
    )
    if game.core.window != "inclusive" or changed:
        return None
    rules, period = _rules(game), seen[-1]["period"]
    ring = np.zeros((game.seats, rules.slots))
    known = [one for one in seen if one["period"] > max(period - rules.slots + 1, 0)]
    own = [one["contribution"][seat] for one in known]
    if None in own or len(own) < min(period, rules.slots - 1):
        return None
    for one, given in zip(known, own, strict=True):
        ring[seat, (one["period"] - 1) % rules.slots] = given
    averages = (
        rules.remember(np.asarray(period), ring, np.full(game.seats, given))[1][seat]
        for given in (0.0, 1.0)
    )
    return _line(*averages)


def _effects(
    game: SanctionsGame, seat: int, effects: Sequence[Sequence[float | None]]
) -> tuple[list[float | None], list[float | None]]:
    """What a seat received through each other and gave; a factor on earnings in per cent."""
    core = game.core
    unit = 100.0 / float(np.mean(core.endowment)) if core.form == "multiplier" else 1.0
    through_others = [None if row[seat] is None else unit * row[seat] for row in effects]
    through_it = [None if effect is None else unit * effect for effect in effects[seat]]
    if core.falls_on == "deviator":
        return through_others, through_it
    return through_it, through_others
