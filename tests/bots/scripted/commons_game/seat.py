"""Seat for one policy in the `lab` commons. Tests set its observation and read its answer.

Four seats, capacity 100, growth rate 0.4: the largest sustainable yield is 10, or 2.5 each. The
largest request is 10.
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
        self.game = engine.make("commons_game", archetype="lab_0_7", **core)
        self.policy = make(spec, self.game)
        self.seat = seat
        self.begin(seed)

    def begin(self, seed: int) -> Seat:
        """Reset the seat to the time before the first period, and return it."""
        self.period, self.memory = 0, self.policy.start()
        self.rng = np.random.default_rng(seed)
        return self

    def sees(self, stock: Any = 100, took: Any = 0, wealth: Any = 0, pool: Any = 0) -> Any:
        """Return the policy's answer to this observation; a single number applies to every seat."""

        def per_seat(value: Any) -> Any:
            return np.zeros(self.game.seats) + np.asarray(value, dtype=float)

        observation = {
            "period": np.array(self.period),
            "seat": np.array(self.seat),
            "ended": np.array(False),
            "stock": np.array(float(stock)),
            "wealth": per_seat(wealth),
            "harvest": per_seat(took),
            "contribution": per_seat(0),
            "pool": np.array(float(pool)),
        }
        self.period += 1
        action, self.memory = self.policy.act(observation, self.memory, self.rng)
        return action

    def takes(self, **screen: Any) -> float:
        return float(self.sees(**screen)["harvest"])

    def pays(self, **screen: Any) -> float:
        return float(self.sees(**screen)["contribution"])


def after_a_period(spec: str, **core: Any) -> Seat:
    """Return a seat after its first period."""
    seat = Seat(spec, **core)
    seat.sees()
    return seat


def table(*specs: str, seed: int = 0, **core: Any) -> list[engine.Period]:
    """Play with these policies, one per seat, and return the steps."""
    game = engine.make("commons_game", archetype="lab_0_7", seats=len(specs), **core)
    episode = engine.Episode(game, seed)
    policies = [make(spec, game) for spec in specs]
    memories = [policy.start() for policy in policies]
    rng = np.random.default_rng(seed)
    steps = []
    while not episode.done:
        actions: dict[str, list[float]] = {"harvest": [], "contribution": []}
        for seat, policy in enumerate(policies):
            action, memories[seat] = policy.act(episode.observation(seat), memories[seat], rng)
            for name, value in action.items():
                actions[name].append(value)
        steps.append(episode.step(actions))
    return steps


def harvests(steps: list[engine.Period], seat: int) -> list[float]:
    return [float(step.components["harvest"][seat]) for step in steps]
