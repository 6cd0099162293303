from __future__ import annotations

from bots.sanctions.reading import mean_trust_in_others, own_endowment
from mixed_company.policies.policy import Decided, Policy, Seats


class TrustFollower(Policy):
    """Contributes a share of its endowment equal to its mean trust in the others."""

    id = "trust_follower"
    games = ("sanctions",)
    source = "ours, after Berg, Dickhaut and McCabe (1995), Games and Economic Behavior 10(1)"

    def act_together(self, seats: Seats) -> Decided:
        trust = mean_trust_in_others(seats, self.rules)
        return {"contribution": trust * own_endowment(seats, self.rules)}, {}
