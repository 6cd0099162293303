"""Conditional cooperation: decisions are a linear function of the last actions, plus noise."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from scipy.special import log_ndtr

from mixed_company.analysis.behaviour.model import Model, Parameter
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.engine.contract.space import Array

INTERCEPT = Parameter("intercept", "b_0", "action if the others did nothing", "action")
SLOPE = Parameter("slope", "b_1", "change in the action per unit of the others' mean", start=0.5)
NOISE = Parameter(
    "noise", "s", "standard deviation of the errors", "action", low=1e-3, high=np.inf, start=0.3
)
INERTIA = Parameter(
    "inertia", "b_2", "change in the action per unit of the person's own last action"
)

_COLLINEAR = "the others' last actions and the person's own are collinear or constant"


class ConditionalCooperation(Model):
    """Conditional cooperation: decisions are linear in the others' last actions, plus noise.

    a*_t = b_0 + b_1 m_{t-1} + s e_t, e_t standard normal, a_t = min(max(a*_t, low_t), high_t)

    m is the mean of the others' actions as shown to the person. In the commons, m is their actual
    harvest, but a is the person's requested harvest. A desired action beyond the seat's bounds is
    observed at the bound (censored). With phi and Phi the density and distribution function of the
    standard normal, and z(x) = (x - b_0 - b_1 m) / s, an action between the bounds has density
    phi(z(a)) / s, the lower bound has probability Phi(z(low)) and the upper one 1 - Phi(z(high))
    (Tobin 1958). On a grid, an action has probability Phi(z(upper)) - Phi(z(lower)), covering all
    amounts that are nearest to it, including the bounds.
    """

    name = "conditional_cooperation"
    source = (
        "Fischbacher and Gaechter (2010), American Economic Review 100(1), 541-556; censored "
        "normal errors: Tobin (1958), Econometrica 26(1), 24-36"
    )
    formula = "a = intercept + slope * others' mean at t-1 + normal error, censored"
    parameters: ClassVar[tuple[Parameter, ...]] = (INTERCEPT, SLOPE, NOISE)
    amounts = True

    def columns(self, panel: Panel) -> Array:
        """Return the regressors, shape (D, k - 1): one column per parameter except the noise."""
        return np.column_stack([np.ones(len(panel)), panel.others])

    def wanted(self, values: Array, panel: Panel) -> Array:
        """Return the actions without noise and bounds, shape (D,)."""
        return np.asarray((self.columns(panel) * values[:-1]).sum(axis=1))

    def silent(self, panel: Panel) -> Array:
        reasons = super().silent(panel)
        hidden = (reasons == "") & np.isnan(panel.others)
        return np.where(hidden, "the others were not shown", reasons)

    def unfit(self, panel: Panel) -> str:
        reason = super().unfit(panel)
        columns = self.columns(panel)
        if not reason and np.linalg.matrix_rank(columns / panel.span, tol=1e-8) < columns.shape[1]:
            return "the others always did the same" if columns.shape[1] == 2 else _COLLINEAR
        return reason

    def log_likelihood(self, values: Array, panel: Panel) -> Array:
        if not panel.exact:
            rows = np.arange(len(panel))
            edges = panel.edges
            return self._between(
                values, panel, edges[rows, panel.chosen], edges[rows, panel.chosen + 1]
            )
        noise, desired = values[-1], self.wanted(values, panel)
        z = (panel.action - desired) / noise
        inside = -0.5 * z**2 - np.log(noise) - 0.5 * np.log(2 * np.pi)
        from_low = np.where(panel.action <= panel.low, log_ndtr(z), inside)
        return np.asarray(np.where(panel.action >= panel.high, log_ndtr(-z), from_low))

    def log_probabilities(self, values: Array, panel: Panel) -> Array:
        edges = panel.edges
        return self._between(values, panel, edges[:, :-1], edges[:, 1:])

    def _between(self, values: Array, panel: Panel, lower: Array, upper: Array) -> Array:
        """Return the log probability of an action between lower and upper."""
        desired = self.wanted(values, panel)
        if lower.ndim == 2:
            desired = desired[:, None]
        a, b = (lower - desired) / values[-1], (upper - desired) / values[-1]
        a, b = np.where(a > 0, -b, a), np.where(a > 0, -a, b)  # use the tail with exact logs
        with np.errstate(divide="ignore"):
            return np.asarray(log_ndtr(b) + np.log1p(-np.exp(log_ndtr(a) - log_ndtr(b))))

    def draw(self, values: Array, panel: Panel, rng: np.random.Generator) -> float:
        desired = self.wanted(values, panel)[-1] + values[-1] * rng.standard_normal()
        return float(min(max(desired, panel.low[-1]), panel.high[-1]))


class ConditionalCooperationInertia(ConditionalCooperation):
    """Conditional cooperation with inertia: decisions also depend on the person's last action.

    a*_t = b_0 + b_1 m_{t-1} + b_2 a_{t-1} + s e_t; otherwise as `conditional_cooperation`.
    a_{t-1} is the result of the person's last action: in the commons, the actual harvest, not the
    requested one.
    """

    name = "conditional_cooperation_inertia"
    formula = (
        "a = intercept + slope * others' mean at t-1 + inertia * own at t-1 + normal "
        "error, censored"
    )
    parameters = (INTERCEPT, SLOPE, INERTIA, NOISE)

    def columns(self, panel: Panel) -> Array:
        return np.column_stack([np.ones(len(panel)), panel.others, panel.own_action])
