"""The chance of the policies on seats of plays: named by play, seat and period.

It is the same wherever a policy is asked: for one seat of a play or for many of many, at once.
"""

from __future__ import annotations

import numpy as np

from mixed_company.engine.contract.chance import generator, generator_keys
from mixed_company.engine.contract.space import Array
from mixed_company.engine.play.episode import Episode
from mixed_company.policies.draws import Draws, Words

__all__ = ["draws_at", "seat_chance", "seats_chance"]

_FEW = 16  # seats: for fewer it is quicker to ask the generators


def seat_chance(seed: int, seat: int, period: int) -> np.random.Generator:
    """The chance of the policy on a seat of a play, the same wherever it is asked."""
    return generator(seed, _chance_of(seat), period)


def draws_at(episode: Episode, seat: int) -> Draws:
    """The same for a seat of a play as it is now, made when something is drawn."""
    seed, period = episode.seed, episode.period
    return Draws(1, lambda _: seat_chance(seed, seat, period))


def seats_chance(seeds: Array, seats: Array, periods: Array) -> Draws:
    """The chance of the policies on K seats, all (K,), each as `seat_chance` has it."""

    def make(row: int) -> np.random.Generator:
        return seat_chance(int(seeds[row]), int(seats[row]), int(periods[row]))

    def keys(rows: Array) -> Array:
        own, places, times = (part[rows].tolist() for part in (seeds, seats, periods))
        names = {place: _chance_of(place) for place in set(places)}
        return generator_keys(own, [names[place] for place in places], times)

    return Draws(len(seeds), make) if len(seeds) < _FEW else Words(len(seeds), keys)


def _chance_of(seat: int) -> str:
    return f"policy of seat {seat}"
