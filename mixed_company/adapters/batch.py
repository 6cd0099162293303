"""A batch of learners, one per seat of many plays, for any training code; numpy only.

    batch = Batch(engine.make("commons_game", archetype="lab"), plays=1024, seed=7)
    seen = batch.reset()                          # (4096, size) float32, `batch.seen.names`
    moved = batch.step(np.zeros((4096, 2)))       # one row per learner, see `policies.flat.actions`
    moved.observations, moved.rewards, moved.dones

Learner i is seat `seats[i % L]` of play i // L, if L seats learn. A play that ends is immediately
replaced by the next play (`adapters.plays`): `observations` then come from the new play, and
`final_observations` are the last observations of the old play.

A seat that ends before its play waits until the play is over. Every period of the wait is `done`
with reward 0, so nothing is learned from it. An episode ends only when its seat ends.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from mixed_company.adapters.plays import Plays, advance, seated, start
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game, Outcome
from mixed_company.policies.bench import Bench, by_seat
from mixed_company.policies.flat.actions import FlatActions
from mixed_company.policies.flat.observations import FlatObservations
from mixed_company.policies.policy import Policy

RewardMode = Literal["own", "group", "difference", "deter"]

_CHANGING = ("plays", "_returns", "_lengths", "_illegal", "_ended", "_components")
"""Attributes that change during plays, apart from the policies' memories."""


@dataclass(frozen=True)
class Episodes:
    """The k learners whose episodes ended in a step.

    learners    (k,) indices of the learners
    returns     (k,) sums of their rewards
    lengths     (k,) numbers of periods
    illegal     (k,) numbers of choices that were not available
    components  name -> (k,) sums of this component of the points
    reasons     (k,) reasons why the play ended, by name; None: the seat ended before the play
    seeds       (k,) seeds of the plays
    """

    learners: Array
    returns: Array
    lengths: Array
    illegal: Array
    components: dict[str, Array]
    reasons: list[str | None]
    seeds: Array


@dataclass(frozen=True)
class Moved:
    """Result of a step for N learners.

    observations        (N, size) float32, for the next actions
    rewards             (N,) float32
    dones               (N,) flags
    final_observations  (number of dones, size) last observations of the learners whose episode
                        ended
    episodes            episodes that ended
    """

    observations: Array
    rewards: Array
    dones: Array
    final_observations: Array
    episodes: Episodes


class Batch:
    """Learners in `plays` plays of a game.

    seed     base of all seeds; None: the configuration's `identity.seed`
    reward   `own`: points of the seat; `group`: the mean of all seats in its play; `difference`:
             that mean, minus what it would have been in this period if the seat had taken the
             default action (Wolpert and Tumer 2001, Advances in Complex Systems 4), which is the
             immediate effect of the seat's action; only for periods of one stage; `deter`: minus
             the mean points of the seats that do not learn, plus `rivalry` times its own points
    seats    seats that learn; None: all
    others   policies in the other seats, as in `adapters.plays.seated`

    Raises ConfigError or UnknownName for invalid arguments.
    """

    def __init__(
        self,
        game: Game[Any],
        plays: int,
        *,
        seed: int | None = None,
        reward: RewardMode = "own",
        rivalry: float = 0.0,
        seats: Sequence[int] | None = None,
        others: str | Policy = "",
    ) -> None:
        if reward not in get_args(RewardMode):
            raise ConfigError(
                f"reward = {reward!r}: should be one of {', '.join(get_args(RewardMode))}"
            )
        if reward == "difference" and game.stages.several:
            raise ConfigError(
                "reward = 'difference': a period of this game has several stages, so an action's "
                "effect is not known immediately"
            )
        self.game, self.reward, self.rivalry = game, reward, rivalry
        self.seats = tuple(range(game.seats)) if seats is None else tuple(seats)
        self.seen = FlatObservations(game.declaration.observations, game.seats)
        self.acts = FlatActions(game.declaration.actions)
        self.bench = Bench(game, by_seat(seated(game, others, self.seats), game.seats))
        self.size = plays * len(self.seats)
        all_of_them = self.seats == tuple(range(game.seats))
        if reward == "deter" and all_of_them:
            raise ConfigError("reward = 'deter': needs a seat that does not learn")
        self._columns: Any = slice(None) if all_of_them else list(self.seats)
        first = game.config.identity.seed if seed is None else seed
        self._begin(first, plays, 0)

    def _begin(self, seed: int, count: int, begun: int) -> None:
        self.plays = start(self.game, seed, count, begun)
        shape = (count, len(self.seats))
        self._returns = np.zeros(shape)
        self._lengths = np.zeros(shape, dtype=np.int64)
        self._illegal = np.zeros(shape, dtype=np.int64)
        self._ended = np.zeros(shape, dtype=np.bool_)
        names = [field.name for field in self.game.declaration.components]
        self._components = {name: np.zeros(shape) for name in names}
        self.bench.begin(np.arange(count), count)
        self._allowed = self.game.allowed(self.plays.state)

    def reset(self, seed: int | None = None) -> Array:
        """Start new plays and return observations (N, size); a `seed` becomes the new base seed."""
        begun = self.plays.begun if seed is None else 0
        base = self.plays.seed if seed is None else seed
        self._begin(base, len(self.plays.seeds), begun)
        return self.observations

    @property
    def observations(self) -> Array:
        """Observations of the learners, (N, size) float32."""
        seen = self.seen.of_all(self.plays.observations, self.plays.seeds.shape, self._columns)
        return seen.reshape(self.size, self.seen.size)

    def masks(self) -> Array:
        """Return flags for each learner's available choices, shape (N, choices); see
        `FlatActions.masks`.

        Raises ConfigError if actions are amounts.
        """
        if not self.acts.choices:
            raise ConfigError(f"{self.game.id}: actions are amounts, which have no mask")
        masks = self.acts.masks(self._allowed)[:, self._columns]
        return masks.reshape(self.size, *masks.shape[2:])

    def step(self, actions: Any) -> Moved:
        """Play one stage of all plays; most games have one stage per period.

        Raises ActionError for an invalid action; the plays are then unchanged.
        """
        chosen, illegal = self._read(actions)
        every = self.bench.decide(self.plays.seeds, self.plays.state, self.plays.observations)
        for name, value in chosen.items():
            every[name][:, self._columns] = value
        before, waited = self.plays, self._ended
        self.plays, outcome = advance(self.game, before, every)
        dones = outcome.seat_done[:, self._columns]
        self._lengths += ~waited & self._settles(before)
        rewards = self._add_rewards(
            self._rewarded(before, every, outcome), outcome, illegal, waited
        )
        final = self._final_observations(outcome, dones)
        episodes = self._episodes(dones & ~waited, outcome, before.seeds)
        self._ended = dones & ~outcome.done[:, None]
        self._reset_over(outcome.done)
        self._allowed = self.game.allowed(self.plays.state)
        return Moved(self.observations, rewards, dones.ravel(), final, episodes)

    def snapshot(self) -> dict[str, Any]:
        """Return the complete state of the plays, for `restore` to continue from."""
        changing = {name: getattr(self, name) for name in _CHANGING}
        return copy.deepcopy({**changing, "memories": self.bench.memories})

    def restore(self, taken: dict[str, Any]) -> None:
        """Continue from a snapshot, even one from another batch of the same kind."""
        values = copy.deepcopy(taken)
        self.bench.memories = values.pop("memories")
        for name, value in values.items():
            setattr(self, name, value)
        self._allowed = self.game.allowed(self.plays.state)

    # -- inside ---------------------------------------------------------------------------

    def _read(self, actions: Any) -> tuple[dict[str, Array], Array]:
        """Return the actions, field -> (B, L, ...), and flags for illegal choices."""
        shape = self._ended.shape
        read, illegal = self.acts.read(actions, self._allowed.rows((slice(None), self._columns)))
        chosen = {name: value.reshape(*shape, *value.shape[1:]) for name, value in read.items()}
        return chosen, illegal.reshape(shape)

    def _settles(self, before: Plays) -> Any:
        """Return whether each play is in the last stage of its period: shape (B, 1), or one bool
        for all plays."""
        stages = self.game.stages
        return True if not stages.several else (before.state["stage"] == stages.last)[:, None]

    def _rewarded(self, before: Plays, every: dict[str, Array], outcome: Outcome) -> Array:
        """Return the learners' rewards for a period, shape (B, L)."""
        if self.reward == "own":
            return outcome.rewards[:, self._columns]
        if self.reward == "deter":
            others = np.delete(outcome.rewards, self.seats, axis=-1)
            earned = outcome.rewards[:, self._columns]
            return np.asarray(self.rivalry * earned - others.mean(axis=-1, keepdims=True))
        mean = outcome.rewards.mean(axis=-1, keepdims=True)
        if self.reward == "group":
            return np.broadcast_to(mean, self._ended.shape)
        without = [self._mean_without(seat, before, every) for seat in self.seats]
        return np.asarray(mean - np.stack(without, axis=-1))

    def _mean_without(self, seat: int, before: Plays, every: dict[str, Array]) -> Array:
        """Return the mean points of all seats, shape (B,), had one seat taken the default
        action."""
        actions = {name: np.array(value) for name, value in every.items()}
        for name, default in self._allowed.default.items():
            actions[name][:, seat] = default[:, seat]
        chance = self.game.draw_chance(before.seeds, before.state["period"])
        return np.asarray(self.game.step(before.state, actions, chance)[1].rewards.mean(axis=-1))

    def _add_rewards(
        self, rewards: Array, outcome: Outcome, illegal: Array, waited: Array
    ) -> Array:
        """Add a period's rewards to the episodes, and return them, shape (N,)."""
        rewards = np.where(waited, 0.0, rewards)
        self._returns += rewards
        self._illegal += illegal & ~waited
        for name, total in self._components.items():
            total += np.where(waited, 0.0, outcome.components[name][:, self._columns])
        return rewards.astype(np.float32).ravel()

    def _final_observations(self, outcome: Outcome, dones: Array) -> Array:
        where = np.flatnonzero(dones.any(axis=1))
        last = {name: value[where] for name, value in outcome.observations.items()}
        return self.seen.of_all(last, where.shape, self._columns)[dones[where]]

    def _episodes(self, ended: Array, outcome: Outcome, seeds: Array) -> Episodes:
        plays = np.nonzero(ended)[0]
        return Episodes(
            learners=np.flatnonzero(ended),
            returns=self._returns[ended],
            lengths=self._lengths[ended],
            illegal=self._illegal[ended],
            components={name: total[ended] for name, total in self._components.items()},
            reasons=[self.game.reason_name(code) for code in outcome.reason[plays].tolist()],
            seeds=seeds[plays],
        )

    def _reset_over(self, over: Array) -> None:
        """Reset the counters of plays that are over."""
        if over.any():
            for total in (self._returns, self._lengths, self._illegal, *self._components.values()):
                total[over] = 0
            self.bench.begin(np.flatnonzero(over), len(over))
