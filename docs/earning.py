"""What policies earn in a session, on the person's seat and all together, for docs/stakes.md.

`python -m docs.stakes` writes it.
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
    """A session to be measured.

    setup     its game and its options
    promises  what it should promise
    rate      EUR for a point
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
        """The default bots on the seats beside the person's."""
        count, listed = self.game.seats - 1, self.setup.options.bot_list
        return (listed * count)[:count]


@dataclass(frozen=True)
class Earned:
    """What a policy earned on a seat, play by play: (PLAYS,) points."""

    points: Array

    @property
    def mean(self) -> float:
        return float(self.points.mean())

    @property
    def spread(self) -> float:
        """The standard deviation that chance gives."""
        return float(self.points.std())

    @property
    def below(self) -> float:
        """The share of plays that ended below 0."""
        return float((self.points < 0).mean())


@dataclass(frozen=True)
class Dilemma:
    """What comes of doing otherwise than is best for the group, in points of a seat.

    reply  the policy that does otherwise
    gain   what it brings a seat that does so alone
    loss   what it costs each if all do so
    """

    reply: str
    gain: float
    loss: float


@dataclass(frozen=True)
class Table:
    """All that is measured of a session.

    own      policy -> earned on the person's seat, the default bots on the others
    reply    simple policies besides, the same way: what a search for the best reply tried
    group    policy -> earned by a seat if all follow it
    best     the most a seat of a group can earn, in the mean; None: not known
    dilemma  None: what is best for the group is not said
    """

    stake: Stake
    own: dict[str, Earned]
    reply: dict[str, Earned]
    group: dict[str, Earned]
    best: float | None
    dilemma: Dilemma | None


def shipped() -> Iterator[Stake]:
    """The sessions of each game of which something is promised, else its first on the list."""
    for game_id in engine.game_ids():
        own = {
            config["name"]: config
            for config in SESSION_CONFIGS
            if config["app_sequence"][0] == game_id
        }
        promised = games.find(game_id).stakes or dict.fromkeys(list(own)[:1], Stakes())
        for name, promises in promised.items():
            yield stake_of(own[name], promises)


def stake_of(config: Mapping[str, Any], promises: Stakes) -> Stake:
    """A session config as it is."""
    given = {**SESSION_CONFIG_DEFAULTS, **config}
    setup, _ = resolve(config["app_sequence"][0], given, given)
    rate, fee = given["real_world_currency_per_point"], given["participation_fee"]
    return Stake(config["name"], setup, promises, rate, fee)


# -- measuring ------------------------------------------------------------------------------------


def earned(game: engine.Game[Any], seats: Sequence[str]) -> Earned:
    """What seat 0 earned where these policies have the seats, in plays of the seeds from 0 on."""
    seeds = np.arange(PLAYS)
    state, seen = game.reset(seeds)
    different = {spec: policies.make(spec, game) for spec in seats}
    seated = [
        (policy, np.array([spec == own for own in seats])) for spec, policy in different.items()
    ]
    points = np.zeros(PLAYS)
    for _, outcome in Bench(game, seated).play(seeds, state, seen):
        points = points + outcome.rewards[:, 0]
    return Earned(points)


def beside(stake: Stake, spec: str) -> Earned:
    """What a policy earns on the person's seat among the default bots."""
    return earned(stake.game, [spec, *stake.others])


def together(stake: Stake, spec: str) -> Earned:
    """What a seat earns if all follow a policy."""
    return earned(stake.game, [spec] * stake.game.seats)


def fitting(game: engine.Game[Any]) -> list[str]:
    """The policies that can play a game with its numbers."""
    fit = []
    for policy_id in policies.ids(game.id):
        try:
            policies.make(policy_id, game)
        except EngineError:
            continue  # trained for another form
        fit.append(policy_id)
    return fit


def replies(game: engine.Game[Any]) -> list[str]:
    """Simple policies that the search tries: the same amount in every period, at equal steps."""
    amounts = [own for own in game.declaration.actions if own.kind != "choice"]
    if not amounts or "fixed" not in policies.ids(game.id):
        return []
    first = amounts[0]
    levels = np.linspace(first.low, first.high, LEVELS)
    return [f"fixed:{first.name}={level:g}" for level in levels.tolist()]


def measured(stake: Stake) -> Table:
    """Everything of one session."""
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
    """What becomes of the choice that is best for the group, if one seat or all do otherwise."""
    common, tempting = stake.promises.common, stake.promises.tempting
    if not common:
        return None
    others = [common] * (stake.game.seats - 1)
    tried = [tempting] if tempting else sorted({*policies, *replies(stake.game)} - {common})
    alone = {spec: earned(stake.game, [spec, *others]).mean for spec in tried}
    kept, selfish = together(stake, common).mean, max(tried, key=alone.__getitem__)
    return Dilemma(selfish, alone[selfish] - kept, kept - together(stake, selfish).mean)
