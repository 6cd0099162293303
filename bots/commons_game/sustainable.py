from __future__ import annotations

from bots.commons_game.reading import stock_seen, sustainable_share
from mixed_company.policies.policy import Decided, Policy, Seats


class Sustainable(Policy):
    """Takes an equal share of the growth, but at most a share of the maximum sustainable yield."""

    id = "sustainable"
    games = ("commons_game",)
    version = "2"
    preserves_stock = True
    source = "Schaefer (1954), Bulletin of the Inter-American Tropical Tuna Commission 1(2)"

    def act_together(self, seats: Seats) -> Decided:
        share = sustainable_share(self.rules, stock_seen(seats, self.rules))
        return {"harvest": share, "contribution": 0.0}, {}
