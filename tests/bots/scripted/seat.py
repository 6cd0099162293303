"""Seat for one policy, whose observation a test sets, and whole plays of policies."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from mixed_company import engine
from mixed_company.policies import make

UNSEEN = np.nan


class OneSeat:
    """Seat that keeps a policy's notes from one period to the next."""

    game_id: str

    def __init__(self, spec: str, seat: int = 0, seed: int = 0, **core: Any) -> None:
        self.game = engine.make(self.game_id, archetype="lab_0_7", **core)
        self.policy = make(spec, self.game)
        self.seat = seat
        self.begin(seed)

    def begin(self, seed: int) -> Self:
        """Reset the seat to the time before the first period, and return it."""
        self.period, self.memory = 0, self.policy.start()
        self.rng = np.random.default_rng(seed)
        return self

    def per_seat(self, value: Any) -> Any:
        """Return values of all seats; a single number applies to every seat."""
        return np.zeros(self.game.seats) + np.asarray(value, dtype=float)

    def answer(self, **shown: Any) -> Any:
        """Return the policy's answer to an observation with these fields."""
        place = {"period": self.period, "seat": self.seat, "ended": False}
        observation = {name: np.array(value) for name, value in place.items()} | shown
        self.period += 1
        action, self.memory = self.policy.act(observation, self.memory, self.rng)
        return action


def play(game_id: str, specs: tuple[str, ...], seed: int, **core: Any) -> list[engine.Period]:
    """Play with these policies, one per seat, and return the steps."""
    game = engine.make(game_id, **{"archetype": "lab_0_7", "seats": len(specs), **core})
    episode = engine.Episode(game, seed)
    policies = [make(spec, game) for spec in specs]
    memories = [policy.start() for policy in policies]
    rng = np.random.default_rng(seed)
    steps = []
    while not episode.done:
        actions: dict[str, list[float]] = {}
        for seat, policy in enumerate(policies):
            action, memories[seat] = policy.act(episode.observation(seat), memories[seat], rng)
            for name, value in action.items():
                actions.setdefault(name, []).append(value)
        steps.append(episode.step(actions))
    return steps
