"""Points that a period of the sanctions game would bring a seat, by its contribution."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.sanctions import SanctionsGame
from mixed_company.engine.games.sanctions.equations import Reciprocity
from mixed_company.engine.solutions.sanctions import foreseen
from mixed_company.server.pages import plain
from mixed_company.server.pages.guide import Observation, Row
from mixed_company.server.pages.plain import stops
from sanctions.words import most_given

__all__ = ["outcomes", "remembered_by", "rules_of"]

MOST_NUMBERS = 100_000
"""Maximum number of slider stops times pairs of seats; more would slow down other plays."""

_SAME = 1e-9
"""Tolerance in points below which outcomes are equal."""

DIGITS = 1
"""Number of decimals in the points that a period would bring."""


def outcomes(game: SanctionsGame, seat: int, seen: Sequence[Observation]) -> Row | None:
    """Return the parts of this period's reward, by the contribution of the seat.

    The others are assumed to repeat their last contributions, or to give the baseline at first.

    names     components that are not always 0, as many as a row has parts
    rows      [{value, parts, total}], points: one row per stop of the slider, rounded so that the
              parts add up
    assumed   components that depend on the others' contributions
    is_first  whether this is the first period

    Return None if a layer or a role hides, randomizes or changes any of it, and if there are more
    than MOST_NUMBERS to compute.
    """
    values = _amounts(game, seat)
    numbers = len(values) * game.seats**2
    if not _is_plain(game) or not 0 < numbers <= MOST_NUMBERS:
        return None
    now, rules = seen[-1], rules_of(game)
    before = {
        "period": np.asarray(now["period"]),
        "contributions": remembered_by(game, seen),
        "trust": np.array(now["trust"], dtype=np.float64),
        "reputation": np.array(now["reputation"], dtype=np.float64),
    }
    is_first = now["period"] == 0
    others = rules.baseline if is_first else np.array(now["contribution"], dtype=np.float64)
    if any(not np.isfinite(part).all() for part in (*before.values(), others)):
        return None
    worlds = np.array([others, np.zeros(game.seats), np.ones(game.seats)])
    contributions = np.repeat(worlds, len(values), axis=0)
    everywhere = {
        name: part.reshape(len(worlds), -1)
        for name, part in foreseen(
            game, seat, before, np.tile(values, len(worlds)), contributions
        ).items()
    }
    parts = {name: part[0] for name, part in everywhere.items()}
    assumed = [name for name, part in everywhere.items() if np.ptp(part, axis=0).max() > _SAME]
    names = [name for name, part in parts.items() if part.any()]
    rows = _rows(values, np.array([parts[name] for name in names]))
    return {"names": names, "rows": rows, "assumed": assumed, "is_first": bool(is_first)}


def _rows(values: Array, parts: Array) -> list[Row]:
    """Return one row per value from parts (p, v); the largest part after the first absorbs rounding
    errors."""
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
    """Return whether only the core determines a period, and every seat sees it exactly."""
    by_core = {"kept", "production", "synergy", "others", "sanctions"}
    paid = {field.name for field in game.declaration.components} <= by_core
    seen = plain.is_seen(game, "contribution", "trust", "reputation")
    return paid and seen and not game.shocks and not game.config.agents.may_leave


def remembered_by(game: SanctionsGame, seen: Sequence[Observation]) -> Array:
    """Return the contributions (n, k) as far as the seat has seen them; nan for the others."""
    rules, period = rules_of(game), seen[-1]["period"]
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
    """Return the contributions at which the seat's slider stops."""
    return np.array(stops(game, "contribution", 0.0, most_given(game, seat)))


@lru_cache(maxsize=64)
def rules_of(game: SanctionsGame) -> Reciprocity:
    return Reciprocity(game.core)
