"""Columns that a game's rules determine: its declared fields."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from mixed_company.engine import solutions
from mixed_company.engine.contract.space import Field
from mixed_company.engine.game import Game
from mixed_company.table.export import peers
from mixed_company.table.export.column import Column

# -- fields with columns --------------------------------------------------------------------------


def seat_fields(game: Game[Any]) -> list[Field]:
    """Return the state fields that have a number per seat."""
    return [field for field in _of_seats(game) if field.shape == (game.seats,)]


def pair_fields(game: Game[Any]) -> list[Field]:
    """Return the state fields that have a number per pair of seats."""
    return [field for field in _of_seats(game) if field.shape == (game.seats, game.seats)]


def group_fields(game: Game[Any]) -> list[Field]:
    """Return the state fields of the group as a whole: numbers, or arrays without a seat axis."""
    excluded = ("period", "reason")
    return [
        field
        for field in game.declaration.state
        if field.name not in excluded and not field.bulk and (field.shape == () or field.common)
        if field.name not in peers.without_column(game)
    ]


def _of_seats(game: Game[Any]) -> list[Field]:
    without = peers.without_column(game)
    return [
        field
        for field in game.declaration.state
        if not (field.bulk or field.common or field.name in without)
    ]


def has_pairs(game: Game[Any]) -> bool:
    """Return whether a game has values for pairs of seats."""
    return game.peers is not None or bool(pair_fields(game))


# -- their columns --------------------------------------------------------------------------------


def of_decisions(game: Game[Any]) -> list[Column]:
    """Return the columns for a seat in a period."""
    declared = game.declaration
    actions = [
        _column(f"{stage}_", field, f"{peers.meaning(game, field)}, as {stage}", field.shape)
        for field in declared.actions
        for stage in ("sent", "used")
    ]
    parts = [
        Column(f"reward_{field.name}", "real", f"part of the reward: {field.meaning}", "points")
        for field in declared.components
    ]
    reward = Column("reward", "real", "points earned by the seat in the period", "points")
    return [*actions, reward, *parts, *_after(seat_fields(game)), *peers.of_seats(game)]


def of_periods(game: Game[Any]) -> list[Column]:
    """Return the columns for the group in a period."""
    return [
        Column("reward_sum", "real", "points earned by all seats together", "points"),
        *(_column("after_", field, _after_it(field), field.shape) for field in group_fields(game)),
        *(_column("", field, field.meaning, field.shape) for field in solutions.judged(game)),
        Column("ended", "text", "reason why the play ended with this period; empty: it continued"),
    ]


def of_pairs(game: Game[Any]) -> list[Column]:
    """Return the columns for a pair of seats in a period: the pair's values and the partner's
    values."""
    return [
        Column("seat", "whole", "seat that observes (the row of a pair), from 0"),
        Column("partner", "whole", "seat that is observed (the column), from 0"),
        *_after(pair_fields(game)),
        *(
            _column("partner_", field, f"of the partner: {field.meaning}")
            for field in seat_fields(game)
        ),
        *peers.of_pairs(game),
    ]


def _after(fields: Iterable[Field]) -> list[Column]:
    return [_column("after_", field, _after_it(field)) for field in fields]


def _after_it(field: Field) -> str:
    return f"after the period: {field.meaning}"


def _column(prefix: str, field: Field, meaning: str, shape: tuple[int, ...] = ()) -> Column:
    kind = field.kind if field.kind in ("real", "flag") else "whole"
    column = Column(f"{prefix}{field.name}", kind, meaning, field.unit, shape)
    if prefix == "sent_" or kind == "flag":
        return column  # a sent value can exceed what the rules allow
    return replace(column, low=float(field.low), high=float(field.high))
