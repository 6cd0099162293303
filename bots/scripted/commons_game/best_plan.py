from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy
from bots.scripted.commons_game.reading import stock_seen
from engine.contract.config import Core
from engine.solutions.commons_game import best_group_plan


class BestPlan(Policy):
    """Does its share of the best group plan, and less where the stock is below the plan."""

    id = "best_plan"
    games = ("commons_game",)
    source = "engine.solutions.commons_game.best_group_plan"
    told_the_solution = True

    def __init__(self, rules: Core, **parameters: float) -> None:
        super().__init__(rules, **parameters)
        best_group_plan(self.rules)  # solved when the seat is taken, not when the first turn comes

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        plan = best_group_plan(self.rules)
        period = int(observation["period"])
        planned = plan.stocks[min(period, len(plan.stocks) - 1)]
        short = min(1.0, stock_seen(observation, self.rules) / planned) if planned > 0 else 1.0
        return {
            "harvest": short * float(plan.requests[period]) / self.rules.seats,
            "contribution": float(plan.contributions[period]) / self.rules.seats,
        }, memory
