"""Upper bound on the group's points in the commons, computed without the engine.

The unknowns of a period are the group's request H, its payment C and the stock R left afterwards.
The rules become inequalities that every play satisfies (stock may be wasted, and requests are met
in full). Growth is concave, so this is a concave programme and its optimum bounds all plays.
Without discounting, a play that collapses early is no better than the same play started later. This
works only for logistic growth without discounting. Derivatives are written by hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize


class Relaxation:
    def __init__(self, core: Any) -> None:
        self.core, self.n = core, core.periods
        keep = {"none": 0.0, "per_step": 0.0, "accumulating": core.pool_decay}[core.governance]
        # pools[t, s]: share of a point paid in period s that is in the pool in period t.
        self.pools = np.array(
            [[keep ** (t - s) if t >= s else 0.0 for s in range(self.n)] for t in range(self.n)]
        )
        self.earlier = np.tril(np.ones((self.n, self.n)), -1)

    def slack(self, x: Any) -> Any:
        """Return the unused stock, the stock not requested and the wealth not paid. All must be at
        least 0.
        """
        requested, paid, left = x.reshape(3, self.n)
        core, before = self.core, self._before(left)
        grown = core.growth_rate * before * (1 - before / core.capacity)
        room = before - requested + grown + core.pool_effect * self.pools @ paid - left
        wealth = self.core.seats * core.initial_wealth + self.earlier @ (requested - paid)
        return np.concatenate([room, before - requested, wealth - paid])

    def slopes(self, x: Any) -> Any:
        core, n = self.core, self.n
        before = self._before(x.reshape(3, n)[2])
        shift, none, same = np.eye(n, k=-1), np.zeros((n, n)), np.eye(n)
        growing = 1 + core.growth_rate * (1 - 2 * before / core.capacity)
        return np.block(
            [
                [-same, core.pool_effect * self.pools, growing[:, None] * shift - same],
                [-same, none, shift],
                [self.earlier, -self.earlier - same, none],
            ]
        )

    def solve(self, generator: np.random.Generator) -> float:
        """Return the bound, optimised from a random starting point."""
        core, n = self.core, self.n
        limit = core.max_harvest * core.seats
        rich = 0.0 if core.governance == "none" else core.capacity
        lows = [core.collapse_stock] * (n - 1) + [0.0]
        bounds = [(0, limit)] * n + [(0, rich)] * n + [(low, core.capacity) for low in lows]
        start = [generator.uniform(low, high) for low, high in bounds]
        gain = np.concatenate([np.ones(n), -np.ones(n), np.zeros(n)])
        result = minimize(
            lambda x: -gain @ x,
            start,
            jac=lambda x: -gain,
            method="SLSQP",
            bounds=bounds,
            constraints={"type": "ineq", "fun": self.slack, "jac": self.slopes},
            options={"maxiter": 500, "ftol": 1e-9},
        )
        assert result.success, result.message
        assert self.slack(result.x).min() > -1e-6
        return float(gain @ result.x)

    def _before(self, left: Any) -> Any:
        return np.concatenate([[self.core.initial_stock], left[:-1]])
