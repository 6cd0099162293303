"""Does anything: every action of the grid has the same chance."""

from __future__ import annotations

import numpy as np

from mixed_company.analysis.behaviour.model import Model
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.engine.contract.space import Array

__all__ = ["Uniform"]


class Uniform(Model):
    """Does anything: every action of the grid has the same chance.

    P(a) = 1 / A, for the A actions there are. What a model has to be better than.
    """

    name = "uniform"
    source = "a baseline without parameters"
    formula = "P(a) = 1 / number of actions"
    parameters = ()

    def unfit(self, panel: Panel) -> str:
        return "" if len(panel) else "no decisions"

    def log_probabilities(self, values: Array, panel: Panel) -> Array:
        there = np.isfinite(panel.actions)
        count = there.sum(axis=1, keepdims=True)
        return np.where(there, -np.log(count), -np.inf)
