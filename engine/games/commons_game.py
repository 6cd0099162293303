"""The open renewable resource game: n seats harvest one stock that grows back.

Source: "Open Renewable Resource Game Specification" (February 2026); the numbers in brackets
are its steps of the deterministic step order.

Every period each seat asks for a harvest and, where there is governance, pays into a pool.

    [2] h <- clip(h, 0, h_max); c <- clip(c, 0, wealth held before the harvest)
    [3] phi = min(1, R / sum h); the harvest taken is phi h
    [4] wealth <- wealth + phi h - c
    [5] pool <- sum c (`per_step`) or rho pool + sum c (`accumulating`)
    [6] bonus G = alpha * the pool just updated
    [7] R <- clip(R - sum(phi h) + growth + G, 0, K), where growth = gamma R (1 - R/K) with R
        before the harvest (`linear`: growth = gamma)
    [8] reward = phi h - c
    [9] observations, [10] collapse: R < R_critical, or R = 0 for k periods running

Action           `harvest` (real, 0 .. h_max), `contribution` (real, 0 .. own wealth)
State            `stock`, `wealth` (n), `pool`, last `harvest` (n), last `contribution` (n),
                 `empty_periods`, `collapsed`
Observation      `stock` (a noisy reading if stock_noise > 0, the same for all seats, not clipped),
                 `wealth`, `harvest`, `contribution` of every seat, `pool`. With `local` observation
                 those of seats that are no neighbours, and the pool, are masked.
Components       `harvest` and `contribution` (negative); they add up to the reward
Endings          `horizon` (neither), `collapse` (failure) if terminate_on_collapse

Archetypes. `lab` is the one people play by default: 4 seats, 15 periods, K = R_0 = 100,
gamma = 0.4, h_max = 10, the play ends when the stock falls below 10. The sums:

    Everybody greedy (10 each): period 0 takes 40 of 100, growth at K is 0, stock 60. Period 1
    takes 40, growth 0.4 * 60 * 0.4 = 9.6, stock 29.6. Period 2 takes all 29.6 (7.4 each),
    growth 0.4 * 29.6 * 0.704 = 8.33, stock 8.33 < 10: collapse. Each earned 27.4 in 3 periods.

    The best the group can do: 10 each once (stock 60), 4.9 each (60 - 19.6 + 9.6 = 50), then the
    maximum sustainable yield 0.4 * 100 / 4 = 10 (2.5 each) for 11 periods with the stock at 50,
    and in the last two periods all that can be had: 20.3, then the 39.7 that are left. What is
    earned is what was there, plus what grew, less what is left: R_0 = 100, growth 0 + 9.6 +
    12 * 10 + 9.6, left 9.6: 229.6, or 57.4 each. More than twice the 27.4 of the greedy.

    Yet one seat earns 108.5 by taking 10 where it can while the others keep to 2.5 each
    (`best_response(core, [7.5] * 15)`), and when the others all ask for 10 nothing earns more
    than asking for 10 too (27.4): a social dilemma whose trap is an equilibrium.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import ValidationInfo, field_validator, model_validator

from engine.chance import Chance
from engine.config import Core, parameter
from engine.game import Declaration, Game, over_seats
from engine.space import Array, Arrays, Field

__all__ = ["GAME", "CommonsCore", "CommonsGame", "growth"]

_TINY = np.finfo(np.float64).tiny


class CommonsCore(Core):
    """Parameters of the commons game."""

    periods: int = parameter(15, "number of periods", symbol="T", ge=1, le=10_000)
    capacity: float = parameter(
        100.0, "largest stock the resource can reach", unit="fish", symbol="K", gt=0, le=1e9
    )
    initial_stock: float | None = parameter(
        None,
        "stock before period 0; empty: the capacity",
        unit="fish",
        symbol="R_0",
        ge=0,
        validate_default=True,
    )
    initial_wealth: float = parameter(
        0.0, "points each seat starts with", unit="points", symbol="w_0", ge=0, le=1e9
    )
    max_harvest: float = parameter(
        10.0, "largest request of a seat in a period", unit="fish", symbol="h_max", gt=0, le=1e9
    )
    growth: Literal["logistic", "linear"] = parameter("logistic", "how the stock grows back")
    growth_rate: float = parameter(
        0.3, "growth rate (linear: growth per period)", symbol="gamma", ge=0, le=1e9
    )
    governance: Literal["none", "per_step", "accumulating"] = parameter(
        "none", "is there a pool that feeds the stock, and does it keep"
    )
    pool_decay: float = parameter(
        0.9, "share of the accumulating pool that is kept", symbol="rho", ge=0, le=1
    )
    pool_effect: float = parameter(
        0.5, "stock added per point in the pool", unit="fish/point", symbol="alpha", ge=0, le=1e6
    )
    collapse_stock: float = parameter(
        0.0, "the stock collapses below this", unit="fish", symbol="R_critical", ge=0
    )
    collapse_zero_periods: int = parameter(
        1, "or after so many periods at zero", unit="periods", symbol="k", ge=1
    )
    terminate_on_collapse: bool = parameter(True, "does a collapse end the play")
    discount: float = parameter(1.0, "weight of the next period", symbol="delta", gt=0, le=1)
    observation: Literal["full", "local"] = parameter("full", "whose numbers a seat sees")
    neighbours: Literal["ring", "complete"] | tuple[tuple[int, int], ...] = parameter(
        "ring", "who sees whom under local observation: a name or a list of pairs of seats"
    )
    stock_noise: float = parameter(
        0.0, "standard deviation of the stock reading", unit="fish", symbol="sigma_R", ge=0, le=1e9
    )

    @field_validator("initial_stock", mode="after")
    @classmethod
    def _fill_initial_stock(cls, stock: float | None, info: ValidationInfo) -> float | None:
        return info.data.get("capacity") if stock is None else stock

    @field_validator("neighbours")
    @classmethod
    def _no_loops(cls, edges: Any) -> Any:
        for edge in () if isinstance(edges, str) else edges:
            if edge[0] == edge[1]:
                raise ValueError(f"pair {list(edge)}: a seat is no neighbour of itself")
        return edges

    @model_validator(mode="after")
    def _possible(self) -> CommonsCore:
        if self.initial_stock is not None and self.initial_stock > self.capacity:
            raise ValueError(
                f"initial_stock = {self.initial_stock}: at most the capacity, {self.capacity}"
            )
        if self.collapse_stock > self.capacity:
            raise ValueError(
                f"collapse_stock = {self.collapse_stock}: at most the capacity, {self.capacity}"
            )
        for edge in () if isinstance(self.neighbours, str) else self.neighbours:
            for seat in edge:
                if not 0 <= seat < self.seats:
                    raise ValueError(
                        f"neighbours = {list(edge)}: seat {seat} is not in 0 .. {self.seats - 1}"
                    )
        return self


def growth(core: CommonsCore, stock: Any) -> Any:
    """What grows back in a period in which the stock was `stock` before the harvest."""
    if core.growth == "linear":
        return core.growth_rate
    return core.growth_rate * stock * (1.0 - stock / core.capacity)


def neighbour_matrix(core: CommonsCore) -> Array:
    """(n, n) flags: row i sees seat j. Everybody sees itself; the graph is undirected."""
    n = core.seats
    seen = np.eye(n, dtype=bool)
    if core.observation == "full" or core.neighbours == "complete":
        return np.ones((n, n), dtype=bool)
    if core.neighbours == "ring":
        pairs = [(i, (i + 1) % n) for i in range(n)]
    else:
        pairs = [(i, j) for i, j in core.neighbours if not isinstance(i, str)]
    for i, j in pairs:
        seen[i, j] = seen[j, i] = True
    return seen


class CommonsGame(Game[CommonsCore]):
    """See the module's docstring."""

    id = "commons_game"
    version = "1"
    Core = CommonsCore
    archetypes: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "open_access": {},
        "governed": {"governance": "per_step", "pool_effect": 2.0},
        "governed_savings": {"governance": "accumulating"},
        "local_view": {"observation": "local", "neighbours": "ring"},
        "noisy_stock": {"stock_noise": 10.0},
        "lab": {"growth_rate": 0.4, "collapse_stock": 10.0},
    }

    @property
    def horizon(self) -> int:
        return self.core.periods

    def declare(self) -> Declaration:
        core, n = self.core, self.core.seats
        masked = core.observation == "local"
        who: Any = "private" if masked else "public"
        noisy = core.stock_noise > 0
        return Declaration(
            actions=(
                Field("harvest", "harvest requested", "fish", low=0.0, high=core.max_harvest),
                Field("contribution", "paid into the pool", "points", low=0.0),
            ),
            observations=(
                Field(
                    "stock",
                    "noisy reading of the stock" if noisy else "the stock",
                    "fish",
                    low=-np.inf if noisy else 0.0,
                    high=np.inf if noisy else core.capacity,
                    maskable=True,
                ),
                _seen("wealth", "points held by each seat", "points", n, who),
                _seen("harvest", "taken by each seat last period", "fish", n, who),
                _seen("contribution", "paid by each seat last period", "points", n, who),
                Field("pool", "the pool", "points", low=0.0, visibility=who, maskable=True),
            ),
            state=(
                Field("stock", "the stock", "fish", low=0.0, high=core.capacity),
                Field("wealth", "points held by each seat", "points", low=0.0, shape=(n,)),
                Field("pool", "the pool", "points", low=0.0),
                Field("harvest", "taken in the last period", "fish", low=0.0, shape=(n,)),
                Field("contribution", "paid in the last period", "points", low=0.0, shape=(n,)),
                Field("empty_periods", "periods at zero running", kind="whole", low=0),
                Field("collapsed", "has the stock ever collapsed", kind="flag", low=0, high=1),
            ),
            components=(
                Field("harvest", "harvest taken", "points", low=0.0, high=core.max_harvest),
                Field("contribution", "paid into the pool (negative)", "points", high=0.0),
            ),
            endings={"collapse": "failure"},
        )

    def draw(self, chance: Chance) -> Arrays:
        if self.core.stock_noise == 0.0:
            return {}
        return {"stock_noise": self.core.stock_noise * chance("stock_noise").normal()}

    def initial(self, chance: Arrays, batch: tuple[int, ...]) -> Arrays:
        core = self.core
        seats = (*batch, core.seats)
        return {
            "stock": np.full(batch, core.initial_stock, dtype=np.float64),
            "wealth": np.full(seats, core.initial_wealth, dtype=np.float64),
            "pool": np.zeros(batch),
            "harvest": np.zeros(seats),
            "contribution": np.zeros(seats),
            "empty_periods": np.zeros(batch, dtype=np.int64),
            "collapsed": np.zeros(batch, dtype=np.bool_),
        }

    def limits(self, state: Arrays) -> Mapping[str, tuple[Any, Any]]:
        held = 0.0 if self.core.governance == "none" else state["wealth"]
        return {"contribution": (0.0, held)}

    def transition(self, state: Arrays, used: Arrays, chance: Arrays) -> Arrays:
        core = self.core
        stock, paid = state["stock"], used["contribution"]
        requested = over_seats(used["harvest"])
        # R / max(H, R) is min(1, R / H) without a division by zero
        share = stock / np.maximum(np.maximum(requested, stock), _TINY)
        taken = share[..., None] * used["harvest"]
        pool = self._pool(state["pool"], paid)
        grown = stock - np.minimum(stock, requested) + growth(core, stock) + core.pool_effect * pool
        after = np.minimum(np.maximum(grown, 0.0), core.capacity)
        empty = np.where(after == 0.0, state["empty_periods"] + 1, 0)
        fell = (after < core.collapse_stock) | (empty >= core.collapse_zero_periods)
        return {
            "stock": after,
            "wealth": state["wealth"] + taken - paid,
            "pool": pool,
            "harvest": taken,
            "contribution": paid,
            "empty_periods": empty,
            "collapsed": state["collapsed"] | fell,
        }

    def _pool(self, pool: Array, paid: Array) -> Array:
        if self.core.governance == "none":
            return pool
        total = over_seats(paid)
        return total if self.core.governance == "per_step" else self.core.pool_decay * pool + total

    def reward(self, before: Arrays, used: Arrays, after: Arrays) -> Arrays:
        return {"harvest": after["harvest"], "contribution": 0.0 - after["contribution"]}

    def view(self, state: Arrays, chance: Arrays) -> Arrays:
        stock = state["stock"]
        if "stock_noise" in chance:
            stock = stock + chance["stock_noise"]
        seen = {name: state[name] for name in ("wealth", "harvest", "contribution")}
        if self.core.observation == "full":
            return {"stock": stock, **seen, "pool": state["pool"]}
        visible = neighbour_matrix(self.core)
        masked = {
            name: np.where(visible, value[..., None, :], np.nan) for name, value in seen.items()
        }
        alone = np.full(np.shape(state["wealth"]), np.nan)
        return {"stock": stock, **masked, "pool": alone}

    def ending(self, state: Arrays) -> Mapping[str, Array]:
        return {"collapse": state["collapsed"]} if self.core.terminate_on_collapse else {}

    def events(self, before: Arrays, used: Arrays, after: Arrays) -> list[dict[str, Any]]:
        if after["collapsed"] and not before["collapsed"]:
            return [{"event": "collapse", "stock": float(after["stock"])}]
        return []


def _seen(name: str, meaning: str, unit: str, n: int, who: Any) -> Field:
    return Field(name, meaning, unit, low=0.0, shape=(n,), visibility=who, maskable=True)


GAME = CommonsGame
