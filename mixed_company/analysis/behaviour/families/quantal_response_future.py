"""Prefers what earns more, now and by the stock that is left for later, and errs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mixed_company.analysis import games
from mixed_company.analysis.behaviour.families.quantal_response import (
    PRECISION,
    QuantalResponse,
    logit,
)
from mixed_company.analysis.behaviour.model import Parameter
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.analysis.behaviour.worth import future_points
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game

__all__ = ["QuantalResponseFuture"]

FUTURE = Parameter(
    "future",
    "w",
    "weight of a point the group can still earn; 0: only now counts",
    low=0.0,
    high=10.0,
    start=0.5,
)


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
