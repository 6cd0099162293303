from __future__ import annotations

import numpy as np

from bots.commons_game.reading import stock_seen
from mixed_company.engine.contract.config import Core
from mixed_company.engine.solutions.commons_game import best_group_plan
from mixed_company.policies.policy import Decided, Policy, Seats


class BestPlan(Policy):
    """Takes its share under the best group plan, or less if the stock is below the plan."""

    id = "best_plan"
    games = ("commons_game",)
    source = "mixed_company.engine.solutions.commons_game.best_group_plan"
    told_the_solution = True

    def __init__(self, rules: Core, **parameters: float) -> None:
        super().__init__(rules, **parameters)
        best_group_plan(self.rules)  # solve the plan now, so the first decision is not delayed

    def act_together(self, seats: Seats) -> Decided:
        plan, stock = best_group_plan(self.rules), stock_seen(seats, self.rules)
        planned = np.asarray(plan.stocks)[np.minimum(seats.period, len(plan.stocks) - 1)]
        enough = planned <= np.maximum(stock, 0.0)
        short = np.divide(stock, planned, out=np.ones(seats.count), where=~enough)
        return {
            "harvest": short * np.asarray(plan.requests)[seats.period] / self.rules.seats,
            "contribution": np.asarray(plan.contributions)[seats.period] / self.rules.seats,
        }, {}
