"""Many plays at once as one Gymnasium vector environment.

    envs = SeatsVector(engine.make("commons_game", archetype="lab"), plays=256)
    observations, infos = envs.reset(seed=7)
    observations, rewards, terminations, truncations, infos = envs.step(envs.action_space.sample())

Environment i is learner i of `adapters.batch.Batch`, which documents the sequence of plays and
their seeds. It is seat `seats[i % L]` of play i // L, if L seats learn. By default all seats learn,
and `others` is empty. Observations and actions are `flat` (`adapters.spaces`).

A play that ends is replaced in the same step (`AutoresetMode.SAME_STEP`): `observations` are those
of the new play. Infos contain

    action_mask   (N, choices) flags of the available choices, if actions are choices
    final_obs     (N,) last observations of the environments that ended in this step, else None
    _final_obs    (N,) flags of the environments that ended

The last two are absent if no environment ended in the step. Gymnasium's wrapper
`RecordEpisodeStatistics` adds returns and lengths. Even at its horizon, a play ends by its own
rules, which sets `terminations`, never `truncations`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from mixed_company.adapters.batch import Batch, Moved
from mixed_company.adapters.spaces import action_box, observation_box
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game


class SeatsVector(VectorEnv[Any, Any, Any]):
    """Vector environment for the learners of `plays` plays.

    The other parameters are those of `adapters.batch.Batch`. Raises ConfigError or UnknownName for
    invalid arguments, ActionError for an invalid action.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}

    def __init__(self, game: Game[Any], plays: int, **settings: Any) -> None:
        self.batch = Batch(game, plays, **settings)
        self.num_envs = self.batch.size
        self.single_observation_space = observation_box(game)
        self.single_action_space = action_box(self.batch.acts)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Start new plays; `options` is ignored. Raises ConfigError for an invalid seed."""
        seen = self.batch.reset(seed)
        super().reset(seed=seed)
        return seen, self._masks()

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Play one stage of all plays; most games have one stage per period."""
        moved = self.batch.step(actions)
        infos = {**self._masks(), **self._ended(moved)}
        return moved.observations, moved.rewards, moved.dones, np.zeros_like(moved.dones), infos

    def _masks(self) -> dict[str, Any]:
        return {"action_mask": self.batch.masks()} if self.batch.acts.choices else {}

    def _ended(self, moved: Moved) -> dict[str, Any]:
        """Return the infos of the environments that ended."""
        if not moved.dones.any():
            return {}
        last = np.full(self.num_envs, None, dtype=object)
        for row, seen in zip(np.flatnonzero(moved.dones), moved.final_observations, strict=True):
            last[row] = seen
        return {"final_obs": last, "_final_obs": moved.dones}
