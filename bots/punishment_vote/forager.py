from __future__ import annotations

from bots.punishment_vote.foraging import Foraging


class Forager(Foraging):
    """Goes for the most points per step, less the punishment, and never votes."""

    id = "forager"
    source = "rate maximisation: Charnov (1976), Theoretical Population Biology 9(2)"
