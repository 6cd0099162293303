"""Which policies meet, and who sits where."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np

from mixed_company import policies
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game

__all__ = ["Mix", "focal_seats", "mixes", "named", "seating", "unfit"]


class Mix(NamedTuple):
    """One seat follows `focal`, all others `field`; both are policies as a session names them."""

    focal: str
    field: str

    @property
    def alone(self) -> bool:
        """Do all seats follow the same policy?"""
        return self.focal == self.field


def named(text: str, game: Game[Any]) -> list[str]:
    """The policies that a text names: `all` that fit the game, or some by commas.

    Raises UnknownName for a policy, ConfigError for a parameter, none or one named twice.
    """
    if text.strip() == "all":
        refused = unfit(game)
        return [policy for policy in policies.ids(game.id) if policy not in refused]
    specs = [spec.strip() for spec in text.split(",") if spec.strip()]
    if not specs:
        raise ConfigError(f"policies = {text!r}: at least one, or all")
    for spec in specs:
        policies.make(spec, game)
        if specs.count(spec) > 1:
            raise ConfigError(f"policies: {spec!r} is named {specs.count(spec)} times")
    return specs


def unfit(game: Game[Any]) -> dict[str, str]:
    """The policies that do not fit a game under its configuration, and why."""
    refusals = {}
    for policy in policies.ids(game.id):
        try:
            policies.make(policy, game)
        except ConfigError as refusal:
            refusals[policy] = str(refusal)
    return refusals


def mixes(policies: Sequence[str], seats: int) -> list[Mix]:
    """Every policy alone, then each against each as the only one of its kind.

    Of two seats each is the other's field, so that there a pair is one mix.
    """
    alone = [Mix(policy, policy) for policy in policies]
    pairs = {1: [], 2: combinations(policies, 2)}.get(seats, permutations(policies, 2))
    return alone + [Mix(*pair) for pair in pairs]


def focal_seats(numbers: Array, seats: int) -> Array:
    """The focal seat of plays with these numbers: each seat in turn."""
    return np.asarray(numbers % seats)


def seating(mix: Mix, number: int, seats: int) -> list[str]:
    """The policy of each seat in a play with this number."""
    focal = int(focal_seats(np.asarray(number), seats))
    return [mix.focal if seat == focal else mix.field for seat in range(seats)]
