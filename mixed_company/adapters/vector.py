"""Every seat of many plays as one vectorised environment of Stable-Baselines3.

    envs = SeatsVecEnv(engine.make("commons_game", archetype="lab"), plays=1024, reward="group")
    PPO("MlpPolicy", envs, n_steps=15).learn(1_000_000)

One network learns for all seats (it sees which seat it is in). Environment i is a learner of
`adapters.batch.Batch`, which says how plays follow each other and what rewards are. For a single
choice there are masks: `action_masks`, as `sb3_contrib.MaskablePPO` asks for them.

The info of an environment that is done has `terminal_observation`, `TimeLimit.truncated` (False: a
play ends by its own rules, at its horizon too) and, as a Monitor would, `episode`: `r` return, `l`
periods, `t` seconds since the beginning; besides `components` (sums by name), `illegal` (choices
that were not open), `reason` and `seed` of the play. The other infos are one empty mapping.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv

from mixed_company.adapters.batch import Batch, Episodes, Moved
from mixed_company.adapters.spaces import action_box, observation_box
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game

__all__ = ["JoinedVecEnv", "SeatsVecEnv"]

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class JoinedVecEnv(VecEnv):
    """Environments that are one: they are asked together, and no single one can be changed.

    masked   whether actions are choices, which have masks
    """

    def __init__(self, count: int, observations: Any, actions: Any, masked: bool) -> None:
        self.render_mode = None
        self._masked = masked
        super().__init__(count, observations, actions)

    def action_masks(self) -> Array:
        """(environments, choices) flags: what each may choose now."""
        raise NotImplementedError

    def close(self) -> None:
        """Nothing is held."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of all environments together, once per index."""
        if attr_name == "action_masks" and not self._masked:
            raise AttributeError("actions are amounts, they have no masks")
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refused: the environments are one."""
        raise AttributeError(f"{attr_name}: cannot be set for single environments")

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **named: Any) -> Any:
        """`action_masks` per environment; there is no other method."""
        if method_name != "action_masks":
            raise AttributeError(f"{method_name}: single environments have only action_masks")
        masks = self.action_masks()
        return [masks[index] for index in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """True for Monitor, whose statistics are in the infos."""
        return [wrapper_class is Monitor for _ in self._get_indices(indices)]


class SeatsVecEnv(JoinedVecEnv):
    """The learners of `plays` plays; the parameters are those of `adapters.batch.Batch`.

    Raises ConfigError or UnknownName for what cannot be, ActionError for a refused action.
    """

    def __init__(self, game: Game[Any], plays: int, **settings: Any) -> None:
        self.batch = Batch(game, plays, **settings)
        self._sent: Any = None
        self._next_seed: int | None = self.batch.plays.seed
        self._began = time.monotonic()
        acts = self.batch.acts
        spaces = observation_box(self.batch.seen), action_box(acts)
        super().__init__(self.batch.size, *spaces, masked=acts.choices)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """The seed of the plays from the next reset on; None leaves it as it is."""
        self._next_seed = self._next_seed if seed is None else seed
        return [seed] * self.num_envs

    def reset(self) -> Any:
        """Begin new plays; the first ones are those of the seed that was given."""
        seed, self._next_seed = self._next_seed, None
        return self.batch.reset(seed)

    def step_async(self, actions: Array) -> None:
        """Keep the actions, one row per environment."""
        self._sent = actions

    def step_wait(self) -> Any:
        """Play a period; observations, rewards, dones, infos."""
        moved = self.batch.step(self._sent)
        return moved.observations, moved.rewards, moved.dones, self._infos(moved)

    def action_masks(self) -> Array:
        """(environments, choices) flags: what each may choose now."""
        return self.batch.masks()

    def _infos(self, moved: Moved) -> list[dict[str, Any]]:
        infos: list[Any] = [_NOTHING] * self.num_envs
        done = np.flatnonzero(moved.dones).tolist()
        for environment, last in zip(done, moved.final_observations, strict=True):
            infos[environment] = {"terminal_observation": last, "TimeLimit.truncated": False}
        seconds = round(time.monotonic() - self._began, 6)
        for environment, episode in _episodes(moved.episodes, seconds):
            infos[environment]["episode"] = episode
        return infos


def _episodes(episodes: Episodes, seconds: float) -> list[tuple[int, dict[str, Any]]]:
    """(environment, what a Monitor would say and more) of those that ended."""
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
