from __future__ import annotations

from mixed_company.policies.policy import Decided, Policy, Seats


class Random(Policy):
    """Requests a random amount and pays a random fraction of it; both are uniformly distributed."""

    id = "random"
    games = ("commons_game",)
    version = "2"
    source = "zero intelligence: Gode and Sunder (1993), Journal of Political Economy 101(1)"

    def act_together(self, seats: Seats) -> Decided:
        harvest = seats.draws.uniform(0.0, self.rules.max_harvest)
        return {"harvest": harvest, "contribution": seats.draws.uniform(0.0, harvest)}, {}
