"""Prefers what earns more, and errs: now, by the future, or by what is in reach."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from mixed_company.analysis import games
from mixed_company.analysis.behaviour.model import Model, Parameter
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.analysis.behaviour.worth import expected_points, future_points, unkept
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game

__all__ = [
    "PRECISION",
    "QuantalResponse",
    "QuantalResponseFuture",
    "QuantalResponseReach",
    "logit",
]

PRECISION = Parameter(
    "precision",
    "lambda",
    "0: does anything; large: always what is worth most",
    "1/points",
    low=0.0,
    high=1e3,
    start=1.0,
)

FUTURE = Parameter(
    "future",
    "w",
    "weight of a point the group can still earn; 0: only now counts",
    low=0.0,
    high=10.0,
    start=0.5,
)

VOTING = Parameter("voting", "v", "log odds of a vote against standing still", start=-1.0)


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


class QuantalResponseFuture(QuantalResponse):
    """Prefers what earns more, now and by the stock that is left for later, and errs.

    P(a) proportional to exp(lambda (pi(a) + w V_{t+1}(R_{t+1}(a)) / n))

    As `quantal_response`, with a worth of the stock: an equal share of the most the group can earn
    with it in the periods left, if from then on all harvest alike and as is best for the group.
    With w = 1 somebody plans as if that will happen; with 0 nothing is left for later.
    """

    name = "quantal_response_future"
    formula = (
        "P(a) proportional to exp(precision * (expected points of a + future * equal share of the "
        "most the group can still earn))"
    )
    parameters = (PRECISION, FUTURE)

    @classmethod
    def applies(cls, game_id: str, field: str) -> bool:
        future = games.find(game_id).future
        return future is not None and future.field == field

    def refuses(self, game: Game[Any], field: str) -> str:
        future = games.find(game.id).future
        return (future.refuses(game) if future else "") or super().refuses(game, field)

    def prepared(self, panel: Panel) -> Panel:
        panel = super().prepared(panel)
        if "future" in panel.worths:
            return panel
        return replace(panel, worths={**panel.worths, "future": future_points(panel)})

    def log_probabilities(self, values: Array, panel: Panel) -> Array:
        worth = panel.worths["points"] + values[1] * panel.worths["future"]
        return logit(values[0] * worth)


class QuantalResponseReach(Model):
    """Prefers to step where more can be collected per step, votes at times, and errs.

    P(a) proportional to exp(lambda w(a) + v [a is a vote])

    w(a) is the most points per step of all cells in view, if a is the first step: the points of a
    cell, less the punishment to be expected at the level now, by the steps there as the crow walks;
    0 for a vote, for standing still and for a step that leads nowhere. What is out of view, what
    others will take first and what a vote does to the level do not count.
    """

    name = "quantal_response_reach"
    source = (
        "McKelvey and Palfrey (1995), Games and Economic Behavior 10(1), 6-38: their logit "
        "response; the worth of a step is ours, after Charnov (1976), Theoretical Population "
        "Biology 9(2): points per time"
    )
    formula = "P(a) proportional to exp(precision * points per step of a + voting, if a is a vote)"
    parameters: ClassVar[tuple[Parameter, ...]] = (PRECISION, VOTING)

    @classmethod
    def applies(cls, game_id: str, field: str) -> bool:
        reach = games.find(game_id).reach
        return reach is not None and reach.field == field

    def refuses(self, game: Game[Any], field: str) -> str:
        reach = games.find(game.id).reach
        return reach.refuses(game) if reach else ""

    def prepared(self, panel: Panel) -> Panel:
        if "reach" in panel.worths:
            return panel
        reach, votes = _reached(panel)
        reach = np.where(np.isfinite(panel.actions), reach, np.nan)
        return replace(panel, worths={**panel.worths, "reach": reach, "votes": votes})

    def log_probabilities(self, values: Array, panel: Panel) -> Array:
        return logit(values[0] * panel.worths["reach"] + values[1] * panel.worths["votes"])


def _reached(panel: Panel) -> tuple[Array, Array]:
    """(D, A) points per step and flags of votes; of many decisions under one game in one call."""
    worth, votes = np.zeros((2, *panel.actions.shape))
    for game, rows in panel.by_game():
        reach = games.find(game.id).reach
        if reach is None or reach.refuses(game):
            continue
        states, seats = panel.take(rows).states()
        worth[rows], votes[rows] = reach.worth(game, states, seats), reach.votes(game)
    return worth, votes
