"""Does again what has paid: learns what each action is worth from the points earned with it."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from mixed_company.analysis.behaviour.families.quantal_response import PRECISION, logit
from mixed_company.analysis.behaviour.model import Model, Parameter
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.engine.contract.space import Array

__all__ = ["ReinforcementLearning"]

RATE = Parameter(
    "learning_rate",
    "alpha",
    "weight of the last points in what an action is taken to be worth",
    low=0.0,
    high=1.0,
    start=0.3,
)


class ReinforcementLearning(Model):
    """Does again what has paid: learns what each action is worth from the points earned with it.

    P_t(a) = exp(lambda Q_t(a)) / sum over all actions a' of exp(lambda Q_t(a'))
    Q_{t+1}(a_t) = Q_t(a_t) + alpha (points_t - Q_t(a_t)); all other actions stay as they are

    Q starts for all actions at the points of the person's first decision, which is not explained
    itself. There is no state: an action is its place on the grid. It is learned from the periods in
    which the person decided, and from what was earned on the seat in them, whatever the cause.
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
        """What was learned, NaN where there is no action; kept, since a search tries several
        precisions with the same rate."""
        if self._last is None or self._last[0] != rate or self._last[1] is not panel:
            learned = self._learned(rate, panel)
            learned = np.where(np.isfinite(panel.actions), learned, np.nan)
            self._last = rate, panel, learned
        return self._last[2]

    def _learned(self, rate: float, panel: Panel) -> Array:
        """(D, A) what each action is taken to be worth before each decision, less its start.

        The recursion written out: points x_s of an earlier decision s for the same action still
        weigh alpha (1 - alpha)^v, where v is how often the action was done again since.
        """
        past = panel.past
        weights = rate * (1.0 - rate) ** np.arange(past.most + 1)
        parts = weights[past.again] * past.points
        size = panel.actions.size
        return np.bincount(past.place, parts, size).reshape(panel.actions.shape)
