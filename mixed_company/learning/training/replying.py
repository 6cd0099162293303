"""A reply that is learned: PPO in one seat, all others follow a policy (`mixed exploit --ppo`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mixed_company.engine.contract.chance import generator
from mixed_company.engine.game import Game
from mixed_company.learning.training.learning import trained
from mixed_company.learning.training.plan import SPREAD, Plan
from mixed_company.policies.policy import Policy
from mixed_company.policies.trained.policy import policy_class

__all__ = ["learned_reply"]


def learned_reply(
    game: Game[Any], spec: str, steps: int, seed: int, seats: Sequence[int] = ()
) -> Policy:
    """What a network does for its own points that has so many decisions to learn from.

    It learns in the seats that reply, in all if none is named, and sees all that is to be seen
    there. Its plays are not those by which replies are judged. Raises ConfigError.
    """
    with TemporaryDirectory() as folder:
        plan = _plan(game, spec, steps, seed, seats, Path(folder))
        card = trained(plan)
        return policy_class(card, plan.output / f"{card.id}.json").for_game(game)


def _plan(
    game: Game[Any], spec: str, steps: int, seed: int, seats: Sequence[int], output: Path
) -> Plan:
    return Plan(
        game=game,
        name="ppo",
        output=output,
        sentence=f"Learned to reply to {spec}.",
        aim="own",
        credit="mean",
        against=spec,
        deviators=(),
        seats=tuple(seats),
        observe=(),
        remember=(),
        sampling="mode",
        steps=steps,
        seed=int(generator(seed, "ppo", 0).integers(2**31)),
        entropy=0.0,
        spread=SPREAD,
        rate=1e-3,
        discount=1.0,
        hidden=64,
        imitate="",
        imitate_steps=1,
        cells=None,
        paths=None,
        command="",
    )
