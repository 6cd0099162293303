"""The best group plan where growth is exponential: leave what fills the lake, and take the rest.

Of stock R the harvest leaves e, which grows to min(K, (1 + gamma) e). With discount delta, a fish
that is left is worth delta (1 + gamma) fish, until e = K / (1 + gamma), beyond which it is lost. If
that is more than 1, this e is best as long as there are so many; less is worth leaving whole. Else
all is taken at once. By induction over the periods, no play of T periods is worth more than

    R_0 + sum over t < T - 1 of delta^t max(0, delta K - K / (1 + gamma)),

which the plan earns if the stock begins high enough and all of it may be asked for. GovSim: 100 +
11 * (100 - 50) = 650.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mixed_company.engine.games.commons_game import CommonsCore
from mixed_company.engine.solutions.commons_game.path import Path, path

__all__ = ["best_escapement"]


def best_escapement(core: CommonsCore, most: float) -> Path:
    """The plan of a group whose seats may ask for `most` fish together."""
    pays = core.discount * (1.0 + core.growth_rate) > 1.0
    left = core.capacity / (1.0 + core.growth_rate) if pays else 0.0

    def decide(t: int, stock: float, _held: float, _pool: float) -> tuple[float, float]:
        spare = stock if t == core.periods - 1 else max(stock - left, 0.0)
        return min(spare, most), 0.0

    none = np.zeros(core.periods)
    plan = path(core, core.seats, decide, none, none)
    return replace(plan, error=max(_bound(core) - plan.value, 0.0))


def _bound(core: CommonsCore) -> float:
    """See the module's docstring."""
    gain = core.discount * core.capacity - core.capacity / (1.0 + core.growth_rate)
    weights = core.discount ** np.arange(core.periods - 1)
    return float(core.initial_stock or 0.0) + float(weights.sum()) * max(gain, 0.0)
