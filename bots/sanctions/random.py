from __future__ import annotations

from bots.sanctions.reading import own_endowment
from mixed_company.policies.policy import Decided, Policy, Seats


class Random(Policy):
    """Contributes a random, uniformly distributed fraction of its endowment."""

    id = "random"
    games = ("sanctions",)
    version = "2"
    source = "zero intelligence: Gode and Sunder (1993), Journal of Political Economy 101(1)"

    def act_together(self, seats: Seats) -> Decided:
        endowment = own_endowment(seats, self.rules)
        return {"contribution": seats.draws.uniform(0.0, endowment)}, {}
