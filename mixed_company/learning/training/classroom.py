"""The environments in which a policy learns, with its observations, memory and reward.

A policy sees the chosen fields, followed by the means of the remembered fields over all periods so
far, including the current period. Rewards are divided by a constant, so the return of a play is of
order 1 in every game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces

from mixed_company.adapters.batch import RewardMode
from mixed_company.adapters.vector import JoinedVecEnv, SeatsVecEnv
from mixed_company.engine.contract.errors import ConfigError, nearest, short
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.learning.training.paths import Paths
from mixed_company.policies.flat.observations import FlatObservations
from mixed_company.policies.policy import Policy


def chosen_numbers(flat: FlatObservations, fields: Sequence[str]) -> Array:
    """Return the positions of these fields in the flat observations.

    If there are no names, all fields are chosen. `shown:wealth` names the flags that say where the
    `wealth` field is shown. Raises ConfigError.
    """
    places_of = {**flat.values, **{f"shown:{name}": where for name, where in flat.shown.items()}}
    for name in fields:
        if name not in places_of:
            raise ConfigError(f"observation field {short(name)}: unknown{nearest(name, places_of)}")
    places = [
        np.arange(places_of[name].start, places_of[name].stop) for name in fields or places_of
    ]
    return np.concatenate(places) if places else np.zeros(0, dtype=np.int64)


class Deviator(NamedTuple):
    """A policy that deviates, and its seat; None: each seat in turn."""

    policy: str | Policy
    seat: int | None = None


def rooms(
    game: Game[Any],
    plays: int,
    seed: int,
    aim: RewardMode,
    against: str,
    seats: Sequence[int],
    deviators: Sequence[Deviator] = (),
    rivalry: float = 0.0,
) -> list[SeatsVecEnv]:
    """Return environments with `plays` plays in which all seats learn together.

    With `against`, each of `seats` learns among other policies, in as many plays.

    With deviators, all seats learn together in half of the plays. In the other half, a deviator
    takes its seat (or each seat in turn), and the others' reward is minus its points, plus
    `rivalry` times their own. Raises ConfigError or UnknownName.
    """
    if deviators:
        together = SeatsVecEnv(game, max(1, plays // 2), seed=seed, reward=aim)
        return [together, *_deterring(game, plays - plays // 2, seed, deviators, rivalry)]
    if not against:
        return [SeatsVecEnv(game, plays, seed=seed, reward=aim)]
    return [
        SeatsVecEnv(game, plays, seed=seed + place, reward=aim, seats=[seat], others=against)
        for place, seat in enumerate(seats)
    ]


def _deterring(
    game: Game[Any], plays: int, seed: int, deviators: Sequence[Deviator], rivalry: float
) -> list[SeatsVecEnv]:
    """Return environments with at least one play of every deviator in each of its seats, among
    learners."""
    pairs = [
        (deviator.policy, seat)
        for deviator in deviators
        for seat in (range(game.seats) if deviator.seat is None else [deviator.seat])
    ]
    share = max(1, plays // len(pairs))
    every = range(game.seats)
    return [
        SeatsVecEnv(
            game,
            share,
            seed=seed + 1 + place,
            reward="deter",
            rivalry=rivalry,
            seats=[other for other in every if other != seat],
            others=policy,
        )
        for place, (policy, seat) in enumerate(pairs)
    ]


class Classroom(JoinedVecEnv):
    """Several environments joined into one.

    observed     indices of the chosen numbers in the flat observations
    remembered   indices, in the observed numbers, of the numbers whose means are added
    paths        proximities to add, if any
    """

    def __init__(
        self,
        parts: list[SeatsVecEnv],
        observed: Array,
        remembered: Array,
        paths: Paths | None = None,
    ) -> None:
        self.parts, self.observed, self.remembered = parts, observed, remembered
        self.paths = paths
        self._ends = np.cumsum([part.num_envs for part in parts])
        size, total = len(observed) + len(remembered), int(self._ends[-1])
        size += paths.size if paths else 0
        self._count = np.zeros((total, 1), dtype=np.float32)
        self._sums = np.zeros((total, len(remembered)), dtype=np.float32)
        self.unit = _unit(parts)
        box = spaces.Box(-np.inf, np.inf, (size,), dtype=np.float32)
        super().__init__(total, box, parts[0].action_space, parts[0].batch.acts.choices)

    def reset(self) -> Any:
        """Start new plays."""
        self._count[:], self._sums[:] = 0.0, 0.0
        return self._seen([part.reset() for part in self.parts])

    def step_async(self, actions: Array) -> None:
        """Store the actions, one row per environment."""
        for part, sent in zip(self.parts, np.split(actions, self._ends[:-1]), strict=True):
            part.step_async(sent)

    def step_wait(self) -> Any:
        """Play a period; return observations, rewards, dones, and infos about episodes that
        ended."""
        steps = [part.step_wait() for part in self.parts]
        dones = np.concatenate([step[2] for step in steps])
        self._count[dones], self._sums[dones] = 0.0, 0.0
        rewards = np.concatenate([step[1] for step in steps]) / self.unit
        infos = [_episode(info) for step in steps for info in step[3]]
        return self._seen([step[0] for step in steps]), rewards, dones, infos

    def snapshot(self) -> dict[str, Any]:
        """Return the complete state of the plays, for `restore` to continue from."""
        parts = [part.batch.snapshot() for part in self.parts]
        return {"parts": parts, "count": self._count.copy(), "sums": self._sums.copy()}

    def restore(self, taken: dict[str, Any]) -> None:
        """Continue from a snapshot, even one from another classroom of the same kind."""
        for part, snapshot in zip(self.parts, taken["parts"], strict=True):
            part.batch.restore(snapshot)
        self._count, self._sums = taken["count"].copy(), taken["sums"].copy()

    def action_masks(self) -> Array:
        """Return flags for the choices that are open now, shape (environments, choices)."""
        return np.concatenate([part.action_masks() for part in self.parts])

    def _seen(self, parts: list[Array]) -> Array:
        seen = np.concatenate(parts)[:, self.observed]
        self._count += 1.0
        self._sums += seen[:, self.remembered]
        columns = [seen, self._sums / self._count]
        if self.paths:
            columns.append(self.paths.looked(seen))
        return np.concatenate(columns, axis=1)


def _episode(info: Any) -> dict[str, Any]:
    return {"episode": info["episode"]} if "episode" in info else {}


def _unit(parts: list[SeatsVecEnv]) -> float:
    """Return points per unit of reward: the mean change per step, times the square root of the
    number of steps.

    The change is measured in fixed plays with random actions; the unit is 1 if nobody earned
    anything.
    """
    part = parts[0]
    part.action_space.seed(0)
    part.reset()
    moved, steps = [], part.batch.game.steps
    for _ in range(min(steps, 20)):
        actions = np.stack([part.action_space.sample() for _ in range(part.num_envs)])
        moved.append(float(np.abs(part.batch.step(actions).rewards).mean()))
    return float(np.mean(moved) * np.sqrt(steps)) or 1.0
