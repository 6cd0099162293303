from __future__ import annotations

from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.games.punishment_vote import ACTIONS
from mixed_company.policies.odds import Odds, even
from mixed_company.policies.policy import Decided, Memory, Observation, Policy, Seats


class Random(Policy):
    """Chooses a random action; all actions are equally likely."""

    id = "random"
    games = ("punishment_vote",)
    version = "2"
    source = "zero intelligence: Gode and Sunder (1993), Journal of Political Economy 101(1)"

    def act_together(self, seats: Seats) -> Decided:
        return {"action": seats.draws.integers(len(ACTIONS[self.rules.actions]))}, {}

    def odds(self, allowed: Allowed, observation: Observation, memory: Memory) -> Odds:
        return even(allowed)
