"""Who rehearses a session votes on the rule of its play as his or her policy does."""

from __future__ import annotations

from mixed_company import policies
from mixed_company.policies.policy import Policy
from mixed_company.table import leanings
from mixed_company.table.setup import Setup

__all__ = ["Voter"]


class Voter:
    """What a policy, in a person's place, votes for, and plays then.

    chosen   the rule that is played; empty: none was chosen yet
    """

    def __init__(self, setup: Setup, spec: str) -> None:
        self._setup, self._spec = setup, spec
        self.chosen = ""

    def rule(self, seed: int, number: int) -> str:
        """The vote of the person with this number; empty: an abstention."""
        return leanings.wish(self._setup, self._spec, seed, number)

    def follow(self, rule: str) -> tuple[Setup, Policy]:
        """What is played by the rule that was chosen, and the policy for it."""
        self.chosen = rule
        setup = self._setup.chosen(rule)
        return setup, policies.make(self._spec, setup.game)
