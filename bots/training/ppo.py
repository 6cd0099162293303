"""Trains a policy with PPO (Schulman et al. 2017, arXiv:1707.06347), and writes model and card.

    python -m bots.training.ppo commons_game --archetype lab --aim group --steps 4000000 \\
        --seed 1 --name commons_together --output bots/trained

All seats learn together with one network, or, with `--against`, one seat of each play among the
policies named. The same command gives the same weights on the same machine. It writes a checkpoint
from time to time, beside the model; `--resume` goes on from there, with new plays.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback

import engine
from bots.flat.actions import FlatActions
from bots.flat.observations import FlatObservations
from bots.trained.card import Card
from bots.training.classroom import Classroom, chosen_numbers, rooms
from bots.training.export import exported, layers_of
from bots.training.plan import Plan
from bots.training.scaling import Scaled, scaling
from engine.command import assigned, guarded, write_whole
from engine.errors import ConfigError
from engine.space import Array

__all__ = ["Plan", "main", "trained"]

ROUND = 16_384  # decisions between two changes of the network, about
PARTS = 8  # minibatches of a round
EPOCHS = 6
CHECKPOINTS = 10  # rounds between two of them


def trained(plan: Plan, resume: bool = False) -> Card:
    """Train, write `<name>.onnx` and `<name>.json` into the output folder, and return the card.

    Raises ConfigError for what cannot be trained.
    """
    torch.set_num_threads(1)
    game = plan.game
    flat = FlatObservations(game.declaration.observations, game.seats)
    observed, remembered = _chosen(plan, flat)
    names = tuple(flat.names[place] for place in observed)
    kind = MaskablePPO if FlatActions(game.declaration.actions).choices else PPO
    plan.check(names, kind.__name__, len(remembered))
    model = _learner(plan, kind, observed, remembered, resume)
    began = time.monotonic() - getattr(model, "seconds", 0.0)
    steps = plan.steps - model.num_timesteps
    if steps > 0:
        model.learn(steps, _Reporting(plan, began), reset_num_timesteps=not resume)
    layers, spread = layers_of(model.policy)
    written = exported(scaling(game, observed, remembered), layers, remembered, spread)
    spent, taken = time.monotonic() - began, model.num_timesteps
    card = plan.card(written, names, kind.__name__, len(remembered), taken, spent)
    plan.output.mkdir(parents=True, exist_ok=True)
    (plan.output / f"{plan.name}.onnx").write_bytes(written)
    write_whole(plan.output / f"{plan.name}.json", card.model_dump_json(indent=2) + "\n")
    plan.checkpoint.unlink(missing_ok=True)
    return card


def _chosen(plan: Plan, flat: FlatObservations) -> tuple[Array, Array]:
    """Places among the flat observations, and among these, of what is seen and remembered."""
    observed = chosen_numbers(flat, plan.observe)
    wanted = chosen_numbers(flat, plan.remember) if plan.remember else observed[:0]
    places = {place: number for number, place in enumerate(observed.tolist())}
    if not set(wanted.tolist()) <= set(places):
        raise ConfigError(f"remember = {','.join(plan.remember)}: should be among what is observed")
    return observed, np.array([places[place] for place in wanted.tolist()], dtype=np.int64)


def _learner(plan: Plan, kind: Any, observed: Array, remembered: Array, resume: bool) -> Any:
    """A new learner, or the one of the checkpoint."""
    game = plan.game
    periods = min(game.horizon, 40)
    seats = plan.seats or tuple(range(game.seats))
    plays = ROUND // periods // (len(seats) if plan.against else game.seats)
    plays = max(PARTS, plays // PARTS * PARTS)
    parts = rooms(game, plays, plan.seed, plan.aim, plan.against, seats)
    classroom = Classroom(parts, observed, remembered)
    if resume:
        if not plan.checkpoint.is_file():
            raise ConfigError(f"{plan.checkpoint}: there is no checkpoint to resume from")
        model = kind.load(plan.checkpoint, classroom, device="cpu")
        model.set_random_seed(plan.seed + model.num_timesteps)
        return model
    start = {"log_std_init": -0.7} if kind is PPO else {}
    return kind(
        "MlpPolicy",
        classroom,
        n_steps=periods,
        batch_size=periods * classroom.num_envs // PARTS,
        n_epochs=EPOCHS,
        gamma=plan.discount,
        gae_lambda=0.95,
        learning_rate=Falling(plan.rate),
        ent_coef=plan.entropy,
        seed=plan.seed,
        device="cpu",
        policy_kwargs={
            "features_extractor_class": Scaled,
            "features_extractor_kwargs": {"rules": scaling(game, observed, remembered)},
            "net_arch": [plan.hidden, plan.hidden],
            **start,
        },
    )


class Falling:
    """A learning rate that falls to a tenth; a class, so that checkpoints can hold it."""

    def __init__(self, rate: float) -> None:
        self.rate = rate

    def __call__(self, left: float) -> float:
        return self.rate * (0.1 + 0.9 * left)


class _Reporting(BaseCallback):
    """Saves the learner every so many rounds, and says how far it is."""

    def __init__(self, plan: Plan, began: float) -> None:
        super().__init__()
        self.plan, self.began, self.rounds = plan, began, 0
        self.first, self.started = 0, time.monotonic()

    def _on_training_start(self) -> None:
        self.first, self.started = self.model.num_timesteps, time.monotonic()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        """Between two rounds: what was played has been learned from."""
        self.rounds += 1
        if self.rounds % CHECKPOINTS == 0:
            self.model.seconds = time.monotonic() - self.began
            self.plan.output.mkdir(parents=True, exist_ok=True)
            self.model.save(self.plan.checkpoint)
        if self.rounds > 1:
            self._tell()

    def _tell(self) -> None:
        done, steps = self.model.num_timesteps, self.plan.steps
        bar = "#" * (30 * min(done, steps) // steps)
        speed = (done - self.first) / (time.monotonic() - self.started)
        earned = np.mean([episode["r"] for episode in self.model.ep_info_buffer])
        told = f"{done:,} of {steps:,} steps, {speed:,.0f}/s, {earned:.2f} points a play"
        print(f"\r[{bar:30}] {told}   ", end="", file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit code."""
    parser = _parser()
    given = list(sys.argv[1:] if arguments is None else arguments)
    return guarded(lambda: _run(parser.parse_intermixed_args(given), given))


def _parser() -> argparse.ArgumentParser:
    about = str(__doc__).split("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m bots.training.ppo", description=about)
    add = parser.add_argument
    add("game")
    add("--archetype", help="the named set of values to start from")
    add("--aim", choices=("own", "group"), required=True, help="whose points are the reward")
    add("--against", default="", help="policies of the other seats, by commas; else all learn")
    add("--seats", default="", help="which seats learn against them, by commas; else each in turn")
    add("--observe", default="", help="observation fields by commas; else all")
    add("--remember", default="", help="observed fields whose running means are remembered")
    add("--sampling", choices=("mode", "sample"), default="mode", help="how it is served")
    add("--steps", type=int, required=True, help="decisions to learn from")
    add("--seed", type=int, default=0, help="seed of everything")
    add("--rate", type=float, default=1e-3, help="learning rate at the start")
    add("--entropy", type=float, default=0.0, help="reward of doing something else at times")
    add("--discount", type=float, default=1.0, help="weight of the next period in what is learned")
    add("--hidden", type=int, default=64, help="units in each of the two layers")
    add("--name", required=True, help="id of the policy")
    add("--sentence", required=True, help="what it does, in one sentence")
    add("--output", type=Path, required=True, help="folder of model and card")
    add("--resume", action="store_true", help="go on from the last checkpoint")
    add("pairs", nargs="*", metavar="key=value", help="parameters of the game")
    return parser


def _run(chosen: argparse.Namespace, given: Sequence[str]) -> int:
    game = engine.make(chosen.game, archetype=chosen.archetype, **assigned(chosen.pairs))
    plan = Plan(
        game=game,
        name=chosen.name,
        output=chosen.output,
        sentence=chosen.sentence,
        aim=chosen.aim,
        against=chosen.against,
        seats=_numbers(chosen.seats),
        observe=_names(chosen.observe),
        remember=_names(chosen.remember),
        sampling=chosen.sampling,
        steps=chosen.steps,
        seed=chosen.seed,
        entropy=chosen.entropy,
        rate=chosen.rate,
        discount=chosen.discount,
        hidden=chosen.hidden,
        command=shlex.join(["python", "-m", "bots.training.ppo", *_lasting(given)]),
    )
    card = trained(plan, chosen.resume)
    print(f"\n{chosen.output / card.id}.onnx, {card.steps} steps in {card.seconds:g} s")
    return 0


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _numbers(text: str) -> tuple[int, ...]:
    if not all(name.isdigit() for name in _names(text)):
        raise ConfigError(f"seats = {text!r}: should be whole numbers, by commas")
    return tuple(map(int, _names(text)))


def _lasting(given: Sequence[str]) -> list[str]:
    """The command without the part that only says that it was interrupted."""
    return [part for part in given if part != "--resume"]


if __name__ == "__main__":
    sys.exit(main())
