"""Data for the sanctions game's picture, including what a seat can infer from its observations."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress
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
from sanctions.framing import all_or_nothing, takes
from sanctions.quiz import reacts
from sanctions.words import brings, lead, most_given

MOST_SLOTS = 10
"""Number of past periods that are drawn separately."""

MOST_NUMBERS = 100_000
"""Maximum number of slider stops times pairs of seats. More would slow down other plays."""

_SAME = 1e-9
"""Tolerance in points below which outcomes are equal."""

DIGITS = 1
"""Number of decimals in the points for a period."""

Effects = list[float | None]
"""Losses and gains in points or per cent; None if hidden."""


def setting(game: SanctionsGame, seat: int) -> Row:
    """Return the seat's endowment and baseline in points. `most` is the largest endowment.

    lead           main rule in one sentence; empty if none applies
    brings         what a contributed point earns, in one sentence; empty if this varies
    is_pool        whether contributions go into a common pool
    is_factor      whether losses and gains are in per cent
    remembers      whether past contributions have an effect
    look_back      number of periods that the remembered average covers
    with_baseline  whether the remembered average is compared with the baseline
    trusts         whether trust changes and has an effect
    takes          whether players take points out of a full pool; `endowments`: those of all seats
    ends           whether players contribute all or nothing
    earns          whether the points that each player earned are seen
    """
    core, endowment = game.core, per_seat(game.core.endowment, game.seats)
    moves = bool(core.kappa_T) or not plain.is_steady(game, "trust", "reputation")
    counts = reacts(core) or core.reward != "private"
    return {
        "endowment": float(endowment[seat]),
        "most": float(endowment.max()),
        "baseline": float(per_seat(core.baseline, game.seats)[seat]),
        "lead": lead(game, seat),
        "brings": brings(game, seat),
        "is_pool": core.production == "public_good",
        "is_factor": core.form == "multiplier",
        "remembers": reacts(core),
        "look_back": look_back(core),
        "with_baseline": core.signal == "baseline",
        "trusts": moves and counts,
        "takes": takes(core),
        "endowments": endowment.tolist(),
        "ends": all_or_nothing(core),
        "earns": core.others_earnings == "seen",
    }


def look_back(core: SanctionsCore) -> int:
    """Return the number of periods that the memory covers."""
    return core.memory


def derived(game: SanctionsGame, seat: int, seen: Sequence[Observation]) -> Row:
    """Return the seat's reputation with the others, and the effects of a contribution.

    memory      the seat's remembered average {average, compared_with, below, is_verdict, nothing}
    past        contributions in the average {slots: [{given, state}], more}; None if unknown
    trust       trust in each seat (n): its value if all other seats agree on it, otherwise None
    through     losses and gains last period: row i has those of seat i through each other seat,
                in points or per cent (n, n)
    changed     sum of these for each seat (n); None if a part of it is hidden
    why         their causes, for each other seat or for all together: [{of, gap, trust}]
    together    total contribution last period; None in the first period or if a part is hidden
    keeps       points kept: {now, per: change per point contributed}
    remembered  the next average, in the same form; None if unknown
    outcomes    points of this period by contribution, see `_outcomes`; None if already decided
    """
    now = seen[-1]
    contributions = _ring(game, seen)
    ring = _own_ring(game, contributions[seat])
    past = None if ring is None else _past(game, seat, now["period"], ring)
    through = _through(game, now["reciprocity_effects"])
    return {
        "memory": _memory(game, seat, now),
        "past": past,
        "trust": _trust(game, now["trust"]),
        "through": through,
        "changed": _changed(through),
        "why": _why(game, seat, now),
        "together": _together(now),
        "keeps": _keeps(game, seat),
        "remembered": _remembered(game, seat, now["period"], ring),
        "outcomes": None if now.get("stage") else _outcomes(game, seat, now, contributions),
    }


def _together(now: Observation) -> float | None:
    amounts = now["contribution"]
    return None if now["period"] == 0 or None in amounts else float(sum(amounts))


@lru_cache(maxsize=256)
def _keeps(game: SanctionsGame, seat: int) -> Row:
    nothing, single = (
        private_payoff(game.core, np.full(game.seats, amount))["kept"][seat]
        for amount in (0.0, 1.0)
    )
    return _line(nothing, single)


def _line(at_nothing: float, at_one: float) -> Row:
    return {"now": float(at_nothing), "per": {"contribution": float(at_one - at_nothing)}}


def _memory(game: SanctionsGame, seat: int, now: Observation) -> Row:
    """Return the remembered average and the value with which the signal compares it."""
    period, average, rules = now["period"], now["memory_averages"][seat], _rules(game)
    nothing = rules.counted(np.asarray(period - 1)) <= 0
    with_baseline = game.core.signal == "baseline"
    contribution = None if period == 0 else now["contribution"][seat]
    other = float(rules.baseline[seat]) if with_baseline else contribution
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


def _own_ring(game: SanctionsGame, row: Array) -> Any:
    """Return the seat's row of `_ring` (k,); None unless the seat saw all of its numbers
    exactly."""
    information = game.config.layers.information
    changed = information.intensity > 0 and (
        "contribution" in information.delay or "contribution" in information.noise
    )
    return None if changed or np.isnan(row).any() else row


def _past(game: SanctionsGame, seat: int, period: int, ring: Any) -> Row:
    """Return the contributions that count towards the average, oldest first.

    slots   {given, played, leaves}: slots that are not `played` stand for periods before the first;
            one that `leaves` drops out when this period's contribution is added
    more    whether there are more slots than are drawn
    now     whether this period's contribution is added
    """
    rules, core = _rules(game), game.core
    # under `prior`, the average of this period covers only earlier contributions
    before = int(rules.counted(np.asarray(period if core.window == "prior" else period - 1)))
    slots = [
        {
            "given": float(ring[past % rules.slots]) if past >= 0 else float(rules.baseline[seat]),
            "played": past >= 0,
            "leaves": past == period - core.memory,
        }
        for past in range(period - before, period)
    ]
    now = core.window != "peer" or period > 0
    return {"slots": slots[-MOST_SLOTS:], "more": len(slots) > MOST_SLOTS, "now": now}


def _trust(game: SanctionsGame, trust: Sequence[Sequence[float | None]]) -> list[float | None]:
    """Return the others' trust in each seat (n); None if they differ or if trust is not shown."""
    values: list[float | None] = []
    for seat in range(game.seats):
        column = [row[seat] for other, row in enumerate(trust) if other != seat]
        visible = [value for value in column if value is not None]
        alike = len(visible) == len(column) and max(visible) - min(visible) < 1e-9
        values.append(visible[0] if alike else None)
    return values


def _through(game: SanctionsGame, effects: Sequence[Sequence[float | None]]) -> list[Effects]:
    """Return the effects (n, n) on each seat that are due to each other seat. Effects that multiply
    earnings are in per cent.
    """
    core = game.core
    unit = 100.0 / float(np.mean(core.endowment)) if core.form == "multiplier" else 1.0
    rows = zip(*effects, strict=True) if core.falls_on == "deviator" else effects
    return [[None if effect is None else unit * effect for effect in row] for row in rows]


def _changed(through: Sequence[Effects]) -> Effects:
    """Return the sum of the effects on each seat (n); None if one of the effects is hidden."""
    sums: Effects = []
    for seat, row in enumerate(through):
        others = [effect for other, effect in enumerate(row) if other != seat]
        visible = [effect for effect in others if effect is not None]
        sums.append(sum(visible) if len(visible) == len(others) else None)
    return sums


def _why(game: SanctionsGame, seat: int, now: Observation) -> list[Row] | None:
    """Return the causes of the last period's sanctions: seats, gaps in points, and trust.

    The list contains one entry for the seat itself, or one for each other seat if sanctions fall on
    the observer. Return None before anything has happened, and if the causes are hidden or inexact.
    """
    fields = ("contribution", "memory_averages", "trust", "reciprocity_effects")
    if now["period"] == 0 or game.shocks or not plain.is_seen(game, *fields):
        return None
    contributions, averages, trust = (now[name] for name in fields[:3])
    if None in contributions or None in averages:
        return None
    core, rules = game.core, _rules(game)
    nothing = core.window == "prior" and now["period"] == 1

    def gap(of: int) -> float:
        if nothing:
            return 0.0
        if core.signal == "baseline":
            return float(averages[of] - rules.baseline[of])
        return float(contributions[of] - averages[of])

    if core.falls_on == "deviator":
        return [{"of": seat, "gap": gap(seat), "trust": _trust(game, trust)[seat]}]
    others = [other for other in range(game.seats) if other != seat]
    return [{"of": other, "gap": gap(other), "trust": trust[seat][other]} for other in others]


def _remembered(game: SanctionsGame, seat: int, period: int, row: Any) -> Row | None:
    """Return the average after this period as a linear function of the contribution."""
    if game.core.window not in ("inclusive", "full") or row is None:
        return None
    rules = _rules(game)
    ring = rules.unplayed.copy()
    ring[seat] = row
    averages = (
        rules.remember(np.asarray(period), ring, np.full(game.seats, amount))[1][seat]
        for amount in (0.0, 1.0)
    )
    return _line(*averages)


def _outcomes(game: SanctionsGame, seat: int, now: Observation, contributions: Array) -> Row | None:
    """Return the parts of this period's reward for each contribution that the seat can make, given
    all remembered contributions (n, k).

    The others are assumed to repeat their last contributions or, in the first period, to give the
    baseline.

    names     components that are not always 0, as many as a row has parts
    rows      [{value, parts, total}], points: one row per stop of the slider, rounded so that the
              parts add up
    assumed   components that depend on the others' contributions
    is_first  whether this is the first period

    Return None if a layer or a role hides, randomizes or changes any of this, or if there are more
    than MOST_NUMBERS to compute.
    """
    values = _amounts(game, seat)
    numbers = len(values) * game.seats**2
    if not _is_plain(game) or not 0 < numbers <= MOST_NUMBERS:
        return None
    before = {
        "period": np.asarray(now["period"]),
        "contributions": contributions,
        "trust": np.array(now["trust"], dtype=np.float64),
        "reputation": np.array(now["reputation"], dtype=np.float64),
    }
    is_first = now["period"] == 0
    if is_first and (all_or_nothing(game.core) or takes(game.core)):
        return None  # the instructions state no expected contribution
    others = _rules(game).baseline if is_first else np.array(now["contribution"], dtype=np.float64)
    if any(not np.isfinite(part).all() for part in (*before.values(), others)):
        return None
    worlds = np.array([others, np.zeros(game.seats), np.ones(game.seats)])
    amounts = np.concatenate([values] * len(worlds))
    components = foreseen(game, seat, before, amounts, np.repeat(worlds, len(values), axis=0))
    parts = np.array(list(components.values())).reshape(len(components), len(worlds), -1)
    differs = np.asarray(np.ptp(parts, axis=1).max(axis=1) > _SAME)
    assumed = list(compress(components, differs))
    earned = np.asarray(parts[:, 0].any(axis=1))
    names = list(compress(components, earned))
    rows = _rows(values, parts[earned, 0])
    return {"names": names, "rows": rows, "assumed": assumed, "is_first": bool(is_first)}


def _rows(values: Array, parts: Array) -> list[Row]:
    """Return one row per value, from parts (p, v).

    The largest part after the first absorbs rounding errors.
    """
    total, rounded = parts.sum(axis=0).round(DIGITS), parts.round(DIGITS)
    if len(parts) > 1:
        largest = 1 + np.abs(parts[1:]).argmax(axis=0)
        rounded[largest, np.arange(len(values))] += total - rounded.sum(axis=0)
    columns = (values, rounded.T.round(DIGITS) + 0.0, total + 0.0)
    return [
        {"value": value, "parts": row, "total": whole}
        for value, row, whole in zip(*(column.tolist() for column in columns), strict=True)
    ]


@lru_cache(maxsize=64)
def _is_plain(game: SanctionsGame) -> bool:
    """Return whether only the core determines a period and every seat sees it exactly."""
    by_core = {"kept", "production", "synergy", "others", "sanctions"}
    paid = {field.name for field in game.declaration.components} <= by_core
    seen = plain.is_seen(game, "contribution", "trust", "reputation")
    return paid and seen and not game.shocks and not game.config.agents.may_leave


def _ring(game: SanctionsGame, seen: Sequence[Observation]) -> Array:
    """Return the contributions (n, k) that the seat has seen, with NaN for all others."""
    rules, period = _rules(game), seen[-1]["period"]
    ring: Array = rules.unplayed.copy()
    kept = range(max(period - rules.slots, 0), period)
    if game.core.window == "peer":  # the first period is never remembered
        kept = range(max(kept.start, 1), period)
    contributions = {row["period"] - 1: row["contribution"] for row in seen}
    for past in kept:
        amounts = contributions.get(past) or [None] * game.seats
        ring[:, past % rules.slots] = np.array(amounts, dtype=np.float64)
    return ring


@lru_cache(maxsize=256)
def _amounts(game: SanctionsGame, seat: int) -> Array:
    """Return the contributions at which the seat's control can stop."""
    highest = most_given(game, seat)
    if all_or_nothing(game.core):
        return np.array([0.0, highest])
    return np.array(stops(game, "contribution", 0.0, highest))


@lru_cache(maxsize=64)
def _rules(game: SanctionsGame) -> Reciprocity:
    return Reciprocity(game.core)
