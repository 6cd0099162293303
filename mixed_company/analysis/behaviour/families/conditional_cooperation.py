"""Does as the others did, and perhaps as before: a straight line, with noise."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from scipy.special import log_ndtr

from mixed_company.analysis.behaviour.model import Model, Parameter
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.engine.contract.space import Array

__all__ = ["ConditionalCooperation", "ConditionalCooperationInertia"]

INTERCEPT = Parameter("intercept", "b_0", "action where the others did nothing", "action")
SLOPE = Parameter("slope", "b_1", "change of the action per unit the others did", start=0.5)
NOISE = Parameter(
    "noise", "s", "standard deviation of the errors", "action", low=1e-3, high=np.inf, start=0.3
)
INERTIA = Parameter("inertia", "b_2", "change of the action per unit of one's own last action")

_COLLINEAR = "what the others and the person did last cannot be told apart, or never changed"


class ConditionalCooperation(Model):
    """Does as the others did: a straight line of what they did last, with noise.

    a*_t = b_0 + b_1 m_{t-1} + s e_t, e_t standard normal, a_t = min(max(a*_t, low_t), high_t)

    m is the mean of what the others were seen to have done: in the commons what they took, while a
    is what is requested. What somebody wants beyond the ends of what the seat can do is seen as the
    end (censored). With phi and Phi of the standard normal and z(x) = (x - b_0 - b_1 m) / s, an
    action between the ends has density phi(z(a)) / s, one at the low end chance Phi(z(low)), one at
    the high end 1 - Phi(z(high)) (Tobin 1958). On a grid an action has the chance Phi(z(upper)) -
    Phi(z(lower)) of all that is nearest to it, which holds the ends as well.
    """

    name = "conditional_cooperation"
    source = (
        "Fischbacher and Gaechter (2010), American Economic Review 100(1), 541-556; censored "
        "normal errors: Tobin (1958), Econometrica 26(1), 24-36"
    )
    formula = "a = intercept + slope * mean of the others at t-1 + normal error, cut at the ends"
    parameters: ClassVar[tuple[Parameter, ...]] = (INTERCEPT, SLOPE, NOISE)
    amounts = True

    def columns(self, panel: Panel) -> Array:
        """(D, k - 1) what the line is of: one column per parameter but the noise."""
        return np.column_stack([np.ones(len(panel)), panel.others])

    def wanted(self, values: Array, panel: Panel) -> Array:
        """(D,) the action without noise and ends."""
        return np.asarray((self.columns(panel) * values[:-1]).sum(axis=1))

    def silent(self, panel: Panel) -> Array:
        why = super().silent(panel)
        return np.where((why == "") & np.isnan(panel.others), "the others were not shown", why)

    def unfit(self, panel: Panel) -> str:
        why = super().unfit(panel)
        columns = self.columns(panel)
        if not why and np.linalg.matrix_rank(columns / panel.span, tol=1e-8) < columns.shape[1]:
            return "the others always did the same" if columns.shape[1] == 2 else _COLLINEAR
        return why

    def log_likelihood(self, values: Array, panel: Panel) -> Array:
        if not panel.exact:
            rows = np.arange(len(panel))
            edges = panel.edges
            return self._between(
                values, panel, edges[rows, panel.chosen], edges[rows, panel.chosen + 1]
            )
        noise, wanted = values[-1], self.wanted(values, panel)
        z = (panel.action - wanted) / noise
        inside = -0.5 * z**2 - np.log(noise) - 0.5 * np.log(2 * np.pi)
        from_low = np.where(panel.action <= panel.low, log_ndtr(z), inside)
        return np.asarray(np.where(panel.action >= panel.high, log_ndtr(-z), from_low))

    def log_probabilities(self, values: Array, panel: Panel) -> Array:
        edges = panel.edges
        return self._between(values, panel, edges[:, :-1], edges[:, 1:])

    def _between(self, values: Array, panel: Panel, lower: Array, upper: Array) -> Array:
        """Log chance of an action from lower to upper."""
        wanted = self.wanted(values, panel)
        if lower.ndim == 2:
            wanted = wanted[:, None]
        a, b = (lower - wanted) / values[-1], (upper - wanted) / values[-1]
        a, b = np.where(a > 0, -b, a), np.where(a > 0, -a, b)  # the tail where logs are exact
        with np.errstate(divide="ignore"):
            return np.asarray(log_ndtr(b) + np.log1p(-np.exp(log_ndtr(a) - log_ndtr(b))))

    def draw(self, values: Array, panel: Panel, rng: np.random.Generator) -> float:
        wanted = self.wanted(values, panel)[-1] + values[-1] * rng.standard_normal()
        return float(min(max(wanted, panel.low[-1]), panel.high[-1]))


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
