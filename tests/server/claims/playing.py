"""Plays of a game in the engine only, for checking claims."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from mixed_company import engine
from mixed_company.engine.contract.space import of_seat

PERIODS = 5


class Played:
    """A game, and a play of it in which every seat takes random legal actions.

    states   before the first period and after each
    seen     the observation of each seat, per state; out: the seats whose play is over
    steps    the result of each period
    """

    def __init__(self, game: engine.Game[Any]) -> None:
        self.game, self.core = game, game.core
        self.seats = range(game.seats)

    @cached_property
    def play(self) -> engine.Episode:
        return engine.Episode(self.game, seed=3)

    @cached_property
    def steps(self) -> list[Any]:
        self.states, self.seen, self.out = [self.play._state], [self._seen()], [()]
        steps: list[Any] = []
        while len(steps) < PERIODS and not self.play.done:
            steps.append(self._period(len(steps)))
            self.states.append(self.play._state)
            self.seen.append(self._seen())
            self.out.append(self.play.absent)
        return steps

    def _period(self, period: int) -> Any:
        """Play all stages of a period."""
        while True:
            step = self.play.step(self._drawn(period))
            if step.settled:
                return step

    def _drawn(self, period: int) -> dict[str, list[Any]]:
        """Draw small requests, so the resource lasts."""
        drawn: list[dict[str, Any]] = []
        for seat in self.seats:
            allowed = self.play.allowed(seat)
            action = allowed.sample(np.random.default_rng((period, seat)))
            for field in self.game.declaration.actions:
                if field.kind == "real":
                    action[field.name] = action[field.name] / 4
            drawn.append(action)
        return {name: [action[name] for action in drawn] for name in drawn[0]}

    def _seen(self) -> list[dict[str, Any]]:
        layout = self.game.declaration.observations
        return [of_seat(layout, self.play.observations, seat) for seat in self.seats]

    def is_exact(self, *names: str) -> bool:
        """Return whether every seat sees these quantities exactly after every period."""
        assert self.steps
        return all(
            name in seen[seat] and self._is_as(seen[seat][name], state, name, seat)
            for state, seen, out in zip(self.states, self.seen, self.out, strict=True)
            for seat in self.seats
            for name in names
            if seat not in out
        )

    def _is_as(self, seen: Any, state: Any, name: str, seat: int) -> bool:
        """Return whether an observation equals the quantity, or the seat's element of it."""
        field = next(
            observation
            for observation in self.game.declaration.observations
            if observation.name == name
        )
        value = np.asarray(state[name if name in state else field.sources[0]])
        if value.shape != np.shape(seen):
            value = value[seat]
        return np.array_equal(seen, value)

    def is_whole(self, *names: str) -> bool:
        """Return whether these fields never have missing values, for any seat."""
        assert self.steps
        return all(
            name in seen[seat] and bool(np.isfinite(np.asarray(seen[seat][name], float)).all())
            for seen in self.seen
            for seat in self.seats
            for name in names
        )

    def stays(self, name: str) -> bool:
        """Return whether a quantity of the state is the same before and after every period."""
        assert self.steps
        return all(np.array_equal(state[name], self.states[0][name]) for state in self.states)

    def least(self, field: str) -> float:
        """Return the largest number that every seat may send at the start."""
        return float(min(self.largest(field)))

    def largest(self, field: str) -> list[float]:
        """Return the largest number that each seat may send at the start, as a list of n."""
        start = engine.Episode(self.game, seed=3)
        return [float(start.allowed(seat).to_json()[field][1]) for seat in self.seats]


def always(_played: Played, *_groups: str) -> bool:
    """Return True, because the claim does not depend on the configuration."""
    return True


def is_core(name: str, scale: float = 1.0) -> Any:
    """Return a check that the pattern's only group equals a parameter of the game."""

    def check(played: Played, value: str) -> bool:
        return float(value) == round(scale * float(getattr(played.core, name)), 9)

    return check
