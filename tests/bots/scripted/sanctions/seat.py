"""Seat for one policy in the `lab` of the sanctions game. Tests set its observation and read its
answer.

Four seats, endowment 20, baseline 10.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company import engine
from mixed_company.policies import make

UNSEEN = np.nan


class Seat:
    """Seat that keeps a policy's notes from one period to the next."""

    def __init__(self, spec: str, seat: int = 0, seed: int = 0, **core: Any) -> None:
        self.game = engine.make("sanctions", archetype="lab_0_7", **core)
        self.policy = make(spec, self.game)
        self.seat = seat
        self.begin(seed)

    def begin(self, seed: int) -> Seat:
        """Reset the seat to the time before the first period, and return it."""
        self.period, self.memory = 0, self.policy.start()
        self.rng = np.random.default_rng(seed)
        return self

    def gives(self, contributions: Any = 0, trust: Any = 0.5, effects: Any = 0) -> float:
        """Return the policy's answer to last period's contributions; a number applies to every
        seat.

        `effects` holds the effects of every seat on every other: the row observes the column.
        """

        def per_seat(value: Any) -> Any:
            return np.zeros(self.game.seats) + np.asarray(value, dtype=float)

        observation = {
            "period": np.array(self.period),
            "seat": np.array(self.seat),
            "ended": np.array(False),
            "contribution": per_seat(contributions),
            "reciprocity_effects": np.zeros((self.game.seats,) * 2) + np.asarray(effects, float),
            "trust": np.tile(per_seat(trust), (self.game.seats, 1)),
        }
        self.period += 1
        action, self.memory = self.policy.act(observation, self.memory, self.rng)
        assert set(action) == {"contribution"}
        return float(action["contribution"])


def after_a_period(spec: str, **core: Any) -> Seat:
    """Return a seat after its first period."""
    seat = Seat(spec, **core)
    seat.gives()
    return seat


def table(*specs: str, seed: int = 0, **core: Any) -> list[engine.Period]:
    """Play the lab with these policies, one per seat, and return the steps."""
    game = engine.make("sanctions", **{"archetype": "lab_0_7", "seats": len(specs), **core})
    episode = engine.Episode(game, seed)
    policies = [make(spec, game) for spec in specs]
    memories = [policy.start() for policy in policies]
    rng = np.random.default_rng(seed)
    steps = []
    while not episode.done:
        contributions = []
        for seat, policy in enumerate(policies):
            action, memories[seat] = policy.act(episode.observation(seat), memories[seat], rng)
            contributions.append(action["contribution"])
        steps.append(episode.step({"contribution": contributions}))
    return steps


def contributions(steps: list[engine.Period], seat: int) -> list[float]:
    return [float(step.used["contribution"][seat]) for step in steps]


def points(steps: list[engine.Period], seat: int) -> float:
    return float(sum(step.rewards[seat] for step in steps))
