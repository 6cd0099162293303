from __future__ import annotations

from mixed_company.policies.policy import Decided, Policy, Seats


class FreeRider(Policy):
    """Never contributes any points."""

    id = "free_rider"
    games = ("sanctions",)
    source = "Olson (1965), The Logic of Collective Action"

    def act_together(self, seats: Seats) -> Decided:
        return {"contribution": 0.0}, {}
