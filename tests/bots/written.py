"""The policies that are written rules, and so play under every configuration of their game."""

from __future__ import annotations

import bots
from bots.trained import Trained


def written(game_id: str) -> list[str]:
    """Their ids; trained ones fit the form they were trained for alone."""
    return [each for each in bots.ids(game_id) if not issubclass(bots.find(each, game_id), Trained)]
