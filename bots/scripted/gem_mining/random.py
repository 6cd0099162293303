from __future__ import annotations

from bots.odds import Odds, even
from bots.policy import Decided, Memory, Observation, Policy, Seats
from bots.scripted.gem_mining.reading import going_to, reach_of
from engine.contract.allowed import Allowed


class Random(Policy):
    """Goes to any mine in reach with equal chance."""

    id = "random"
    games = ("gem_mining",)
    source = "zero intelligence: Gode and Sunder (1993), Journal of Political Economy 101(1)"

    def act_together(self, seats: Seats) -> Decided:
        return going_to(seats, seats.draws.integers(reach_of(seats))), {}

    def odds(self, allowed: Allowed, observation: Observation, memory: Memory) -> Odds:
        return even(allowed)
