from __future__ import annotations

from bots.gem_mining.reading import going_to, reach_of
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.policies.odds import Odds, even
from mixed_company.policies.policy import Decided, Memory, Observation, Policy, Seats


class Random(Policy):
    """Goes to a random mine in reach; all mines are equally likely."""

    id = "random"
    games = ("gem_mining",)
    version = "2"
    source = "zero intelligence: Gode and Sunder (1993), Journal of Political Economy 101(1)"

    def act_together(self, seats: Seats) -> Decided:
        return going_to(seats, seats.draws.integers(reach_of(seats))), {}

    def odds(self, allowed: Allowed, observation: Observation, memory: Memory) -> Odds:
        return even(allowed)
