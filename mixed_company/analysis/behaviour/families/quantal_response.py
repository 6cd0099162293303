"""Prefers what earns more now, if the others do again what they did last, and errs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from mixed_company.analysis import games
from mixed_company.analysis.behaviour.model import Model, Parameter
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.analysis.behaviour.worth import expected_points, unkept
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game

__all__ = ["PRECISION", "QuantalResponse", "logit"]

PRECISION = Parameter(
    "precision",
    "lambda",
    "0: does anything; large: always what is worth most",
    "1/points",
    low=0.0,
    high=1e3,
    start=1.0,
)


def logit(worth: Array) -> Array:
    """(D, A) log of exp(worth) / sum of exp(worth); -inf where the worth is NaN."""
    worth = np.where(np.isnan(worth), -np.inf, worth).T.copy()  # (A, D): there are few actions
    worth -= worth.max(axis=0)
    worth -= np.log(np.exp(worth).sum(axis=0))
    return np.asarray(worth.T)


class QuantalResponse(Model):
    """Prefers what earns more now, if the others do again what they did last, and errs.

    P(a) = exp(lambda pi(a)) / sum over all actions a' of exp(lambda pi(a'))

    pi(a) are the points of one's own in this period alone (`analysis.behaviour.worth`): what an
    action does to later periods does not count, and the person is taken to know the state and the
    chances as the engine does, whatever was shown. This is the logit response of McKelvey and
    Palfrey to beliefs that are fixed (one step): the others are not taken to respond, so it is
    not their equilibrium.
    """

    name = "quantal_response"
    source = (
        "McKelvey and Palfrey (1995), Games and Economic Behavior 10(1), 6-38: their logit "
        "response, here to the belief that others repeat their last action"
    )
    formula = "P(a) proportional to exp(precision * expected points of a in this period)"
    parameters: ClassVar[tuple[Parameter, ...]] = (PRECISION,)

    @classmethod
    def applies(cls, game_id: str, field: str) -> bool:
        """Not where people walk: what a step earns shows only later."""
        return games.find(game_id).reach is None

    def refuses(self, game: Game[Any], field: str) -> str:
        temporal = game.config.layers.temporal
        if temporal.intensity and temporal.reward_delay:
            return "layers.temporal.reward_delay: what is earned with an action is paid later"
        return unkept(game)

    def prepared(self, panel: Panel) -> Panel:
        if "points" in panel.worths:
            return panel
        return replace(panel, worths={**panel.worths, "points": expected_points(panel)})

    def unfit(self, panel: Panel) -> str:
        worth = panel.worths["points"]
        if len(panel) and np.nanmax(np.nanmax(worth, axis=1) - np.nanmin(worth, axis=1)) < 1e-9:
            return "all actions are worth the same"
        return super().unfit(panel)

    def log_probabilities(self, values: Array, panel: Panel) -> Array:
        return logit(values[0] * panel.worths["points"])
