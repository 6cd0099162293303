"""Seat for one policy in the `lab` of the sanctions game. Tests set its observation and read its
answer.

Four seats, endowment 20, baseline 10.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company import engine
from tests.bots.scripted.seat import UNSEEN, OneSeat, play

__all__ = ["UNSEEN", "Seat", "after_a_period", "contributions", "points", "table"]


class Seat(OneSeat):
    """Seat in the sanctions game."""

    game_id = "sanctions"

    def gives(self, contributions: Any = 0, trust: Any = 0.5, effects: Any = 0) -> float:
        """Return the policy's answer to last period's contributions.

        `effects` holds the effects of every seat on every other: the row observes the column.
        """
        action = self.answer(
            contribution=self.per_seat(contributions),
            reciprocity_effects=np.zeros((self.game.seats,) * 2) + np.asarray(effects, float),
            trust=np.tile(self.per_seat(trust), (self.game.seats, 1)),
        )
        assert set(action) == {"contribution"}
        return float(action["contribution"])


def after_a_period(spec: str, **core: Any) -> Seat:
    """Return a seat after its first period."""
    seat = Seat(spec, **core)
    seat.gives()
    return seat


def table(*specs: str, seed: int = 0, **core: Any) -> list[engine.Period]:
    return play("sanctions", specs, seed, **core)


def contributions(steps: list[engine.Period], seat: int) -> list[float]:
    return [float(step.used["contribution"][seat]) for step in steps]


def points(steps: list[engine.Period], seat: int) -> float:
    return float(sum(step.rewards[seat] for step in steps))
