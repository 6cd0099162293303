"""Seat for one policy in the `lab` commons. Tests set its observation and read its answer.

Four seats, capacity 100, growth rate 0.4: the largest sustainable yield is 10, or 2.5 each. The
largest request is 10.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company import engine
from tests.bots.scripted.seat import UNSEEN, OneSeat, play

__all__ = ["UNSEEN", "Seat", "after_a_period", "harvests", "table"]


class Seat(OneSeat):
    """Seat in the commons."""

    game_id = "commons_game"

    def sees(self, stock: Any = 100, took: Any = 0, wealth: Any = 0, pool: Any = 0) -> Any:
        """Return the policy's answer to this observation."""
        return self.answer(
            stock=np.array(float(stock)),
            wealth=self.per_seat(wealth),
            harvest=self.per_seat(took),
            contribution=self.per_seat(0),
            pool=np.array(float(pool)),
        )

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
    return play("commons_game", specs, seed, **core)


def harvests(steps: list[engine.Period], seat: int) -> list[float]:
    return [float(step.components["harvest"][seat]) for step in steps]
