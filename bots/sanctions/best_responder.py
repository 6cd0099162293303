from __future__ import annotations

import numpy as np

from bots.sanctions.reading import others_as_shown
from mixed_company.engine.contract.space import Array
from mixed_company.engine.solutions.sanctions import best_response
from mixed_company.policies.policy import Decided, Policy, Seats


class BestResponder(Policy):
    """Maximises its private payoff, assuming that the others repeat their last contributions."""

    id = "best_responder"
    games = ("sanctions",)
    source = "Cournot (1838), Researches into the Mathematical Principles of the Theory of Wealth"

    def act_together(self, seats: Seats) -> Decided:
        others, seat = others_as_shown(seats, self.rules), seats.seat
        cases, which = np.unique(np.column_stack((seat, others)), axis=0, return_inverse=True)
        replies = [self._reply(int(case[0]), case[1:]) for case in cases]
        return {"contribution": np.array(replies)[which.ravel()]}, {}

    def _reply(self, seat: int, others: Array) -> float:
        weights = np.zeros(self.rules.seats)
        weights[seat] = 1.0
        return best_response(self.rules, others, seat, weights)
