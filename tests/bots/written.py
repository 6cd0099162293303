"""Policies that are hand-written rules, and therefore play under every configuration of their
game."""

from __future__ import annotations

from mixed_company import policies
from mixed_company.policies.trained import Trained


def written(game_id: str) -> list[str]:
    """Return the ids of a game's hand-written policies. Trained policies fit only the form of the
    game they were trained for.
    """
    return [
        policy
        for policy in policies.ids(game_id)
        if not issubclass(policies.find(policy, game_id), Trained)
    ]
