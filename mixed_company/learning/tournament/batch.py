"""Mixes of policies and their plays, in batches and in portions for many processes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mixed_company import policies
from mixed_company.engine import solutions
from mixed_company.engine.contract.chance import play_seeds
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.game import Game
from mixed_company.learning import portions as stored
from mixed_company.learning.portions import Portion
from mixed_company.policies.bench import Bench
from mixed_company.policies.policy import Policy
from mixed_company.policies.spec import policy_specs

MOST_PLAYS = 4096
"""Maximum number of plays in a portion: large enough for speed, small enough to share work
evenly."""

MOST_SEEN = 50_000_000
"""Maximum number of observed values per period in a portion; it limits the portions of huge
games."""


# -- which policies meet --------------------------------------------------------------------


class Mix(NamedTuple):
    """Mix in which one seat follows the policy `focal`, and all others follow `field`; both are
    specs."""

    focal: str
    field: str

    @property
    def alone(self) -> bool:
        """True if all seats follow the same policy."""
        return self.focal == self.field


def named(text: str, game: Game[Any]) -> list[str]:
    """Return the policies in a string: `all` (those that fit the game), or specs separated by
    commas.

    Raises UnknownName for an unknown policy, and ConfigError for an invalid parameter, an empty
    string or a policy that is named twice.
    """
    if text.strip() == "all":
        refused = unfit(game)
        return [policy for policy in policies.ids(game.id) if policy not in refused]
    specs = policy_specs(text)
    if not specs:
        raise ConfigError(f"policies = {text!r}: should name at least one policy, or be 'all'")
    for spec in specs:
        policies.make(spec, game)
        if specs.count(spec) > 1:
            raise ConfigError(
                f"policies: {spec!r} should be named once, not {specs.count(spec)} times"
            )
    return specs


def unfit(game: Game[Any]) -> dict[str, str]:
    """Return the policies that do not fit a game's configuration, with the reasons."""
    refusals = {}
    for policy in policies.ids(game.id):
        try:
            policies.make(policy, game)
        except ConfigError as refusal:
            refusals[policy] = str(refusal)
    return refusals


def mixes(policies: Sequence[str], seats: int) -> list[Mix]:
    """Return each policy's mix with itself, and then the mixes of every policy with every other
    policy.

    With two seats, each policy is the other's field, so a pair of policies is a single mix.
    """
    alone = [Mix(policy, policy) for policy in policies]
    pairs = {1: [], 2: combinations(policies, 2)}.get(seats, permutations(policies, 2))
    return alone + [Mix(*pair) for pair in pairs]


def focal_seats(numbers: Array, seats: int) -> Array:
    """Return the focal seats in the plays with these numbers; seats take turns."""
    return np.asarray(numbers % seats)


def seating(mix: Mix, number: int, seats: int) -> list[str]:
    """Return the policy of each seat in the play with this number."""
    focal = int(focal_seats(np.asarray(number), seats))
    return [mix.focal if seat == focal else mix.field for seat in range(seats)]


# -- plays of a mix -------------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """Results of P plays of a mix.

    returns     (P, n) points of each seat
    focal       (P,) the seat of the focal policy
    periods     (P,) number of periods played
    efficiency  (P, 2) share of the best possible points, as `shares` returns it; NaN if the best is
                undefined
    faults      failed decisions, which the default action replaced
    """

    returns: Array
    focal: Array
    periods: Array
    efficiency: Array
    faults: int


def joined(parts: Sequence[Played]) -> Played:
    """Join the plays of several portions."""
    return Played(
        returns=np.concatenate([part.returns for part in parts]),
        focal=np.concatenate([part.focal for part in parts]),
        periods=np.concatenate([part.periods for part in parts]),
        efficiency=np.concatenate([part.efficiency for part in parts]),
        faults=sum(part.faults for part in parts),
    )


def play(game: Game[Any], mix: Mix, seed: int, first: int, count: int) -> Played:
    """Run the plays `first` to `first + count - 1` of a mix.

    Raises UnknownName or ConfigError for an invalid policy.
    """
    numbers = np.arange(first, first + count)
    seeds, focal = play_seeds(seed, numbers), focal_seats(numbers, game.seats)
    state, seen = game.reset(seeds)
    bench = Bench(game, _seated(game, mix, focal))
    returns = np.zeros((count, game.seats))
    judged = solutions.has_best(game)
    states: list[Arrays] = [state]
    components: list[Arrays] = []
    for after, outcome in bench.play(seeds, state, seen):
        state, returns = after, returns + outcome.rewards
        if judged:
            states.append(state)
            components.append(outcome.components)
    shares = solutions.share_of_best(game, states, components)
    efficiency = np.full((count, 2), np.nan) if shares is None else shares
    return Played(returns, focal, np.array(state["period"]), efficiency, bench.faults)


def _seated(game: Game[Any], mix: Mix, focal: Array) -> list[tuple[Policy, Array]]:
    """Return the policies of a mix, and flags for their seats (P, n)."""
    is_focal = np.arange(game.seats) == focal[:, None]
    places = {mix.field: ~is_focal, mix.focal: is_focal}
    if mix.alone:
        places = {mix.field: np.ones_like(is_focal)}
    return [(policies.make(spec, game), where) for spec, where in places.items()]


# -- in portions ----------------------------------------------------------------------------


class Mixed(Portion):
    """Plays of a mix."""

    kind = "mix"


def run(portion: Mixed) -> dict[str, Array]:
    """Play a portion, here or on a worker; return the values of `Played`."""
    mix, plays = Mix(*portion.group), (portion.seed, portion.first, portion.count)
    return {
        name: np.asarray(value) for name, value in vars(play(portion.game, mix, *plays)).items()
    }


def portions(game: Game[Any], mixes: Sequence[Mix], seed: int, plays: int) -> list[Mixed]:
    """Return a tournament's portions, mix by mix. Raises ConfigError for fewer than one play."""
    if plays < 1:
        raise ConfigError(f"plays = {plays}: should be at least 1")
    config = game.config.model_dump_json()
    seen = game.seats * sum(math.prod(field.shape) for field in game.declaration.observations)
    size = min(MOST_PLAYS, max(1, MOST_SEEN // seen))
    return [
        Mixed(config, mix, seed, first, min(size, plays - first))
        for mix in mixes
        for first in range(0, plays, size)
    ]


def all_played(
    work: Sequence[Mixed],
    folder: Path | None = None,
    workers: int = 1,
    scheduler: str | None = None,
) -> dict[Mix, Played]:
    """Play a tournament's portions, or take them from a folder; return the plays of each mix.

    Raises the same errors as `mixed_company.learning.portions.all_played`.
    """
    parts: dict[Mix, list[Played]] = {}
    for portion, arrays in zip(
        work, stored.all_played(run, work, folder, workers, scheduler), strict=True
    ):
        parts.setdefault(Mix(*portion.group), []).append(_of(arrays))
    return {mix: joined(plays) for mix, plays in parts.items()}


def _of(arrays: Mapping[str, Array]) -> Played:
    returns, focal, periods = (arrays[name] for name in ("returns", "focal", "periods"))
    return Played(returns, focal, periods, arrays["efficiency"], int(arrays["faults"]))
