"""Prefers to step where more can be collected per step, votes at times, and errs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from mixed_company.analysis import games
from mixed_company.analysis.behaviour.families.quantal_response import PRECISION, logit
from mixed_company.analysis.behaviour.model import Model, Parameter
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game

__all__ = ["QuantalResponseReach"]

VOTING = Parameter("voting", "v", "log odds of a vote against standing still", start=-1.0)


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
    worth, votes = np.zeros(panel.actions.shape), np.zeros(panel.actions.shape)
    own = np.array([id(situation.game) for situation in panel.faced])
    for key, game in {id(situation.game): situation.game for situation in panel.faced}.items():
        reach, rows = games.find(game.id).reach, np.flatnonzero(own == key)
        if reach is None or reach.refuses(game):
            continue
        some = [panel.faced[row] for row in rows.tolist()]
        states = {
            name: np.stack([situation.state[name] for situation in some]) for name in some[0].state
        }
        seats = np.array([situation.seat for situation in some])
        worth[rows], votes[rows] = reach.worth(game, states, seats), reach.votes(game)
    return worth, votes
