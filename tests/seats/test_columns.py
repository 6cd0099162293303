"""Which fields of a state the exported tables take as a number per seat or per pair."""

from __future__ import annotations

import engine
from engine.space import Field
from seats.columns import pair_fields, seat_fields


def names(fields: list[Field]) -> list[str]:
    return [field.name for field in fields]


def test_what_all_share_is_not_taken_for_a_number_per_seat() -> None:
    # Two villages and two types of gem: `gems` is as long as there are seats.
    game = engine.make("gem_mining", seats=2, gem_types=2)
    assert names(seat_fields(game)) == ["reach", "workers", "mine"]
    assert pair_fields(game) == []


def test_what_is_between_two_seats_is_a_pair() -> None:
    game = engine.make("sanctions", archetype="lab")
    assert "contribution" in names(seat_fields(game))
    assert names(pair_fields(game)) == ["trust", "reputation", "reciprocity_effects"]
