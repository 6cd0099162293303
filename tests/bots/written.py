"""Policies that are written rules, and so play under every configuration of their game."""

from __future__ import annotations

from mixed_company import policies
from mixed_company.policies.trained import Trained


def written(game_id: str) -> list[str]:
    """Return their ids; trained policies only fit the form they were trained for."""
    return [
        policy
        for policy in policies.ids(game_id)
        if not issubclass(policies.find(policy, game_id), Trained)
    ]
