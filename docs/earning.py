"""Points that policies earn in a session, on the person's seat and all together (docs/stakes.md).

`python -m docs.stakes` writes the document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mixed_company import engine, policies
from mixed_company.analysis import games
from mixed_company.analysis.games import Stakes
from mixed_company.engine import solutions
from mixed_company.engine.contract.errors import EngineError
from mixed_company.engine.contract.space import Array
from mixed_company.policies.bench import Bench
from mixed_company.table.setup import Setup, resolve
from settings import SESSION_CONFIG_DEFAULTS, SESSION_CONFIGS

PLAYS = 30
LEVELS = 11


@dataclass(frozen=True)
class Stake:
    """Session to measure.

    setup     its game and options
    promises  properties that its game promises
    rate      EUR per point
    fee       EUR for taking part
    """

    name: str
    setup: Setup
    promises: Stakes
    rate: float
    fee: float

    @cached_property
    def game(self) -> engine.Game[Any]:
        return self.setup.game

    @property
    def others(self) -> list[str]:
        """Return the default bots on the other seats."""
        count, listed = self.game.seats - 1, self.setup.options.bot_list
        return (listed * count)[:count]


@dataclass(frozen=True)
class Earned:
    """Points of a policy on a seat, by play: (PLAYS,)."""

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
        """Return the share of plays that ended below 0."""
        return float((self.points < 0).mean())


@dataclass(frozen=True)
class Dilemma:
    """Effects of deviating from the best choice for the group, in points of a seat.

    reply  policy that deviates
    gain   gain of a seat that deviates alone
    loss   loss of each seat if all deviate
    """

    reply: str
    gain: float
    loss: float


@dataclass(frozen=True)
class Table:
    """Measurements of a session.

    alone    points on the person's seat by policy, with the default bots on the others
    reply    the same for other simple policies, as a search for the best reply tries them
    group    points of a seat by policy, if all follow it
    best     mean of the most that a seat of a group can earn; None if unknown
    dilemma  effects of deviating; None if the best choice for the group is not declared
    """

    stake: Stake
    alone: dict[str, Earned]
    reply: dict[str, Earned]
    group: dict[str, Earned]
    best: float | None
    dilemma: Dilemma | None


def shipped() -> Iterator[Stake]:
    """Yield the sessions about which each game promises something, or else its first session."""
    for game_id in engine.game_ids():
        configs = {
            config["name"]: config
            for config in SESSION_CONFIGS
            if config["app_sequence"][0] == game_id
        }
        promised = games.find(game_id).stakes or dict.fromkeys(list(configs)[:1], Stakes())
        for name, promises in promised.items():
            yield stake_of(configs[name], promises)


def stake_of(config: Mapping[str, Any], promises: Stakes) -> Stake:
    """Return the stake of a session config, unchanged."""
    values = {**SESSION_CONFIG_DEFAULTS, **config}
    setup, _ = resolve(config["app_sequence"][0], values, values)
    rate, fee = values["real_world_currency_per_point"], values["participation_fee"]
    return Stake(config["name"], setup, promises, rate, fee)


# -- measuring ------------------------------------------------------------------------------------


def earned(game: engine.Game[Any], seats: Sequence[str]) -> Earned:
    """Return the points of seat 0 if these policies have the seats, in plays with seeds from 0."""
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
    """Return the points of a policy on the person's seat among the default bots."""
    return earned(stake.game, [spec, *stake.others])


def together(stake: Stake, spec: str) -> Earned:
    """Return the points of a seat if all follow a policy."""
    return earned(stake.game, [spec] * stake.game.seats)


def fitting(game: engine.Game[Any]) -> list[str]:
    """Return the policies that can play a game of this form."""
    fit = []
    for policy_id in policies.ids(game.id):
        try:
            policies.make(policy_id, game)
        except EngineError:
            continue  # trained for a game of another form
        fit.append(policy_id)
    return fit


def replies(game: engine.Game[Any]) -> list[str]:
    """Return simple policies for the search: the same amount in every period, in equal steps."""
    amounts = [field for field in game.declaration.actions if field.kind != "choice"]
    if not amounts or "fixed" not in policies.ids(game.id):
        return []
    first = amounts[0]
    levels = np.linspace(first.low, first.high, LEVELS)
    return [f"fixed:{first.name}={level:g}" for level in levels.tolist()]


def measured(stake: Stake) -> Table:
    """Measure one session."""
    game = stake.game
    policies = fitting(game)
    bests = [solutions.best(game, seed) for seed in range(PLAYS)]
    values = [best.value / game.seats for best in bests if best is not None]
    return Table(
        stake,
        {policy: beside(stake, policy) for policy in policies},
        {spec: beside(stake, spec) for spec in replies(game)},
        {policy: together(stake, policy) for policy in policies},
        float(np.mean(values)) if values else None,
        _dilemma(stake, policies),
    )


def _dilemma(stake: Stake, policies: Sequence[str]) -> Dilemma | None:
    """Measure deviations from the best choice for the group, by one seat and by all."""
    common, tempting = stake.promises.common, stake.promises.tempting
    if not common:
        return None
    others = [common] * (stake.game.seats - 1)
    tried = [tempting] if tempting else sorted({*policies, *replies(stake.game)} - {common})
    alone = {spec: earned(stake.game, [spec, *others]).mean for spec in tried}
    kept, selfish = together(stake, common).mean, max(tried, key=alone.__getitem__)
    return Dilemma(selfish, alone[selfish] - kept, kept - together(stake, selfish).mean)
