"""Points that policies earn in a session, in the person's seat and when all seats follow them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mixed_company import engine, policies
from mixed_company.engine import solutions
from mixed_company.engine.contract.errors import EngineError
from mixed_company.engine.contract.space import Array
from mixed_company.policies.bench import Bench
from mixed_company.policies.populations import names as populations_of
from mixed_company.table.setup import Setup, resolve
from settings import SESSION_CONFIG_DEFAULTS

PLAYS = 200
MOST_LEVELS = 25
"""Maximum number of whole numbers that the search for the best reply tries. If there are more, it
tries `LEVELS` amounts instead."""
LEVELS = 11


@dataclass(frozen=True)
class Stake:
    """A session to measure.

    setup  its game and options
    rate   EUR per point
    fee    EUR for taking part
    """

    name: str
    setup: Setup
    rate: float
    fee: float

    @cached_property
    def game(self) -> engine.Game[Any]:
        return self.setup.game

    @property
    def others(self) -> list[str]:
        """Return the default bots in the other seats."""
        count, listed = self.game.seats - 1, self.setup.options.bot_list
        return (listed * count)[:count]


@dataclass(frozen=True)
class Earned:
    """Points of a policy in a seat, by play: (PLAYS,)."""

    points: Array

    @property
    def mean(self) -> float:
        return float(self.points.mean())

    @property
    def spread(self) -> float:
        """Return the standard deviation between plays."""
        return float(self.points.std())

    @property
    def below(self) -> float:
        """Return the share of plays that ended with negative points."""
        return float((self.points < 0).mean())


@dataclass(frozen=True)
class Table:
    """Measurements of a session.

    alone  points in the person's seat by policy, with the default bots in the others
    reply  the same for constant amounts, by spec, as a search for the best reply tries them
    group  points of a seat by policy, if all follow it, populations included
    best   mean of the most that a seat of a group can earn; None if unknown
    """

    stake: Stake
    alone: dict[str, Earned]
    reply: dict[str, Earned]
    group: dict[str, Earned]
    best: float | None

    @property
    def top(self) -> tuple[str, Earned]:
        """Return the policy spec that earns the most in the person's seat, and its points."""
        return max({**self.alone, **self.reply}.items(), key=lambda item: item[1].mean)


def stake_of(config: Mapping[str, Any]) -> Stake:
    """Return the stake of an unmodified session config."""
    values = {**SESSION_CONFIG_DEFAULTS, **config}
    setup, _ = resolve(config["app_sequence"][0], values, values)
    rate, fee = values["real_world_currency_per_point"], values["participation_fee"]
    return Stake(config["name"], setup, rate, fee)


# -- measuring ------------------------------------------------------------------------------------


def earned(game: engine.Game[Any], seats: Sequence[str]) -> Earned:
    """Return the points of seat 0 if these policies play in the seats, in plays with seeds from
    0."""
    seeds = np.arange(PLAYS)
    state, seen = game.reset(seeds)
    different = {spec: policies.make(spec, game) for spec in seats}
    seated = [
        (policy, np.array([spec == name for name in seats])) for spec, policy in different.items()
    ]
    points = np.zeros(PLAYS)
    for _, outcome in Bench(game, seated).play(seeds, state, seen):
        points = points + outcome.rewards[:, 0]
    return Earned(points)


def beside(stake: Stake, spec: str) -> Earned:
    """Return the points of a policy in the person's seat among the default bots."""
    return earned(stake.game, [spec, *stake.others])


def together(stake: Stake, spec: str) -> Earned:
    """Return the points per seat if all seats follow a policy."""
    return earned(stake.game, [spec] * stake.game.seats)


def fitting(game: engine.Game[Any]) -> list[str]:
    """Return the policies that can play this form of the game."""
    return [policy_id for policy_id in policies.ids(game.id) if _can_play(policy_id, game)]


def _can_play(spec: str, game: engine.Game[Any]) -> bool:
    try:
        policies.make(spec, game)
    except EngineError:
        return False  # made for a game of another form
    return True


def populations(game: engine.Game[Any]) -> list[str]:
    """Return the specs of the populations of people for this game."""
    specs = [f"population:{name}" for name in populations_of(game.id)]
    return [spec for spec in specs if _can_play(spec, game)]


def replies(game: engine.Game[Any]) -> list[str]:
    """Return constant amounts for the search: all whole numbers or, if there are too many, equal
    steps."""
    amounts = [field for field in game.declaration.actions if field.kind != "choice"]
    if not amounts or "fixed" not in policies.ids(game.id):
        return []
    first = amounts[0]
    whole = np.arange(np.ceil(first.low), first.high + 1)
    levels = whole if whole.size <= MOST_LEVELS else np.linspace(first.low, first.high, LEVELS)
    return [f"fixed:{first.name}={level:g}" for level in levels.tolist()]


def measured(stake: Stake) -> Table:
    """Measure one session."""
    game = stake.game
    fit = fitting(game)
    bests = [solutions.best(game, seed) for seed in range(PLAYS)]
    values = [best.value / game.seats for best in bests if best is not None]
    return Table(
        stake,
        {policy: beside(stake, policy) for policy in fit},
        {spec: beside(stake, spec) for spec in replies(game)},
        {spec: together(stake, spec) for spec in [*fit, *populations(game)]},
        float(np.mean(values)) if values else None,
    )
