"""Speed of PPO on the batched environment, compared with PettingZoo's interface.

    python -m benchmarks.training [game [others]]

The game, the network, the PPO settings and the steps per round are the same; only the environments
differ. `SeatsVecEnv` steps 1024 plays as arrays. The other side has one PettingZoo environment per
play, each stepped separately, as in wrappers such as SuperSuit (without their overhead): with the
same number of plays, or with one play and more steps per round. First the environments are measured
without learning, with random actions.

Gradient steps cost the same on both sides, and if there are many, they hide the cost of the
environment. The table therefore shows few, some and many epochs (10 is the default of
Stable-Baselines3). Rates are medians of three alternating rounds, with torch on one thread; seconds
are CPU time. Needs the `training` extra.

With `others` (comma-separated policies), one seat learns among these policies, in `SeatsVecEnv`
only. This shows how much time the environment takes, and how much PPO takes. A step is a decision
by the learner.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecEnv

from benchmarks.rates import compare
from mixed_company import engine
from mixed_company.adapters.pettingzoo import Together
from mixed_company.adapters.vector import SeatsVecEnv

ROUNDS = 3
EPOCHS = (1, 4, 10)
MINIBATCHES = 4
STEPS = 16  # per environment and round of PPO, with PLAYS plays
PLAYS = 1024
SEPARATE = (1024, 1)  # plays as separate environments


class Separate(VecEnv):
    """One PettingZoo environment per play, with every seat as a separate environment."""

    def __init__(self, game: engine.Game[Any], plays: int) -> None:
        self.plays = [Together(game) for _ in range(plays)]
        self.agents = self.plays[0].possible_agents
        spaces = (space(self.agents[0]) for space in _spaces(self.plays[0]))
        self.render_mode = None
        self.sent: Any = None
        super().__init__(plays * len(self.agents), *spaces)

    def reset(self) -> Any:
        first = [play.reset(seed=number)[0] for number, play in enumerate(self.plays)]
        return np.stack([seen[agent] for seen in first for agent in self.agents])

    def step_async(self, actions: Any) -> None:
        self.sent = actions

    def step_wait(self) -> Any:
        seen, rewards, dones, infos = [], [], [], []
        rows = iter(self.sent)
        for play in self.plays:
            outcome = play.step({agent: next(rows) for agent in self.agents})
            observations, earned, ended, _, own_infos = outcome
            over = not play.agents
            new = play.reset()[0] if over else observations
            for agent in self.agents:
                seen.append(new[agent])
                rewards.append(earned[agent])
                dones.append(ended[agent])
                infos.append(own_infos[agent])
                if over:
                    infos[-1]["terminal_observation"] = observations[agent]
        return np.stack(seen), np.array(rewards, np.float32), np.array(dones), infos

    def close(self) -> None:
        pass

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(attr_name)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **named: Any) -> Any:
        raise AttributeError(method_name)

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        return [False for _ in self._get_indices(indices)]


def _spaces(env: Together) -> tuple[Callable[[str], Any], Callable[[str], Any]]:
    return env.observation_space, env.action_space


def environment_steps(envs: VecEnv, least: float = 1.0) -> float:
    """Return environment steps per second with random actions and without learning."""
    envs.action_space.seed(0)
    actions = np.stack([envs.action_space.sample() for _ in range(envs.num_envs)])
    envs.reset()
    envs.step(actions)
    steps, started = 0, time.process_time()
    while time.process_time() - started < least:
        envs.step(actions)
        steps += 1
    return float(steps * envs.num_envs / (time.process_time() - started))


def training_steps(envs: VecEnv, steps: int, epochs: int, least: float = 2.0) -> float:
    """Return environment steps per second of PPO, including rollouts and gradient steps."""
    size = steps * envs.num_envs
    settings: dict[str, Any] = {"batch_size": size // MINIBATCHES, "n_epochs": epochs, "seed": 0}
    model = PPO("MlpPolicy", envs, n_steps=steps, **settings)
    rounds, started = 0, time.process_time()
    while time.process_time() - started < least:
        model.learn(size, reset_num_timesteps=False)
        rounds += 1
    return float(rounds * size / (time.process_time() - started))


def learner(game: engine.Game[Any], others: str) -> None:
    """Print the rates of one learning seat among policies: the environment alone, and with PPO."""
    environment = SeatsVecEnv(game, PLAYS, seats=[0], others=others)
    rows: dict[str, Callable[[], float]] = {
        "environment alone": partial(environment_steps, environment)
    }
    for epochs in EPOCHS:
        rows[f"PPO, epochs: {epochs}"] = partial(training_steps, environment, STEPS, epochs)
    print(f"{game.id}, one seat among {others}")
    compare(rows, "alone", ROUNDS)


def main() -> None:
    torch.set_num_threads(1)
    game_id = sys.argv[1] if len(sys.argv) > 1 else "commons_game"
    game = engine.make(game_id, archetype=engine.find(game_id).reference)
    if len(sys.argv) > 2:
        learner(game, sys.argv[2])
        return
    environments: dict[str, VecEnv] = {
        **{f"PettingZoo, plays: {plays}": Separate(game, plays) for plays in SEPARATE},
        f"SeatsVecEnv, plays: {PLAYS}": SeatsVecEnv(game, PLAYS),
    }
    size = PLAYS * game.seats * STEPS
    print(f"{game_id} lab, {game.seats} seats; environments alone")
    alone: dict[str, Callable[[], float]] = {
        name: partial(environment_steps, environment) for name, environment in environments.items()
    }
    compare(alone, "the first", ROUNDS)
    for epochs in EPOCHS:
        print(f"\nPPO: rounds of {size} steps, {epochs} epochs of {MINIBATCHES} minibatches")
        learning: dict[str, Callable[[], float]] = {
            name: partial(training_steps, environment, size // environment.num_envs, epochs)
            for name, environment in environments.items()
        }
        compare(learning, "the first", ROUNDS)


if __name__ == "__main__":
    main()
