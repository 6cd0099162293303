"""Compositions of policies, and their plays."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import numpy as np

from mixed_company import policies
from mixed_company.engine.contract.chance import generator, play_seeds
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.learning import portions as stored
from mixed_company.learning.portions import Portion
from mixed_company.policies.bench import Bench, check_together

PLAYS = 100
"""Number of plays in a portion."""

Composition = tuple[str, ...]
"""Policies in n places, the rarest first, so a policy that replaces another one takes the same
place."""


def order(policies: Sequence[str]) -> Composition:
    """Return the composition of these policies, the rarest first."""
    return tuple(sorted(policies, key=lambda policy: (policies.count(policy), policy)))


def beside(policy: str, other: str, count: int, seats: int) -> Composition:
    """Return a composition with `count` seats of one policy, and another policy in the rest.

    With two seats, this policy comes first.
    """
    composition = (policy,) * count + (other,) * (seats - count)
    return composition if seats == 2 else order(composition)


def compositions(policies: Sequence[str], seats: int) -> list[Composition]:
    """Return all compositions with this many seats; with two seats, each pair in both orders.

    With two seats, neither policy is rarer, and clones can only be found if both orders are played.
    """
    if seats == 2:
        return list(product(policies, repeat=2))
    return [order(composition) for composition in combinations_with_replacement(policies, seats)]


class Composed(Portion):
    """Plays of a composition."""

    kind = "composition"


def played(portion: Composed) -> dict[str, Array]:
    """Play a portion and return the earnings of each place as `points`, shape (P, n).

    Places are assigned to seats at random in each play. The assignment is the same in all
    compositions, so all are compared with the same random numbers.
    """
    game, numbers = portion.game, portion.numbers
    places = np.array([_places(portion.seed, number, game.seats) for number in numbers.tolist()])
    names = np.array(portion.group)[places]
    seated = [(policies.make(spec, game), names == spec) for spec in dict.fromkeys(portion.group)]
    seeds = play_seeds(portion.seed, numbers)
    returns = np.zeros((portion.count, game.seats))
    for _, outcome in Bench(game, seated).play(seeds, *game.reset(seeds)):
        returns += outcome.rewards
    by_place = np.empty_like(returns)
    np.put_along_axis(by_place, places, returns, axis=1)
    return {"points": by_place}


@lru_cache(maxsize=10_000)
def _places(seed: int, number: int, seats: int) -> tuple[int, ...]:
    """Return the place in the composition for each seat of a play."""
    return tuple(generator(seed, "places", number).permutation(seats).tolist())


# -- in portions ----------------------------------------------------------------------------


def portions(
    game: Game[Any], policies: Sequence[str], plays: int, seed: int
) -> dict[Composition, list[Composed]]:
    """Return the portions, composition by composition. Raises ConfigError for a game that cannot be
    played."""
    check_together(game)
    if plays < 2:
        raise ConfigError(f"plays = {plays}: should be at least 2")
    config = game.config.model_dump_json()
    return {
        composition: [
            Composed(config, composition, seed, first, min(PLAYS, plays - first))
            for first in range(0, plays, PLAYS)
        ]
        for composition in compositions(policies, game.seats)
    }


def all_played(
    folder: Path,
    work: dict[Composition, list[Composed]],
    workers: int = 1,
    scheduler: str | None = None,
) -> dict[Composition, Array]:
    """Return the points of every composition, shape (P, n) each; see `portions.all_played`.

    Raises the same errors.
    """
    every = [portion for parts in work.values() for portion in parts]
    points: dict[Composition, list[Array]] = {}
    for portion, arrays in zip(
        every, stored.all_played(played, every, folder, workers, scheduler), strict=True
    ):
        points.setdefault(portion.group, []).append(arrays["points"])
    return {composition: np.concatenate(parts) for composition, parts in points.items()}
