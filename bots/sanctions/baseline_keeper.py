from __future__ import annotations

from bots.sanctions.reading import own_baseline
from mixed_company.policies.policy import Decided, Policy, Seats


class BaselineKeeper(Policy):
    """Contributes its baseline every period."""

    id = "baseline_keeper"
    games = ("sanctions",)
    source = "the norm follower of Ostrom (2000), Journal of Economic Perspectives 14(3)"

    def act_together(self, seats: Seats) -> Decided:
        return {"contribution": own_baseline(seats, self.rules)}, {}
