"""Does as the others did and as before: a line of both, with noise."""

from __future__ import annotations

import numpy as np

from mixed_company.analysis.behaviour.families.conditional_cooperation import (
    INTERCEPT,
    NOISE,
    SLOPE,
    ConditionalCooperation,
)
from mixed_company.analysis.behaviour.model import Parameter
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.engine.contract.space import Array

__all__ = ["ConditionalCooperationInertia"]

INERTIA = Parameter("inertia", "b_2", "change of the action per unit of one's own last action")


class ConditionalCooperationInertia(ConditionalCooperation):
    """Does as the others did and as before: a line of both, with noise.

    a*_t = b_0 + b_1 m_{t-1} + b_2 a_{t-1} + s e_t; all else as in `conditional_cooperation`.
    a_{t-1} is what came of one's own last action: in the commons what was taken, not requested.
    """

    name = "conditional_cooperation_inertia"
    formula = (
        "a = intercept + slope * mean of the others at t-1 + inertia * own at t-1 + normal "
        "error, cut at the ends"
    )
    parameters = (INTERCEPT, SLOPE, INERTIA, NOISE)

    def columns(self, panel: Panel) -> Array:
        return np.column_stack([np.ones(len(panel)), panel.others, panel.own])
