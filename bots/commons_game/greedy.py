from __future__ import annotations

from mixed_company.policies.policy import Decided, Policy, Seats


class Greedy(Policy):
    """Always requests the maximum and never pays."""

    id = "greedy"
    games = ("commons_game",)
    source = "open access: Gordon (1954), Journal of Political Economy 62(2)"

    def act_together(self, seats: Seats) -> Decided:
        return {"harvest": self.rules.max_harvest, "contribution": 0.0}, {}
