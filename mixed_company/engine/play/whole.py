"""Complete periods of many plays at once, for games whose periods have several stages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mixed_company.engine.contract.space import Arrays
from mixed_company.engine.game import Game, Outcome


def play_period(
    game: Game[Any], state: Arrays, actions: Mapping[str, Any], chance: Arrays
) -> tuple[Arrays, Outcome]:
    """Play a period with these first-stage actions; no seat does anything in later stages.

    Return the state after the period and its outcome. `state` is the state before the period, with
    any batch shape. Raises ActionError.
    """
    after, outcome = game.step(state, actions, chance)
    while game.stages.several and after["stage"].any():
        after, outcome = game.step(after, game.allowed(after).default, chance)
    return after, outcome
