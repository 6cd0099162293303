"""The rules of the commons game; the package's docstring explains them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from engine.contract.arrays import over_seats
from engine.contract.chance import Chance
from engine.contract.space import Array, Arrays, Field
from engine.game import Declaration, Game
from engine.games.commons_game.core import CommonsCore, growth, neighbour_matrix

__all__ = ["CommonsGame"]

_TINY = np.finfo(np.float64).tiny


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
    may_drift = ("growth_rate",)

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
        lost = np.minimum(stock, requested)
        if self.externality != 1.0:
            lost = lost * self.externality
        grown = growth(core, stock, self.now("growth_rate", state))
        left = stock - lost + grown + core.pool_effect * pool
        after = np.minimum(np.maximum(left, 0.0), core.capacity)
        return {
            "stock": after,
            "wealth": state["wealth"] + taken - paid,
            "pool": pool,
            "harvest": taken,
            "contribution": paid,
            **self._fallen(state, after),
        }

    def _fallen(self, before: Arrays, stock: Array) -> dict[str, Array]:
        """Step [10]: has the stock collapsed, now that it is `stock`."""
        empty = np.where(stock == 0.0, before["empty_periods"] + 1, 0)
        fell = (stock < self.core.collapse_stock) | (empty >= self.core.collapse_zero_periods)
        return {"empty_periods": empty, "collapsed": before["collapsed"] | fell}

    def repaired(self, before: Arrays, after: Arrays) -> Arrays:
        return self._fallen(before, after["stock"])

    def cooperation(self, before: Arrays, used: Arrays, after: Arrays) -> Array:
        return np.asarray(1.0 - used["harvest"] / self.core.max_harvest)

    def scaled(self, core: CommonsCore, factor: float) -> CommonsCore:
        return core  # the transition reads `externality`: there is no parameter for it

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
