"""Parameters of the commons game; `engine.games.commons_game` explains them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

import numpy as np
from pydantic import ValidationInfo, field_validator, model_validator

from mixed_company.engine.contract.arrays import neighbours
from mixed_company.engine.contract.config import parameter
from mixed_company.engine.contract.peer_core import PeerCore
from mixed_company.engine.contract.space import Array

_fish = partial(parameter, group="The fish")
_take = partial(parameter, group="Harvests and points")
_pool = partial(parameter, group="The pool")
_see = partial(parameter, group="What players see")


class CommonsCore(PeerCore):
    """Parameters of the commons game."""

    periods: int = parameter(15, "number of periods", symbol="T", ge=1, le=10_000, first=True)
    capacity: float = _fish(
        100.0, "largest stock the resource can reach", unit="fish", symbol="K", gt=0, le=1e9
    )
    initial_stock: float | None = _fish(
        None,
        "stock before period 0; empty: the capacity",
        unit="fish",
        symbol="R_0",
        ge=0,
        validate_default=True,
    )
    initial_wealth: float = _take(
        0.0, "points that each seat starts with", unit="points", symbol="w_0", ge=0, le=1e9
    )
    max_harvest: float = _take(
        10.0, "maximum request per seat and period", unit="fish", symbol="h_max", gt=0, le=1e9
    )
    growth: Literal["logistic", "linear", "exponential"] = _fish(
        "logistic", "how the stock regrows"
    )
    growth_rate: float = _fish(
        0.3, "growth rate; if linear, fish per period", symbol="gamma", ge=0, le=1e9
    )
    governance: Literal["none", "per_step", "accumulating"] = _pool(
        "none", "whether a pool feeds the stock, and whether the pool accumulates"
    )
    pool_decay: float = _pool(
        0.9, "share of an accumulating pool that is kept", symbol="rho", ge=0, le=1
    )
    pool_effect: float = _pool(
        0.5, "stock added per point in the pool", unit="fish/point", symbol="alpha", ge=0, le=1e6
    )
    collapse_stock: float = _fish(
        0.0, "the stock collapses when it falls below this", unit="fish", symbol="R_critical", ge=0
    )
    collapse_zero_periods: int = _fish(
        1,
        "number of consecutive periods without fish after which the stock collapses",
        unit="periods",
        symbol="k",
        ge=1,
    )
    terminate_on_collapse: bool = _fish(True, "whether a collapse ends the play")
    living_cost: float = _take(
        0.0,
        "living cost per seat and period; a seat that has less is out",
        unit="points",
        symbol="c_l",
        ge=0,
        le=1e9,
    )
    recovery_stock: float | None = _fish(
        None,
        "the play is won when the stock reaches this level; empty: it is never won",
        unit="fish",
        symbol="R_goal",
        gt=0,
    )
    recovery_bonus: float = _fish(
        0.0, "points for each seat when the play is won", unit="points", symbol="b", ge=0, le=1e9
    )
    discount: float = _take(1.0, "weight of the next period's points", symbol="delta", gt=0, le=1)
    observation: Literal["full", "local"] = _see(
        "full", "whether a seat sees all seats' numbers or only its neighbours'"
    )
    neighbours: Literal["ring", "complete"] | tuple[tuple[int, int], ...] = _see(
        "ring", "neighbours for local observation: a name or a list of pairs of seats"
    )
    stock_noise: float = _see(
        0.0,
        "standard deviation of the error in the stock reading",
        unit="fish",
        symbol="sigma_R",
        ge=0,
        le=1e9,
    )

    def idle(self) -> set[str]:
        idle = {"pool_decay"} if self.governance != "accumulating" else set()
        idle |= {"pool_effect"} if self.governance == "none" else set()
        idle |= {"recovery_bonus"} if self.recovery_stock is None else set()
        return super().idle() | idle | ({"neighbours"} if self.observation == "full" else set())

    @field_validator("initial_stock", mode="after")
    @classmethod
    def _fill_initial_stock(cls, stock: float | None, info: ValidationInfo) -> float | None:
        return info.data.get("capacity") if stock is None else stock

    @field_validator("neighbours")
    @classmethod
    def _no_loops(cls, edges: Any) -> Any:
        for edge in () if isinstance(edges, str) else edges:
            if edge[0] == edge[1]:
                raise ValueError(f"pair {list(edge)}: a seat cannot be its own neighbour")
        return edges

    @model_validator(mode="after")
    def _possible(self) -> CommonsCore:
        if self.initial_stock is not None and self.initial_stock > self.capacity:
            raise ValueError(
                f"initial_stock = {self.initial_stock}: should be at most the capacity, "
                f"{self.capacity}"
            )
        if self.collapse_stock > self.capacity:
            raise ValueError(
                f"collapse_stock = {self.collapse_stock}: should be at most the capacity, "
                f"{self.capacity}"
            )
        if self.growth == "exponential" and self.governance != "none":
            raise ValueError(
                "growth = 'exponential': a pool is not possible with this growth; set "
                "governance = 'none'"
            )
        self._check_living()
        self._check_recovery()
        for edge in () if isinstance(self.neighbours, str) else self.neighbours:
            for seat in edge:
                if not 0 <= seat < self.seats:
                    raise ValueError(
                        f"neighbours = {list(edge)}: seat {seat} is not in 0 .. {self.seats - 1}"
                    )
        return self

    def _check_living(self) -> None:
        if self.initial_wealth < self.living_cost:
            raise ValueError(
                f"initial_wealth = {self.initial_wealth}: should be at least the living_cost of "
                f"the first period, {self.living_cost}"
            )

    def _check_recovery(self) -> None:
        goal = self.recovery_stock
        if goal is None:
            if self.recovery_bonus:
                raise ValueError(
                    f"recovery_bonus = {self.recovery_bonus}: has an effect only with a "
                    "recovery_stock"
                )
            return
        if goal > self.capacity:
            raise ValueError(
                f"recovery_stock = {goal}: should be at most the capacity, {self.capacity}"
            )
        for name in ("initial_stock", "collapse_stock"):
            if goal <= getattr(self, name):
                raise ValueError(
                    f"recovery_stock = {goal}: should be more than the {name}, "
                    f"{getattr(self, name)}"
                )


def growth(core: CommonsCore, stock: Any, lost: Any = 0.0, rate: Any = None) -> Any:
    """Return the growth in a period, given the `stock` before the harvest and the `lost` part of
    it.

    Exponential growth is computed from the remaining stock. `rate` is the growth rate in that
    period, if it differs from the parameter.
    """
    rate = core.growth_rate if rate is None else rate
    if core.growth == "linear":
        return rate
    if core.growth == "exponential":
        return rate * np.maximum(stock - lost, 0.0)
    return rate * stock * (1.0 - stock / core.capacity)


def neighbour_matrix(core: CommonsCore) -> Array:
    """Return flags (n, n): whether seat i sees seat j. Each seat sees itself; the graph is
    undirected."""
    return neighbours("complete" if core.observation == "full" else core.neighbours, core.seats)


ARCHETYPES: Mapping[str, Mapping[str, Any]] = {
    "open_access": {},
    "governed": {"governance": "per_step", "pool_effect": 2.0},
    "governed_savings": {"governance": "accumulating"},
    "local_view": {"observation": "local", "neighbours": "ring"},
    "noisy_stock": {"stock_noise": 10.0},
    "lab": {
        "periods": 20,
        "capacity": 160.0,
        "initial_stock": 50.0,
        "max_harvest": 12.0,
        "growth_rate": 0.7,
        "collapse_stock": 0.5,
    },
    "subsistence": {
        "growth_rate": 0.4,
        "collapse_stock": 10.0,
        "initial_stock": 30.0,
        "initial_wealth": 6.0,
        "living_cost": 1.5,
        "recovery_stock": 60.0,
        "recovery_bonus": 20.0,
    },
    "fishing": {
        "seats": 5,
        "periods": 12,
        "max_harvest": 100.0,
        "growth": "exponential",
        "growth_rate": 1.0,
        "collapse_stock": 10.0,
    },
    "unequal": {
        "growth_rate": 0.4,
        "collapse_stock": 10.0,
        "agents": {"roles": {"strong": {}, "weak": {}}, "seats": ("strong", "weak")},
        "layers": {
            "power": {"intensity": 1.0, "limits": {"weak": {"harvest": 5.0}}},
            "information": {"intensity": 1.0, "noise": {"stock": 5.0}, "delay": {"stock": 1}},
            "hierarchy": {"intensity": 1.0, "groups": (0, 1)},
        },
    },
}

SUPERSEDED: Mapping[str, Mapping[str, Any]] = {
    "lab_0_7": {"growth_rate": 0.4, "collapse_stock": 10.0},
    "lab_0_8": {
        "periods": 20,
        "initial_stock": 50.0,
        "max_harvest": 12.0,
        "growth_rate": 0.64,
        "collapse_stock": 30.0,
    },
}
