"""Compositions of policies: who sits where, and what they earn."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import numpy as np

from mixed_company import engine, policies
from mixed_company.engine.contract.chance import generator, play_seeds
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.policies.bench import Bench
from mixed_company.policies.spec import parse
from mixed_company.policies.trained.policy import Trained

__all__ = ["PLAYS", "Composition", "Portion", "beside", "compositions", "order", "played"]

PLAYS = 100
"""In a portion."""

Composition = tuple[str, ...]
"""The policies of n places; the rarest first, so that one in place of another takes its place."""


def order(policies: Sequence[str]) -> Composition:
    """The places of these policies."""
    return tuple(sorted(policies, key=lambda policy: (policies.count(policy), policy)))


def beside(policy: str, other: str, count: int, seats: int) -> Composition:
    """So many seats of a policy, the others of another; of two seats the policy's is the first."""
    composition = (policy,) * count + (other,) * (seats - count)
    return composition if seats == 2 else order(composition)


def compositions(policies: Sequence[str], seats: int) -> list[Composition]:
    """All compositions of so many seats, each once; of two seats each pair both ways round.

    Else neither of two would be the rarer, and what a clone earns could not be compared.
    """
    if seats == 2:
        return list(product(policies, repeat=2))
    return [order(composition) for composition in combinations_with_replacement(policies, seats)]


@dataclass(frozen=True)
class Portion:
    """Plays `first` to `first + count - 1` of a composition; `config` is the game's, as JSON."""

    config: str
    composition: Composition
    seed: int
    first: int
    count: int

    @property
    def identity(self) -> dict[str, Any]:
        """All that its numbers follow from, as plain JSON: of policies, what they are, too."""
        game = _game(self.config)
        kinds = {spec: policies.find(parse(spec)[0], game.id) for spec in set(self.composition)}
        return {
            "game": game.id,
            "version": game.version,
            "config": json.loads(self.config),
            "composition": list(self.composition),
            "versions": {spec: _version(kind) for spec, kind in sorted(kinds.items())},
            "seed": self.seed,
            "first": self.first,
            "count": self.count,
        }


def _version(kind: type[policies.Policy]) -> str:
    """What a policy is: of a trained one its model, of a written one its file, which is edited
    without a thought of `version`."""
    if issubclass(kind, Trained):
        return kind.card.sha256
    written = Path(str(sys.modules[kind.__module__].__file__)).read_bytes()
    return f"{kind.version} {hashlib.sha256(written).hexdigest()}"


@lru_cache(maxsize=4)
def _game(config: str) -> Game[Any]:
    return engine.make(json.loads(config))


def played(portion: Portion) -> Array:
    """(P, n) what each place earns.

    Places are put on seats by chance, anew in each play, and in all compositions alike: so that all
    are compared under the same chance.
    """
    game = _game(portion.config)
    numbers = np.arange(portion.first, portion.first + portion.count)
    places = np.array([_places(portion.seed, number, game.seats) for number in numbers.tolist()])
    names = np.array(portion.composition)[places]
    seated = [
        (policies.make(spec, game), names == spec) for spec in dict.fromkeys(portion.composition)
    ]
    seeds = play_seeds(portion.seed, numbers)
    returns = np.zeros((portion.count, game.seats))
    for _, outcome in Bench(game, seated).play(seeds, *game.reset(seeds)):
        returns += outcome.rewards
    by_place = np.empty_like(returns)
    np.put_along_axis(by_place, places, returns, axis=1)
    return by_place


@lru_cache(maxsize=10_000)
def _places(seed: int, number: int, seats: int) -> tuple[int, ...]:
    """The place of each seat in a play."""
    return tuple(generator(seed, "places", number).permutation(seats).tolist())
