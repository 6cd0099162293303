"""Training with RLlib's PPO on a Ray cluster, which produces the same kind of model and card.

All seats learn together with a single network of the same form as in `learning`. RLlib runs the
plays on all processors of the cluster. Its arithmetic depends on the number of processors, so the
same plan may lead to different weights.
"""

from __future__ import annotations

import socket
import sys
import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import ray
import torch
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.tune.registry import register_env

from mixed_company.adapters.pettingzoo import Together
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.learning.training.classroom import Classroom, chosen_numbers, rooms
from mixed_company.learning.training.export import exported
from mixed_company.learning.training.learning import (
    EPOCHS,
    GAE_LAMBDA,
    LARGEST_GRADIENT,
    PARTS,
    ROUND,
)
from mixed_company.learning.training.plan import Plan
from mixed_company.learning.training.scaling import Scaled, Scaling, scaling
from mixed_company.policies.flat.observations import FlatObservations
from mixed_company.policies.trained.card import Card

LOCAL = "local"
"""Address that starts Ray on this machine."""

PATIENCE_SECONDS = 10.0
"""Time within which a cluster must respond; Ray itself would keep trying for minutes."""

_MODULE = "seat"


def trained(plan: Plan, address: str) -> Card:
    """Train, write the model and the card, and return the card.

    Raises ConfigError for a plan that RLlib cannot train, and for a cluster that cannot be reached.
    """
    flat = FlatObservations(plan.game.declaration.observations, plan.game.seats)
    observed = chosen_numbers(flat, plan.observe)
    names = tuple(flat.names[place] for place in observed)
    engine = f"PPO of RLlib {ray.__version__}"
    plan.check(names, engine, 0)
    plan.check_for_ray()
    rules = scaling(plan.game, observed, observed[:0])
    began = time.monotonic()
    _connect(address)
    try:
        module, steps = _learned(plan, observed, rules)
    finally:
        ray.shutdown()
    written = exported(_as_exported(module, rules), observed[:0])
    card = plan.card(written, names, engine, 0, steps, time.monotonic() - began)
    plan.write(card, written)
    return card


def _connect(address: str) -> None:
    """Connect to a cluster, or start Ray here. Raises ConfigError."""
    host, _, port = address.rpartition(":")
    if address != LOCAL and not (host and port.isdigit()):
        raise ConfigError(f"ray = {address!r}: should be HOST:PORT or {LOCAL}")
    try:
        if address != LOCAL:
            socket.create_connection((host, int(port)), PATIENCE_SECONDS).close()
        ray.init(None if address == LOCAL else address, log_to_driver=False, logging_level="error")
    except (OSError, OverflowError, RuntimeError, ValueError) as error:
        raise ConfigError(f"ray = {address!r}: cannot be reached ({error!s:.200})") from None


class _Seats(MultiAgentEnv):
    """Environment for all seats of a play, with observations and rewards scaled according to a
    plan."""

    def __init__(self, settings: dict[str, Any]) -> None:
        super().__init__()
        self.env = Together(settings["game"])
        self.observed, self.unit, self.group = (settings[k] for k in ("observed", "unit", "group"))
        rules: Scaling = settings["rules"]
        seen = spaces.Box(-np.inf, np.inf, (len(self.observed),), dtype=np.float32)
        box = spaces.Box(-np.inf, np.inf, (rules.size,), dtype=np.float32)
        self.scaled = Scaled(seen, rules)
        self.agents = self.possible_agents = self.env.possible_agents
        self.observation_spaces = dict.fromkeys(self.agents, box)
        self.action_spaces = {agent: self.env.action_space(agent) for agent in self.agents}

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        """Start a play."""
        seen, _ = self.env.reset(seed)
        return self._of(seen), {}

    def step(self, actions: dict[str, Any]) -> Any:
        """Play a period. Under the group's aim, every seat earns the mean of all seats."""
        seen, rewards, ended, _, _ = self.env.step(actions)
        if self.group:
            rewards = dict.fromkeys(rewards, sum(rewards.values()) / len(self.possible_agents))
        rewards = {agent: float(value) / self.unit for agent, value in rewards.items()}
        over = {**ended, "__all__": not self.env.agents}
        return self._of(seen), rewards, over, dict.fromkeys(over, False), {}

    def _of(self, seen: dict[str, Array]) -> dict[str, Array]:
        rows = np.stack([numbers[self.observed] for numbers in seen.values()])
        with torch.no_grad():
            scaled = self.scaled(torch.as_tensor(rows, dtype=torch.float32)).numpy()
        return dict(zip(seen, scaled, strict=True))


def _learned(plan: Plan, observed: Array, rules: Scaling) -> tuple[Any, int]:
    """Return the trained module, and the number of decisions that it learned from."""
    algorithm = _config(plan, observed, rules).build_algo()
    try:
        steps = 0
        while steps < plan.steps:
            sampled = algorithm.train()["env_runners"]
            steps = int(sampled["num_module_steps_sampled_lifetime"][_MODULE])
            print(f"{steps:,} of {plan.steps:,} steps", file=sys.stderr, flush=True)
        return algorithm.get_module(_MODULE), steps
    finally:
        algorithm.stop()


def _config(plan: Plan, observed: Array, rules: Scaling) -> PPOConfig:
    game = plan.game
    together = rooms(game, PARTS, plan.seed, plan.reward, "", range(game.seats))
    settings = {
        "game": game,
        "observed": observed,
        "rules": rules,
        "unit": Classroom(together, observed, observed[:0]).unit,
        "group": plan.aim == "group",
    }
    processors = int(ray.cluster_resources().get("CPU", 1))
    register_env("mixed_company", _Seats)
    model = DefaultModelConfig(
        fcnet_hiddens=[plan.hidden, plan.hidden],
        fcnet_activation="tanh",
        vf_share_layers=False,
        free_log_std=True,
    )
    return (
        PPOConfig()
        .environment("mixed_company", env_config=settings)
        .env_runners(num_env_runners=processors - 1)  # one processor learns
        .multi_agent(policies={_MODULE}, policy_mapping_fn=lambda *_, **__: _MODULE)
        .rl_module(model_config=model)
        .training(
            train_batch_size_per_learner=max(1, ROUND // game.seats),
            minibatch_size=ROUND // PARTS,
            num_epochs=EPOCHS,
            lr=[[0, plan.rate], [max(1, plan.steps // game.seats), plan.rate / 10]],
            gamma=plan.discount,
            lambda_=GAE_LAMBDA,
            entropy_coeff=plan.entropy,
            use_kl_loss=False,
            grad_clip=LARGEST_GRADIENT,
        )
        .debugging(seed=plan.seed, log_level="ERROR")
    )


def _as_exported(module: Any, rules: Scaling) -> Any:
    """Return RLlib's module under the names that `exported` reads."""
    return SimpleNamespace(
        features_extractor=SimpleNamespace(rules=rules),
        mlp_extractor=SimpleNamespace(policy_net=module.encoder.actor_encoder.net.mlp),
        action_net=module.pi.net.mlp[-1],
        log_std=module.pi.log_std,
    )
