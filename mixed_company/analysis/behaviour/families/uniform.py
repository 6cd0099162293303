"""Uniform choice: every action on the grid has the same probability."""

from __future__ import annotations

import numpy as np

from mixed_company.analysis.behaviour.model import Model
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.engine.contract.space import Array


class Uniform(Model):
    """Uniform choice: every action on the grid has the same probability.

    P(a) = 1 / A, with A possible actions. This is the baseline of all models.
    """

    name = "uniform"
    source = "a baseline without parameters"
    formula = "P(a) = 1 / number of actions"
    parameters = ()

    def unfit(self, panel: Panel) -> str:
        return "" if len(panel) else "no decisions"

    def log_probabilities(self, values: Array, panel: Panel) -> Array:
        possible = np.isfinite(panel.actions)
        count = possible.sum(axis=1, keepdims=True)
        return np.where(possible, -np.log(count), -np.inf)
