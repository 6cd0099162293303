from __future__ import annotations

from bots.commons_game.reading import sustainable_share
from mixed_company.policies.policy import Decided, Policy, Seats


class Sustainable(Policy):
    """Takes an equal share of the maximum sustainable yield, whatever the stock."""

    id = "sustainable"
    games = ("commons_game",)
    source = "Schaefer (1954), Bulletin of the Inter-American Tropical Tuna Commission 1(2)"

    def act_together(self, seats: Seats) -> Decided:
        return {"harvest": sustainable_share(self.rules), "contribution": 0.0}, {}
