"""Games with vector rewards, through momaland's interface (`MOParallelEnv`).

    env = gem_vectors(engine.make("gem_mining", archetype="lab"))
    observations, infos = env.reset(seed=7)
    observations, rewards, *_ = env.step({agent: 0 for agent in env.agents})
    rewards["seat_0"]                             # gems of type 0, gems of type 1, ...

The vector has one number per reward component, in the order the game declares them (`objectives`).
Everything else is as in `adapters.pettingzoo.Together`, including masks of choices.

momaland 0.2.0 can be imported with numpy 2.4, but its dependencies conflict with oTree's, so
it needs a separate environment (the `training` extra). Without momaland, the interface is the same
but lacks momaland's base class.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from mixed_company import engine
from mixed_company.adapters.pettingzoo import Together
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.game import Game
from mixed_company.engine.play.period import Period

try:
    from momaland.utils.env import MOParallelEnv as Base
except ImportError:
    Base = ParallelEnv


class ComponentVectors(Together, Base):
    """Environment in which all seats decide together, with vector rewards.

    objectives      names of the components
    reward_spaces   agent -> Box of them, float32, with their declared ranges
    """

    def __init__(self, game: Game[Any], *args: Any, **settings: Any) -> None:
        super().__init__(game, *args, **settings)
        components = game.declaration.components
        self.objectives = tuple(field.name for field in components)
        low, high = ([getattr(field, end) for field in components] for end in ("low", "high"))
        box = spaces.Box(np.array(low, np.float32), np.array(high, np.float32), dtype=np.float32)
        self.reward_spaces: dict[str, spaces.Space[Any]] = dict.fromkeys(self.possible_agents, box)

    def reward_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's rewards, which is the same for all agents."""
        return self.reward_spaces[agent]

    def _rewards(self, step: Period) -> Sequence[Any]:
        """Return every seat's reward vector, (objectives,) float32."""
        parts = [step.components[name] for name in self.objectives]
        return list(np.stack(parts, axis=-1).astype(np.float32))


def gem_vectors(
    game: Game[Any], form: str = "flat", reveal: Collection[str] = ()
) -> ComponentVectors:
    """Return a gem mining environment whose rewards are numbers of gems by type, not multiplied by
    the gems' values.

    Code that combines the numbers of a vector into one can apply the values (`game.core.weights`).
    Raises ConfigError for another game.
    """
    if "gem_types" not in type(game.core).model_fields:
        raise ConfigError(
            f"game = {game.id!r}: this game has no gems; ComponentVectors works with any game"
        )
    config = game.config.model_dump(mode="json")
    config["core"]["weights"] = None  # one point per gem
    return ComponentVectors(engine.make(config), form, reveal)
