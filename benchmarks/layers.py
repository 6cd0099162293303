"""Cost of the layer hooks when no layer is turned on.

    python -m benchmarks.layers

In one run, each game with all layers off alternates with the same game without the hooks for
layers, for seats that end early and for drift. Then the commons is measured with just one layer on.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.rates import compare
from mixed_company import engine
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.arrays import frozen, total
from mixed_company.engine.contract.chance import Chance
from mixed_company.engine.contract.declaration import Outcome
from mixed_company.engine.game import _choose
from mixed_company.engine.kit.plays import actions_for

BATCHES: tuple[tuple[int, ...], ...] = ((), (1024,))
ROUNDS = 31


class Bypassed:
    """Step without the hooks for layers, for seats that end early and for drift."""

    def draw_chance(self: Any, seed: Any, period: Any) -> Any:
        return self.draw(Chance(seed, period))

    def allowed(self: Any, state: Any) -> Allowed:
        shape = (*np.shape(state["period"]), self.seats)
        return Allowed(self.declaration.actions, shape, self.limits(state), self.barred)

    def playing(self: Any, state: Any) -> None:
        return None

    def now(self: Any, name: str, state: Any, axes: int = 0) -> Any:
        return getattr(self.core, name)

    def step(self: Any, state: Any, actions: Any, chance: Any, leaving: Any = None) -> Any:
        used = self.allowed(state).used(actions)
        after = dict(self.transition(state, used, chance))
        after["period"] = state["period"] + 1
        reason = np.asarray(after["period"] >= self.horizon).astype(np.int64)
        for name, where in self.ending(after).items():
            reason = np.where(where, 1 + self.reasons.index(name), reason)
        after["reason"] = reason
        components = dict(self.reward(state, used, after))
        if np.count_nonzero(state["reason"]):
            over = state["reason"] > 0
            after = {name: _choose(over, state[name], value) for name, value in after.items()}
            components = {n: np.where(over[..., None], 0.0, v) for n, v in components.items()}
        done = after["reason"] > 0
        return frozen(after), Outcome(
            observations=self.sight.observe(self.view(after, chance), after),
            rewards=total(components),
            components=components,
            used=used,
            seat_done=done[..., None] | self._nobody,
            done=done,
            reason=after["reason"],
        )


def bypassed(kind: type[Any]) -> type[Any]:
    """Return the class of a game without the hooks."""
    return type(kind.__name__, (Bypassed, kind), {})


def rate(game: Any, batch: tuple[int, ...], steps: int) -> float:
    """Return the steps per CPU second over all plays. Steps include random draws and
    observations."""
    seeds = np.arange(batch[0]) if batch else 0
    state, _ = game.reset(seeds)
    actions = actions_for(game, state, 1, 0)
    started = time.process_time()
    for period in range(steps):
        state, _ = game.step(state, actions, game.draw_chance(seeds, period))
    return steps * (batch[0] if batch else 1) / (time.process_time() - started)


def ratio(game: str, batch: tuple[int, ...], steps: int) -> float:
    """Return the best rate with the hooks, relative to the best rate without; 1 means no cost.

    It compares the best rounds, because other work on the machine can only slow a round down.
    """
    game_class = engine.find(game)
    length: dict[str, Any] = {
        "turns" if "turns" in game_class.Core.model_fields else "periods": 10_000
    }
    pair = [engine.make(variant, **length) for variant in (game_class, bypassed(game_class))]
    best = [0.0, 0.0]
    for turn in range(ROUNDS):
        for which in (0, 1) if turn % 2 else (1, 0):
            best[which] = max(best[which], rate(pair[which], batch, steps))
    return best[0] / best[1]


def main() -> None:
    print("all layers at 0, as a share of the rate with their hooks bypassed")
    for game in engine.game_ids():
        for batch in BATCHES:
            steps = 300 if not batch else 6
            name = f"{game}, {batch[0] if batch else 'one'} play{'s' if batch else ''}"
            print(f"{name:36s}{ratio(game, batch, steps):8.3f}")
    print()
    ones: dict[str, dict[str, Any]] = {
        "no layer": {},
        "power": {"limits": {"member": {"harvest": 5.0}}},
        "uncertainty": {"shocks": {"stock": 1.0}},
        "incentives": {"fee": {"harvest": 0.5}},
        "interaction": {"share": 0.5},
        "temporal": {"reward_delay": 2, "reputation_window": 5},
        "hierarchy": {"groups": [0, 1, 0, 1]},
        "information": {"noise": {"stock": 1.0}, "delay": {"stock": 2}, "graph": "ring"},
    }
    games = {
        name: engine.make(
            "commons_game",
            periods=10_000,
            layers={name: {"intensity": 1, **section}} if section else {},
        )
        for name, section in ones.items()
    }
    for batch, steps in (((), 500), ((1024,), 20)):
        rows: dict[str, Callable[[], float]] = {
            f"{name}, {batch[0] if batch else 'one'} play{'s' if batch else ''}": (
                partial(rate, game, batch, steps)
            )
            for name, game in games.items()
        }
        compare(rows, "no layer")


if __name__ == "__main__":
    main()
