"""External game in which seats draw water from a well, with every feature that a game can have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from mixed_company.engine.contract.arrays import over_seats
from mixed_company.engine.contract.config import Core, parameter
from mixed_company.engine.contract.space import Field
from mixed_company.engine.game import Declaration, Game
from mixed_company.policies.policy import Policy


class WellCore(Core):
    periods: int = parameter(6, "number of periods", ge=1)
    rain: float = parameter(4.0, "what a period adds", unit="litres", ge=0, le=100)


class Well(Game[WellCore]):
    """Game in which a seat earns what it draws, and its play ends after a total of 12 litres."""

    id = "well"
    version = "1"
    Core = WellCore
    archetypes: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    may_drift = ("rain",)

    @property
    def horizon(self) -> int:
        return self.core.periods

    def declare(self) -> Declaration:
        held = Field("drawn", "drawn in all", "litres", low=0.0, high=1e6, shape=(self.seats,))
        water = Field("water", "water in the well", "litres", low=0.0, high=20.0)
        return Declaration(
            actions=(Field("draw", "litres wanted", "litres", low=0.0, high=5.0),),
            observations=(replace(water, maskable=True), replace(held, maskable=True)),
            state=(water, held),
            components=(Field("drawn", "litres drawn", "points", low=0.0, high=5.0),),
            endings={},
            seat_endings={"full": "success"},
        )

    def initial(self, chance: Any, batch: tuple[int, ...]) -> Any:
        return {"water": np.full(batch, 20.0), "drawn": np.zeros((*batch, self.seats))}

    def _got(self, state: Any, used: Any) -> Any:
        largest = np.maximum(np.maximum(over_seats(used["draw"]), state["water"]), 1e-9)
        return (state["water"] / largest)[..., None] * used["draw"]

    def transition(self, state: Any, used: Any, chance: Any) -> Any:
        drawn_now = self._got(state, used)
        left = state["water"] - over_seats(drawn_now) + self.now("rain", state)
        return {"water": np.clip(left, 0.0, 20.0), "drawn": state["drawn"] + drawn_now}

    def reward(self, before: Any, used: Any, after: Any) -> Any:
        return {"drawn": self._got(before, used)}

    def view(self, state: Any, chance: Any) -> Any:
        return {"water": state["water"], "drawn": state["drawn"]}

    def seat_ending(self, state: Any) -> Any:
        return {"full": state["drawn"] >= 12.0}

    def cooperation(self, before: Any, used: Any, after: Any) -> Any:
        return 1.0 - used["draw"] / 5.0


class Thirsty(Policy):
    """Policy that draws as much as it can."""

    id, games, source = "thirsty", ("well",), "ours"

    def act(self, observation: Any, memory: Any, rng: Any) -> Any:
        return {"draw": 5.0}, memory
