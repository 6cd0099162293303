"""Quantal response to points in this period, to future points, or to points within reach."""

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

PRECISION = Parameter(
    "precision",
    "lambda",
    "0: uniform choice; large: always the best action",
    "1/points",
    low=0.0,
    high=1e3,
    start=1.0,
)

FUTURE = Parameter(
    "future",
    "w",
    "weight of a point that the group can still earn; 0: only this period matters",
    low=0.0,
    high=10.0,
    start=0.5,
)

VOTING = Parameter("voting", "v", "log odds of voting instead of standing still", start=-1.0)


def logit(worth: Array) -> Array:
    """Return log(exp(worth) / sum of exp(worth)), shape (D, A); -inf where the worth is NaN."""
    worth = np.where(np.isnan(worth), -np.inf, worth).T.copy()  # (A, D), because A is small
    worth -= worth.max(axis=0)
    worth -= np.log(np.exp(worth).sum(axis=0))
    return np.asarray(worth.T)


class QuantalResponse(Model):
    """Noisy preference for points in this period, expecting others to repeat their last actions.

    P(a) = exp(lambda pi(a)) / sum over all actions a' of exp(lambda pi(a'))

    pi(a) are the person's points in this period only (`analysis.behaviour.worth`). Effects on later
    periods are ignored, and the person is assumed to know the true state and probabilities,
    whatever the page showed. This is McKelvey and Palfrey's logit response to fixed beliefs (one
    step). It is not their equilibrium, because the others do not respond to the person.
    """

    name = "quantal_response"
    source = (
        "McKelvey and Palfrey (1995), Games and Economic Behavior 10(1), 6-38: their logit "
        "response, here to the belief that the others repeat their last action"
    )
    formula = "P(a) proportional to exp(precision * expected points of a in this period)"
    parameters: ClassVar[tuple[Parameter, ...]] = (PRECISION,)

    @classmethod
    def applies(cls, game_id: str, field: str) -> bool:
        """Return whether actions earn points immediately, unlike steps on a map."""
        return games.find(game_id).reach is None

    def refuses(self, game: Game[Any], field: str) -> str:
        temporal = game.config.layers.temporal
        if temporal.intensity and temporal.reward_delay:
            return "layers.temporal.reward_delay: an action's points are paid later"
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
    """Noisy preference for points in this period and for the value of the remaining stock.

    P(a) proportional to exp(lambda (pi(a) + w V_{t+1}(R_{t+1}(a)) / n))

    As `quantal_response`, plus the value of the stock. The stock's value to a person is an equal
    share of the most that the group can earn from it in the remaining periods, if from then on
    everyone harvests the same amount and that amount is optimal for the group. With w = 1, a person
    plans as if the group will do this; with w = 0, the stock is worth nothing.
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
    """Noisy preference for steps towards more points per step, and occasional votes.

    P(a) proportional to exp(lambda w(a) + v [a is a vote])

    w(a) is the highest number of points per step over all cells in view, if a is the first step. A
    cell's points, minus the punishment expected at the current level, are divided by its distance
    in steps, ignoring obstacles. w(a) is 0 for a vote, for standing still and for a blocked step.
    The model ignores cells out of view, competition from others and the effect of a vote on the
    level.
    """

    name = "quantal_response_reach"
    source = (
        "McKelvey and Palfrey (1995), Games and Economic Behavior 10(1), 6-38: their logit "
        "response; our definition of the value of a step follows Charnov (1976), Theoretical "
        "Population Biology 9(2): points per time"
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
    """Return the points per step, and flags of votes, shape (D, A) each."""
    worth, votes = np.zeros((2, *panel.actions.shape))
    for game, rows in panel.by_game():
        reach = games.find(game.id).reach
        if reach is None or reach.refuses(game):
            continue
        states, seats = panel.take(rows).states()
        worth[rows], votes[rows] = reach.worth(game, states, seats), reach.votes(game)
    return worth, votes
