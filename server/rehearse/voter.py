"""Who rehearses a session votes on the rule of its play as his or her policy does."""

from __future__ import annotations

from typing import Any

import bots
from bots.policy import Policy
from engine.game import Game
from table import leanings
from table.setup import Setup

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

    def follow(self, rule: str) -> tuple[Game[Any], Policy]:
        """The game of the rule that was chosen, and the policy for it."""
        self.chosen = rule
        game = self._setup.chosen(rule).game
        return game, bots.make(self._spec, game)
