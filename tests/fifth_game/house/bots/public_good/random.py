from __future__ import annotations

from mixed_company.policies.policy import Decided, Policy, Seats


class Random(Policy):
    """Gives any number of points, all equally likely."""

    id = "random"
    games = ("public_good",)
    source = "zero intelligence: Gode and Sunder (1993), Journal of Political Economy 101(1)"

    def act_together(self, seats: Seats) -> Decided:
        return {"contribution": seats.draws.integers(self.rules.endowment + 1)}, {}
