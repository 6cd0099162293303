"""What the picture of the sanctions game needs, and what follows from what a seat has seen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.sanctions import SanctionsCore, SanctionsGame
from mixed_company.engine.games.sanctions.core import per_seat
from mixed_company.engine.games.sanctions.equations import Reciprocity, private_payoff
from mixed_company.engine.solutions.sanctions import foreseen
from mixed_company.server.pages import plain
from mixed_company.server.pages.guide import Observation, Row
from mixed_company.server.pages.plain import stops
from sanctions.quiz import reacts
from sanctions.words import lead, most_given

__all__ = ["derived", "look_back", "setting"]

MOST_SLOTS = 10
"""Periods of the past that are drawn one by one."""

MOST_NUMBERS = 100_000
"""Stops times pairs of seats: more outcomes would keep a server from its other plays."""

_SAME = 1e-9
"""Points: so little is no difference."""

DIGITS = 1
"""After the point, of what a period would bring."""


def setting(game: SanctionsGame, seat: int) -> Row:
    """What a seat has and what is expected of it, in points; `most` is what any seat has.

    lead       what decides, in one sentence; empty where none is true
    remembers  does anything follow from what one gave before?
    with_baseline  is what is remembered compared with what is expected?
    trusts     does trust change, and does anything follow from it?
    """
    core, endowment = game.core, per_seat(game.core.endowment, game.seats)
    moves = bool(core.kappa_T) or not plain.is_steady(game, "trust", "reputation")
    counts = reacts(core) or core.reward != "private"
    return {
        "endowment": float(endowment[seat]),
        "most": float(endowment.max()),
        "baseline": float(per_seat(core.baseline, game.seats)[seat]),
        "lead": lead(game, seat),
        "remembers": reacts(core),
        "with_baseline": core.signal == "baseline",
        "trusts": moves and counts,
    }


def look_back(core: SanctionsCore) -> int:
    """As far as contributions are remembered."""
    return core.memory


def derived(game: SanctionsGame, seat: int, seen: Sequence[Observation]) -> Row:
    """How the seat stands with the others, and what a contribution would mean.

    memory      what is remembered of the seat: {average, compared_with, below, is_verdict, nothing}
    past        of what it is the average: {slots: [{given, state}], more}; None where not known
    trust       trust in each seat (n), one number where all see the same; None where they do not
    received    what it lost or gained through each other seat last period: points, or per cent
    why         what that followed from, by other seat or for all: [{of, gap, trust}]
    together    what all gave last period; None before it, and where not all of it is shown
    is_first    nothing was given before
    keeps       points kept {now, and more per point contributed}
    remembered  the average that would be remembered, in the same form; None where it is not known
    outcomes    what this period would bring, by the contribution; see `_outcomes`
    """
    now = seen[-1]
    own = _own_ring(game, seat, seen)
    past = None if own is None else _past(game, seat, now["period"], own)
    return {
        "memory": _memory(game, seat, now),
        "past": past,
        "trust": _trust(game, now["trust"]),
        "received": _received(game, seat, now["reciprocity_effects"]),
        "why": _why(game, seat, now),
        "together": _together(now),
        "is_first": bool(now["period"] == 0),
        "keeps": _keeps(game, seat),
        "remembered": _remembered(game, seat, now["period"], own),
        "outcomes": _outcomes(game, seat, seen),
    }


def _together(now: Observation) -> float | None:
    given = now["contribution"]
    return None if now["period"] == 0 or None in given else float(sum(given))


@lru_cache(maxsize=256)
def _keeps(game: SanctionsGame, seat: int) -> Row:
    nothing, one = (
        private_payoff(game.core, np.full(game.seats, given))["kept"][seat] for given in (0.0, 1.0)
    )
    return _line(nothing, one)


@lru_cache(maxsize=256)
def _amounts(game: SanctionsGame, seat: int) -> Array:
    """The contributions that a seat's slider stops at."""
    return np.array(stops(game, "contribution", 0.0, most_given(game, seat)))


def _line(at_nothing: float, at_one: float) -> Row:
    return {"now": float(at_nothing), "per": {"contribution": float(at_one - at_nothing)}}


@lru_cache(maxsize=64)
def _rules(game: SanctionsGame) -> Reciprocity:
    return Reciprocity(game.core)


def _memory(game: SanctionsGame, seat: int, now: Observation) -> Row:
    """The average that is remembered, beside what the signal compares with it."""
    period, average, rules = now["period"], now["memory_averages"][seat], _rules(game)
    nothing = rules.counted(np.asarray(period - 1)) <= 0
    with_baseline = game.core.signal == "baseline"
    given = None if period == 0 else now["contribution"][seat]
    other = float(rules.baseline[seat]) if with_baseline else given
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


def _own_ring(game: SanctionsGame, seat: int, seen: Sequence[Observation]) -> Any:
    """(k,) what is remembered of a seat; None if it has not seen all of that as it was."""
    information = game.config.layers.information
    changed = information.intensity > 0 and (
        "contribution" in information.delay or "contribution" in information.noise
    )
    own = _ring(game, seen)[seat]
    return None if changed or np.isnan(own).any() else own


def _past(game: SanctionsGame, seat: int, period: int, own: Any) -> Row:
    """The contributions whose average counts, the oldest first.

    slots   {given, played, leaves}: what is not `played` stands for a period before the first;
            what `leaves` drops out when that of this period comes in
    more    there are more of them than are drawn
    now     that of this period comes in
    """
    rules, core = _rules(game), game.core
    # under `prior` what counts now is all that was given before
    before = int(rules.counted(np.asarray(period if core.window == "prior" else period - 1)))
    slots = [
        {
            "given": float(own[past % rules.slots]) if past >= 0 else float(rules.baseline[seat]),
            "played": past >= 0,
            "leaves": past == period - core.memory,
        }
        for past in range(period - before, period)
    ]
    now = core.window != "peer" or period > 0
    return {"slots": slots[-MOST_SLOTS:], "more": len(slots) > MOST_SLOTS, "now": now}


def _trust(game: SanctionsGame, trust: Sequence[Sequence[float | None]]) -> list[float | None]:
    """The trust of all others in each seat; None where they differ or it is not shown."""
    values: list[float | None] = []
    for seat in range(game.seats):
        column = [row[seat] for other, row in enumerate(trust) if other != seat]
        known = [value for value in column if value is not None]
        alike = len(known) == len(column) and max(known) - min(known) < 1e-9
        values.append(known[0] if alike else None)
    return values


def _received(
    game: SanctionsGame, seat: int, effects: Sequence[Sequence[float | None]]
) -> list[float | None]:
    """What a seat received through each other; a factor on earnings in per cent."""
    core = game.core
    unit = 100.0 / float(np.mean(core.endowment)) if core.form == "multiplier" else 1.0
    own = [row[seat] for row in effects] if core.falls_on == "deviator" else effects[seat]
    return [None if effect is None else unit * effect for effect in own]


def _why(game: SanctionsGame, seat: int, now: Observation) -> list[Row] | None:
    """What made the sanctions of the last period: of whom, the gap in points, and the trust.

    One entry for the seat itself, or one for each other where those pay whom they observe. None
    before anything happened, and where it is not seen as it is.
    """
    fields = ("contribution", "memory_averages", "trust", "reciprocity_effects")
    if now["period"] == 0 or game.shocks or not plain.is_seen(game, *fields):
        return None
    given, averages, trust = (now[name] for name in fields[:3])
    if None in given or None in averages:
        return None
    core, rules = game.core, _rules(game)
    nothing = core.window == "prior" and now["period"] == 1

    def gap(of: int) -> float:
        if nothing:
            return 0.0
        if core.signal == "baseline":
            return float(averages[of] - rules.baseline[of])
        return float(given[of] - averages[of])

    if core.falls_on == "deviator":
        return [{"of": seat, "gap": gap(seat), "trust": _trust(game, trust)[seat]}]
    others = [other for other in range(game.seats) if other != seat]
    return [{"of": other, "gap": gap(other), "trust": trust[seat][other]} for other in others]


def _remembered(game: SanctionsGame, seat: int, period: int, own: Any) -> Row | None:
    """The average after this period, by the contribution: a straight line."""
    if game.core.window not in ("inclusive", "full") or own is None:
        return None
    rules = _rules(game)
    ring = rules.unplayed.copy()
    ring[seat] = own
    averages = (
        rules.remember(np.asarray(period), ring, np.full(game.seats, given))[1][seat]
        for given in (0.0, 1.0)
    )
    return _line(*averages)


def _ring(game: SanctionsGame, seen: Sequence[Observation]) -> Array:
    """(n, k) the ring of contributions as a seat has seen it; nan for what it has not."""
    rules, period = _rules(game), seen[-1]["period"]
    ring: Array = rules.unplayed.copy()
    kept = range(max(period - rules.slots, 0), period)
    if game.core.window == "peer":  # the first period is never remembered
        kept = range(max(kept.start, 1), period)
    given = {one["period"] - 1: one["contribution"] for one in seen}
    for past in kept:
        amounts = given.get(past) or [None] * game.seats
        ring[:, past % rules.slots] = np.array(amounts, dtype=np.float64)
    return ring


def _outcomes(game: SanctionsGame, seat: int, seen: Sequence[Observation]) -> Row | None:
    """The parts of the reward in this period, by the contribution of a seat.

    The others are taken to give what they gave last, at first what is expected of them.

    names     the components that are not always 0, as many as a row has parts
    rows      [{value, parts, total}], points: a row for each contribution that a slider stops at,
              rounded so that they add up
    assumed   the components that hang on what the others give
    is_first  nothing was given before

    None where a layer or a role hides something of it, changes it by chance, or pays otherwise, and
    where there are more than MOST_NUMBERS to work out.
    """
    values = _amounts(game, seat)
    numbers = len(values) * game.seats**2
    if not _is_plain(game) or not 0 < numbers <= MOST_NUMBERS:
        return None
    now, rules = seen[-1], _rules(game)
    before = {
        "period": np.asarray(now["period"]),
        "contributions": _ring(game, seen),
        "trust": np.array(now["trust"], dtype=np.float64),
        "reputation": np.array(now["reputation"], dtype=np.float64),
    }
    is_first = now["period"] == 0
    others = rules.baseline if is_first else np.array(now["contribution"], dtype=np.float64)
    if any(not np.isfinite(part).all() for part in (*before.values(), others)):
        return None
    worlds = np.array([others, np.zeros(game.seats), np.ones(game.seats)])
    given = np.repeat(worlds, len(values), axis=0)
    everywhere = {
        name: part.reshape(len(worlds), -1)
        for name, part in foreseen(game, seat, before, np.tile(values, len(worlds)), given).items()
    }
    parts = {name: part[0] for name, part in everywhere.items()}
    assumed = [name for name, part in everywhere.items() if np.ptp(part, axis=0).max() > _SAME]
    names = [name for name, part in parts.items() if part.any()]
    rows = _rows(values, np.array([parts[name] for name in names]))
    return {"names": names, "rows": rows, "assumed": assumed, "is_first": bool(is_first)}


def _rows(values: Array, parts: Array) -> list[Row]:
    """A row for each value, of parts (p, v); the largest but the first takes what rounding left."""
    total, rounded = parts.sum(axis=0).round(DIGITS), parts.round(DIGITS)
    if len(parts) > 1:
        largest = 1 + np.abs(parts[1:]).argmax(axis=0)
        rounded[largest, np.arange(len(values))] += total - rounded.sum(axis=0)
    columns = (values, rounded.T.round(DIGITS) + 0.0, total + 0.0)
    return [
        {"value": value, "parts": row, "total": whole}
        for value, row, whole in zip(*(column.tolist() for column in columns), strict=True)
    ]


def _is_plain(game: SanctionsGame) -> bool:
    """Is a period what the core makes of it, and seen as it is by every seat?"""
    own = {"kept", "production", "synergy", "others", "sanctions"}
    paid = {field.name for field in game.declaration.components} <= own
    seen = plain.is_seen(game, "contribution", "trust", "reputation")
    return paid and seen and not game.shocks and not game.config.agents.may_leave
