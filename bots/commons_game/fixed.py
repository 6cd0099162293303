from __future__ import annotations

from mixed_company.policies.policy import Decided, Policy, Range, Seats


class Fixed(Policy):
    """Requests and pays the same amounts every period: 2 and 0 by default."""

    id = "fixed"
    games = ("commons_game",)
    source = "ours"
    parameters = {"harvest": Range(2.0, 0.0, 1e9), "contribution": Range(0.0, 0.0, 1e9)}

    def act_together(self, seats: Seats) -> Decided:
        return {
            "harvest": self.settings["harvest"],
            "contribution": self.settings["contribution"],
        }, {}
