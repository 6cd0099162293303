"""Reinforcement learning: people learn the value of each action from the points it earned."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from mixed_company.analysis.behaviour.families.quantal_response import PRECISION, logit
from mixed_company.analysis.behaviour.model import Model, Parameter
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.engine.contract.space import Array

RATE = Parameter(
    "learning_rate",
    "alpha",
    "weight of the latest points in an action's learned value",
    low=0.0,
    high=1.0,
    start=0.3,
)


class ReinforcementLearning(Model):
    """Reinforcement learning: people learn the value of each action from the points it earned.

    P_t(a) = exp(lambda Q_t(a)) / sum over all actions a' of exp(lambda Q_t(a'))
    Q_{t+1}(a_t) = Q_t(a_t) + alpha (points_t - Q_t(a_t)); Q of all other actions is unchanged

    For all actions, Q starts at the points from the person's first decision, which the model does
    not explain. There is no state; an action is identified by its position on the grid. The person
    learns only in periods with a decision, from all points that the seat earned in these
    periods, whatever their cause.
    """

    name = "reinforcement_learning"
    source = (
        "Erev and Roth (1998), American Economic Review 88(4), 848-881, in the form of Sutton and "
        "Barto (2018), Reinforcement Learning, 2nd ed., eq. 2.5 (constant step) and 2.11 (soft-max)"
    )
    formula = (
        "P(a) proportional to exp(precision * Q(a)); Q(done) += learning_rate * (points - Q(done))"
    )
    parameters: ClassVar[tuple[Parameter, ...]] = (PRECISION, RATE)
    remembers = True

    def __init__(self) -> None:
        self._last: tuple[float, Panel, Array] | None = None

    def log_probabilities(self, values: Array, panel: Panel) -> Array:
        return logit(values[0] * self._kept(float(values[1]), panel))

    def _kept(self, rate: float, panel: Panel) -> Array:
        """Return the learned worth of each action; NaN for missing actions. The last result is
        cached, because a search tries several precisions with the same learning rate."""
        if self._last is None or self._last[0] != rate or self._last[1] is not panel:
            learned = self._learned(rate, panel)
            learned = np.where(np.isfinite(panel.actions), learned, np.nan)
            self._last = rate, panel, learned
        return self._last[2]

    def _learned(self, rate: float, panel: Panel) -> Array:
        """Return the learned worth of each action before each decision, minus its initial value,
        shape (D, A).

        This is the closed form of the recursion. The points x_s of an earlier decision s for the
        same action have weight alpha (1 - alpha)^v, where v is the number of times the action was
        repeated since.
        """
        past = panel.past
        weights = rate * (1.0 - rate) ** np.arange(past.largest + 1)
        parts = weights[past.again] * past.points
        size = panel.actions.size
        return np.bincount(past.place, parts, size).reshape(panel.actions.shape)
