"""Vectorised Stable-Baselines3 environment in which every seat of many plays is a learner.

    envs = SeatsVecEnv(engine.make("commons_game", archetype="lab"), plays=1024, reward="group")
    PPO("MlpPolicy", envs, n_steps=15).learn(1_000_000)

One network learns for all seats; its observations include the seat's number. Environment
i is a learner of `adapters.batch.Batch`, which documents the sequence of plays and the rewards. If
the action is a single choice, there are masks: `action_masks`, as `sb3_contrib.MaskablePPO`
expects.

The info of an environment that is done has `terminal_observation`, `TimeLimit.truncated` and
`episode`. `truncated` is False, because a play ends by its own rules, even at its horizon. As with
a Monitor, `episode` has `r` (return), `l` (periods) and `t` (seconds since the start). It also has
`illegal` (number of choices that were not available) and `reason`, and, if named in `reveal`,
`components` (sums by name) and `seed` of the play (see `adapters.play`). All other infos are the
same empty mapping.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv

from mixed_company.adapters.batch import Batch, Episodes, Moved
from mixed_company.adapters.play import REVEALED, revealed
from mixed_company.adapters.spaces import action_box, observation_box
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class JoinedVecEnv(VecEnv):
    """Environments that cannot be queried or changed individually.

    masked   whether there are masks, because actions are choices
    """

    def __init__(self, count: int, observations: Any, actions: Any, masked: bool) -> None:
        self.render_mode = None
        self._masked = masked
        super().__init__(count, observations, actions)

    def action_masks(self) -> Array:
        """Return flags for the available choices, shape (environments, choices)."""
        raise NotImplementedError

    def close(self) -> None:
        """Ignore the call, because there is nothing to release."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return the attribute's value once for each index. It is the same in all environments."""
        if attr_name == "action_masks" and not self._masked:
            raise AttributeError("actions are amounts, which have no masks")
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Raise AttributeError, because individual environments cannot be changed."""
        raise AttributeError(f"{attr_name}: cannot be set for individual environments")

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **named: Any) -> Any:
        """Call `action_masks`, the only method that can be called, and return each environment's
        result."""
        if method_name != "action_masks":
            rule = "individual environments have only one method, action_masks"
            raise AttributeError(f"{method_name}: {rule}")
        masks = self.action_masks()
        return [masks[index] for index in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """Return True for Monitor, because its statistics are in the infos."""
        return [wrapper_class is Monitor for _ in self._get_indices(indices)]


class SeatsVecEnv(JoinedVecEnv):
    """Environments for the learners of `plays` plays.

    `reveal` names optional parts of infos (see above); all other parameters are those of
    `adapters.batch.Batch`. Raises ConfigError or UnknownName for invalid arguments, ActionError for
    an invalid action.
    """

    def __init__(
        self, game: Game[Any], plays: int, reveal: Collection[str] = (), **settings: Any
    ) -> None:
        self._unasked = frozenset(REVEALED) - revealed(reveal)
        self.batch = Batch(game, plays, **settings)
        self._sent: Any = None
        self._next_seed: int | None = self.batch.plays.seed
        self._began = time.monotonic()
        acts = self.batch.acts
        spaces = observation_box(game), action_box(acts)
        super().__init__(self.batch.size, *spaces, masked=acts.choices)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the base seed of plays, starting at the next reset; None leaves it unchanged."""
        self._next_seed = self._next_seed if seed is None else seed
        return [seed] * self.num_envs

    def reset(self) -> Any:
        """Start new plays, with the new seed if `seed` was called before."""
        seed, self._next_seed = self._next_seed, None
        return self.batch.reset(seed)

    def step_async(self, actions: Array) -> None:
        """Store the actions, one row per environment."""
        self._sent = actions

    def step_wait(self) -> Any:
        """Play a period, and return observations, rewards, dones and infos."""
        moved = self.batch.step(self._sent)
        return moved.observations, moved.rewards, moved.dones, self._infos(moved)

    def action_masks(self) -> Array:
        """Return flags for the available choices, shape (environments, choices)."""
        return self.batch.masks()

    def _infos(self, moved: Moved) -> list[dict[str, Any]]:
        infos: list[Any] = [_NOTHING] * self.num_envs
        done = np.flatnonzero(moved.dones).tolist()
        for environment, last in zip(done, moved.final_observations, strict=True):
            infos[environment] = {"terminal_observation": last, "TimeLimit.truncated": False}
        seconds = round(time.monotonic() - self._began, 6)
        for environment, episode in _episodes(moved.episodes, seconds):
            kept = {name: value for name, value in episode.items() if name not in self._unasked}
            infos[environment]["episode"] = kept
        return infos


def _episodes(episodes: Episodes, seconds: float) -> list[tuple[int, dict[str, Any]]]:
    """Return the environment and, as a Monitor does, the statistics of each episode that ended."""
    names = list(episodes.components)
    sums = zip(*(episodes.components[name].tolist() for name in names), strict=True)
    counts = (episodes.learners, episodes.returns, episodes.lengths, episodes.illegal)
    columns = (column.tolist() for column in (*counts, episodes.seeds))
    rows = zip(*columns, episodes.reasons, sums, strict=True)
    return [
        (
            environment,
            {
                "r": total,
                "l": length,
                "t": seconds,
                "illegal": illegal,
                "components": dict(zip(names, parts, strict=True)),
                "reason": reason,
                "seed": seed,
            },
        )
        for environment, total, length, illegal, seed, reason, parts in rows
    ]
