"""Training of a Stable-Baselines3 learner in a classroom, and checkpoints of both.

The same plan leads to the same weights on the same machine. A checkpoint contains everything that
the weights depend on: network, optimiser, plays, and the states of the random number generators.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.save_util import load_from_zip_file

from mixed_company.engine.contract.chance import generator
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.learning.training import rounds
from mixed_company.learning.training.classroom import Classroom, chosen_numbers, rooms
from mixed_company.learning.training.export import exported
from mixed_company.learning.training.imitation import imitate
from mixed_company.learning.training.paths import paths_over
from mixed_company.learning.training.plan import Plan
from mixed_company.learning.training.scaling import Scaled, scaling
from mixed_company.policies.flat.actions import FlatActions
from mixed_company.policies.flat.observations import FlatObservations
from mixed_company.policies.policy import Policy
from mixed_company.policies.trained.card import Card

ROUND = 16_384  # approximate number of decisions between two updates of the network
PARTS = 8  # number of minibatches per round
EPOCHS = 6
GAE_LAMBDA = 0.95
LARGEST_GRADIENT = 0.5  # gradients are clipped to this norm
PERIODS = 40  # maximum number of periods per round
CHECKPOINTS = 10  # number of rounds between two checkpoints


def trained(plan: Plan, resume: bool = False) -> Card:
    """Train, write `<name>.onnx` and `<name>.json` to the output folder, and return the card.

    Raises ConfigError for a plan that cannot be trained.
    """
    torch.set_num_threads(1)
    game = plan.game
    flat = FlatObservations(game.declaration.observations, game.seats)
    observed, remembered = _chosen(plan, flat)
    names = tuple(flat.names[place] for place in observed)
    kind = MaskablePPO if FlatActions(game.declaration.actions).choices else PPO
    plan.check(names, kind.__name__, len(remembered))
    course = _Course(plan, kind, observed, remembered)
    model = course.resumed() if resume else None
    began = time.monotonic() - getattr(model, "seconds", 0.0)
    if model is None:
        model = course.learner(())
        if plan.imitate:
            model.earlier = imitate(model, model.env, plan.imitate, plan.imitate_steps)
    while True:
        _learn(model, plan, began)
        written = exported(model.policy, remembered, model.env.paths)
        spent, taken = time.monotonic() - began, model.num_timesteps + model.earlier
        card = plan.card(written, names, kind.__name__, len(remembered), taken, spent)
        if not plan.against_replies:
            break
        done = (*model.rounds, rounds.search(plan, card, written, len(model.rounds)))
        entries = tuple(searched.round for searched in done)
        if rounds.over([entry.share for entry in entries], plan.against_replies):
            best = rounds.kept(done)
            written, card = best.model, best.card.model_copy(update={"rounds": entries})
            break
        model = course.learner(done, model)
    plan.write(card, written)
    plan.checkpoint.unlink(missing_ok=True)
    return card


def _learn(model: Any, plan: Plan, began: float) -> None:
    """Let a learner take the steps that remain in a round."""
    steps = plan.steps - model.num_timesteps
    if steps > 0:
        model.learn(steps, _Reporting(plan, began), reset_num_timesteps=not hasattr(model, "left"))


def learned_reply(
    game: Game[Any], spec: str, steps: int, seed: int, seats: Sequence[int] = ()
) -> Policy:
    """Train a network in one seat for its own points, while all other seats follow a policy.

    The network learns from `steps` decisions in `seats`, or in every seat if none is named, and it
    sees all observations of its seat. Replies are judged in other plays. Raises ConfigError.
    """
    with TemporaryDirectory() as folder:
        plan = Plan(
            game=game,
            name="ppo",
            output=Path(folder),
            sentence=f"Learned to reply to {spec}.",
            aim="own",
            steps=steps,
            seed=int(generator(seed, "ppo", 0).integers(2**31)),
            against=spec,
            seats=tuple(seats),
        )
        card = trained(plan)
        model = (plan.output / f"{card.id}.onnx").read_bytes()
        return rounds.policy_of(card, model, game)


def _chosen(plan: Plan, flat: FlatObservations) -> tuple[Array, Array]:
    """Return the indices of observed numbers in flat observations, and of remembered numbers in
    observed ones."""
    observed = chosen_numbers(flat, plan.observe)
    wanted = chosen_numbers(flat, plan.remember) if plan.remember else observed[:0]
    places = {place: number for number, place in enumerate(observed.tolist())}
    if not set(wanted.tolist()) <= set(places):
        raise ConfigError(
            f"remember = {','.join(plan.remember)}: must be among the observed fields"
        )
    return observed, np.array([places[place] for place in wanted.tolist()], dtype=np.int64)


@dataclass(frozen=True)
class _Course:
    """A plan, the class of its learner, and the numbers that the network sees and remembers."""

    plan: Plan
    kind: Any
    observed: Array
    remembered: Array

    def classroom(self, done: Sequence[rounds.Searched]) -> Classroom:
        """Return the classroom for the round that follows these."""
        plan, game = self.plan, self.plan.game
        periods = min(game.horizon, PERIODS)
        seats = plan.seats or tuple(range(game.seats))
        plays = ROUND // periods // (len(seats) if plan.against else game.seats)
        plays = max(PARTS, plays // PARTS * PARTS)
        seed = rounds.seed_of(plan, "round", len(done)) if done else plan.seed
        deviators = rounds.deviators(plan, done)
        learning = (seed, plan.reward, plan.against, seats, deviators, plan.rivalry)
        parts = rooms(game, plays, *learning)
        flat = FlatObservations(game.declaration.observations, game.seats)
        paths = paths_over(flat, self.observed, *plan.paths) if plan.paths else None
        return Classroom(parts, self.observed, self.remembered, paths)

    def resumed(self) -> Any:
        """Return the learner stored in the checkpoint."""
        classroom = self.classroom(_checkpoint(self.plan)["rounds"])
        model = self.kind.load(self.plan.checkpoint, classroom, device="cpu", force_reset=False)
        classroom.restore(model.left["classroom"])
        np.random.set_state(model.left["numpy"])
        torch.set_rng_state(model.left["torch"])
        return model

    def learner(self, done: tuple[rounds.Searched, ...], before: Any = None) -> Any:
        """Return a learner for the round that follows these, with the network of the previous
        learner.

        Its `rounds` and `earlier` attributes contain the rounds so far, and the decisions before
        this round.
        """
        plan, classroom = self.plan, self.classroom(done)
        rules = scaling(plan.game, self.observed, self.remembered, plan.cells, classroom.paths)
        start = {"log_std_init": math.log(plan.spread)} if self.kind is PPO else {}
        periods = min(plan.game.horizon, PERIODS)
        model = self.kind(
            "MlpPolicy",
            classroom,
            n_steps=periods,
            batch_size=periods * classroom.num_envs // PARTS,
            n_epochs=EPOCHS,
            gamma=plan.discount,
            gae_lambda=GAE_LAMBDA,
            learning_rate=Falling(plan.rate),
            ent_coef=plan.entropy,
            max_grad_norm=LARGEST_GRADIENT,
            seed=plan.seed,
            device="cpu",
            policy_kwargs={
                "features_extractor_class": Scaled,
                "features_extractor_kwargs": {"rules": rules},
                "net_arch": [plan.hidden, plan.hidden],
                **start,
            },
        )
        model.rounds, model.earlier = done, 0
        if before is not None:
            model.policy.load_state_dict(before.policy.state_dict())
            model.earlier = before.earlier + before.num_timesteps
        return model


def _checkpoint(plan: Plan) -> dict[str, Any]:
    """Return the contents of the checkpoint. Raises ConfigError if it is missing or belongs to
    another plan."""
    if not plan.checkpoint.is_file():
        raise ConfigError(f"{plan.checkpoint}: there is no checkpoint to resume from")
    kept, _, _ = load_from_zip_file(plan.checkpoint, device="cpu")
    plan.check_same((kept or {}).get("left", {}).get("plan"))
    return kept or {}


class Falling:
    """Learning rate that falls to a tenth of its initial value. It is a class because checkpoints
    must store it.

    `left` is negative if the last round takes more steps than planned, but the rate stays positive.
    """

    def __init__(self, rate: float) -> None:
        self.rate = rate

    def __call__(self, left: float) -> float:
        return self.rate * max(0.1 + 0.9 * left, 0.05)


class _Reporting(BaseCallback):
    """Callback that saves the learner every CHECKPOINTS rounds, and reports its progress."""

    def __init__(self, plan: Plan, began: float) -> None:
        super().__init__()
        self.plan, self.began = plan, began
        self.first, self.started = 0, time.monotonic()

    def _on_training_start(self) -> None:
        self.first, self.started = self.model.num_timesteps, time.monotonic()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        """Save and report between two rounds, after the network has learned from the last round."""
        updates = self.model.num_timesteps // (self.model.n_steps * self.model.n_envs)
        if updates % CHECKPOINTS == 0:
            self._save()
        if updates:
            self._tell()

    def _save(self) -> None:
        """Write a checkpoint atomically, with everything that the training depends on."""
        model: Any = self.model
        model.seconds = time.monotonic() - self.began
        model.left = {
            "classroom": model.env.snapshot(),
            "numpy": np.random.get_state(),
            "torch": torch.get_rng_state(),
            "plan": self.plan.record,
        }
        self.plan.output.mkdir(parents=True, exist_ok=True)
        part = self.plan.checkpoint.with_suffix(".part.zip")
        model.save(part)
        part.replace(self.plan.checkpoint)

    def _tell(self) -> None:
        done, steps = self.model.num_timesteps, self.plan.steps
        bar = "#" * (30 * min(done, steps) // steps)
        speed = (done - self.first) / (time.monotonic() - self.started)
        ended = [episode["r"] for episode in self.model.ep_info_buffer]
        line = f"{done:,} of {steps:,} steps, {speed:,.0f}/s"
        if ended:
            line += f", reward of a play {np.mean(ended):.2f} points"
        print(f"\r[{bar:30}] {line}   ", end="", file=sys.stderr, flush=True)
