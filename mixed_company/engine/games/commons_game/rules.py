"""The rules of the commons game; the package's docstring explains them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from mixed_company.engine.contract.arrays import over_seats
from mixed_company.engine.contract.chance import Chance
from mixed_company.engine.contract.declaration import EventKind
from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.game import Declaration, Game, Result
from mixed_company.engine.games.commons_game.core import (
    ARCHETYPES,
    SUPERSEDED,
    CommonsCore,
    growth,
    neighbour_matrix,
)

_GRAIN = 0.5
"""Step size of the controls on pages: half a fish or half a point."""

_ENOUGH = 3.0
"""Number of fish per seat and period above which controls move by whole fish and points.

Both the largest harvest and the best growth must reach this number.
"""

_TINY = np.finfo(np.float64).tiny
_ROUNDING = 1e-9
"""Tolerance in points that prevents a rounding error from eliminating a seat."""


class CommonsGame(Game[CommonsCore]):
    """The commons game. See the package's docstring."""

    id = "commons_game"
    version = "1"
    reference = "lab_0_7"
    Core = CommonsCore
    archetypes = ARCHETYPES
    superseded = SUPERSEDED
    may_drift = ("growth_rate",)
    holding = "wealth"
    lasting = ("wealth",)
    event_kinds: ClassVar[Mapping[str, EventKind]] = {
        "collapse": EventKind("the stock collapsed for the first time and is now `stock`")
    }

    @property
    def horizon(self) -> int:
        return self.core.periods

    def declare(self) -> Declaration:
        core, n = self.core, self.core.seats
        return Declaration(
            actions=self._actions(),
            observations=self._observations(),
            state=(
                Field("stock", "the stock", "fish", low=0.0, high=core.capacity),
                Field("wealth", "points each player has", "points", low=0.0, shape=(n,)),
                Field("pool", "the pool", "points", low=0.0),
                Field("harvest", "taken in the last period", "fish", low=0.0, shape=(n,)),
                Field("contribution", "paid in the last period", "points", low=0.0, shape=(n,)),
                Field("empty_periods", "periods in a row without fish", kind="whole", low=0),
                Field("collapsed", "whether the stock has collapsed", kind="flag", low=0, high=1),
            ),
            components=tuple(self._components()),
            endings=self._endings(),
            seat_endings={"bankrupt": "failure"} if core.living_cost > 0 else {},
        )

    def _actions(self) -> tuple[Field, ...]:
        core = self.core
        harvest = Field("harvest", "harvest requested", "fish", low=0.0, high=core.max_harvest)
        paid = Field("contribution", "paid into the pool", "points", low=0.0)
        grain = 1.0 if _has_enough(core) else _GRAIN
        reads = () if core.governance == "none" else ("wealth",)
        return replace(harvest, grain=grain), replace(paid, grain=grain, reads=reads)

    def _observations(self) -> tuple[Field, ...]:
        core, n = self.core, self.core.seats
        who: Any = "private" if core.observation == "local" else "public"
        noisy = core.stock_noise > 0
        return (
            Field(
                "stock",
                "estimate of the stock" if noisy else "the stock",
                "fish",
                low=-np.inf if noisy else 0.0,
                high=np.inf if noisy else core.capacity,
                maskable=True,
                reads=("stock", "stock_noise"),
            ),
            _seen("wealth", "points each player has", "points", n, who),
            _seen("harvest", "taken by each player last period", "fish", n, who),
            _seen("contribution", "paid by each player last period", "points", n, who),
            Field("pool", "the pool", "points", low=0.0, visibility=who, maskable=True),
        )

    def _components(self) -> Iterator[Field]:
        """Yield the components, with living costs and the recovery bonus only if they are set."""
        highest, lowest = self.core.max_harvest, 0.0 - self._most_paid
        taken = Field("harvest", "harvest taken", "points", low=0.0, high=highest)
        yield replace(taken, visibility="private", reads=("harvest",))
        yield Field("contribution", "paid into the pool (negative)", "points", low=lowest, high=0.0)
        cost, bonus = self.core.living_cost, self.core.recovery_bonus
        if cost > 0:
            yield Field(
                "living_cost", "paid as living costs (negative)", "points", low=-cost, high=0.0
            )
        if bonus > 0:
            yield Field("recovery_bonus", "for the recovery", "points", low=0.0, high=bonus)

    def _endings(self) -> dict[str, Result]:
        won: dict[str, Result] = {"recovery": "success"}
        return {"collapse": "failure", **({} if self.core.recovery_stock is None else won)}

    @property
    def _most_paid(self) -> float:
        """Largest possible wealth of a seat before the last period if there is a pool; else 0."""
        core = self.core
        if core.governance == "none":
            return 0.0
        gain = min(core.max_harvest, core.capacity) + self.shocks.get("wealth", 0.0)
        return core.initial_wealth + (core.periods - 1) * gain

    def most(self, field: Field) -> float:
        return self._most_paid if field.name == "contribution" else field.high

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
        if self.core.governance == "none":
            return {"contribution": (0.0, 0.0)}
        held = state["wealth"]
        if self.core.living_cost > 0 or self.peers is not None:
            held = np.maximum(held - self.core.living_cost, 0.0)
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
        grown = growth(core, stock, lost, self.now("growth_rate", state))
        left = stock - lost + grown + core.pool_effect * pool
        after = np.minimum(np.maximum(left, 0.0), core.capacity)
        return {
            "stock": after,
            "wealth": self._after_living(state, state["wealth"] + taken - paid),
            "pool": pool,
            "harvest": taken,
            "contribution": paid,
            **self._fallen(state, after),
        }

    def _after_living(self, state: Arrays, wealth: Array) -> Array:
        """Return the wealth after active seats have paid their living cost."""
        playing = self.playing(state) if self.core.living_cost else None
        if playing is None:
            return wealth
        return np.where(playing, np.maximum(wealth - self.core.living_cost, 0.0), wealth)

    def _fallen(self, before: Arrays, stock: Array) -> dict[str, Array]:
        """Return whether the stock has collapsed, given the new `stock`: step [10]."""
        empty = np.where(stock == 0.0, before["empty_periods"] + 1, 0)
        fell = (stock < self.core.collapse_stock) | (empty >= self.core.collapse_zero_periods)
        return {"empty_periods": empty, "collapsed": before["collapsed"] | fell}

    def repaired(self, before: Arrays, after: Arrays) -> Arrays:
        return self._fallen(before, after["stock"])

    def cooperation(self, before: Arrays, used: Arrays, after: Arrays) -> Array:
        return np.asarray(1.0 - used["harvest"] / self.core.max_harvest)

    def scaled(self, core: CommonsCore, factor: float) -> CommonsCore:
        return core  # the transition reads `externality` instead of a parameter

    def _pool(self, pool: Array, paid: Array) -> Array:
        if self.core.governance == "none":
            return pool
        total = over_seats(paid)
        return total if self.core.governance == "per_step" else self.core.pool_decay * pool + total

    def reward(self, before: Arrays, used: Arrays, after: Arrays) -> Arrays:
        parts = {"harvest": after["harvest"], "contribution": 0.0 - after["contribution"]}
        if self.core.living_cost > 0:
            parts["living_cost"] = np.full(np.shape(after["harvest"]), -self.core.living_cost)
        if self.core.recovery_bonus > 0:
            won = self._recovered(after)[..., None] & np.ones(self.seats, dtype=np.bool_)
            parts["recovery_bonus"] = np.where(won, self.core.recovery_bonus, 0.0)
        return parts

    def income(self, before: Arrays, used: Arrays, after: Arrays) -> Array:
        earned: Array = after["harvest"] - after["contribution"]
        playing = self.playing(before)
        if self.core.living_cost == 0 or playing is None:
            return earned
        return np.where(playing, earned - self.core.living_cost, 0.0)

    def _recovered(self, state: Arrays) -> Array:
        """Return whether the play is won; any shock has already happened."""
        return np.asarray(state["reason"] == 1 + self.reasons.index("recovery"))

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

    def in_view(self) -> Array | None:
        return neighbour_matrix(self.core)

    def ending(self, state: Arrays) -> Mapping[str, Array]:
        reasons = {"collapse": state["collapsed"]} if self.core.terminate_on_collapse else {}
        if self.core.recovery_stock is not None:
            reasons["recovery"] = state["stock"] >= self.core.recovery_stock
        return reasons

    def seat_ending(self, state: Arrays) -> Mapping[str, Array]:
        if self.core.living_cost == 0:
            return {}
        goes_on = state["period"] < self.horizon  # no living cost after the last period
        for over in self.ending(state).values():
            goes_on = goes_on & ~over
        return {"bankrupt": self.too_poor(state) & np.asarray(goes_on)[..., None]}

    def too_poor(self, state: Arrays) -> Array:
        """Return flags (n,) for the seats that hold less than another period's living cost."""
        return np.asarray(state["wealth"] < self.core.living_cost - _ROUNDING)

    def events(self, before: Arrays, used: Arrays, after: Arrays) -> list[dict[str, Any]]:
        if after["collapsed"] and not before["collapsed"]:
            return [{"event": "collapse", "stock": float(after["stock"])}]
        return []


def _has_enough(core: CommonsCore) -> bool:
    """Return whether there are so many fish that half a fish hardly matters."""
    spared = growth(core, core.capacity / 2) / core.seats
    return bool(min(core.max_harvest, spared) >= _ENOUGH)


def _seen(name: str, meaning: str, unit: str, n: int, who: Any) -> Field:
    return Field(name, meaning, unit, low=0.0, shape=(n,), visibility=who, maskable=True)
