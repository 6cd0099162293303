"""Functions that read observations and encode actions for the policies of the punishment vote."""

from __future__ import annotations

from functools import cache

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.punishment_vote import ACTIONS, MOVES, VoteCore
from mixed_company.policies.policy import Seats


def number_shown(seats: Seats, name: str, default: Array | float) -> Array:
    """Return an observation (K,), or the default where it is not shown."""
    value = seats.seen[name]
    return np.where(np.isnan(value), default, value)


def harms(rules: VoteCore) -> list[float]:
    """Return, for each kind, the points that taking a resource costs all other seats together."""
    return [(rules.seats - 1) * resource.harm for resource in rules.resources.values()]


def action_numbers(rules: VoteCore, moves: Array, votes: Array) -> dict[str, Array]:
    """Return the action numbers (K,) for moves (0 .. 3, -1 for none) and votes (1, -1 or 0).

    `simple`: a vote replaces a move. `composite`: a vote requires a move.
    """
    return {"action": _numbers(rules.actions)[moves, votes]}


@cache
def _numbers(actions: str) -> Array:
    """Return the action numbers by move and vote, (5, 3); the last index of an axis means -1."""
    names = ACTIONS[actions]
    numbers = [
        [float(names.index(_name(actions, move, vote))) for vote in (0, 1, -1)]
        for move in (0, 1, 2, 3, -1)
    ]
    return np.array(numbers)


def _name(actions: str, move: int, vote: int) -> str:
    way = "noop" if move < 0 else MOVES[move]
    if actions == "simple":
        return {1: "vote_increase", -1: "vote_decrease", 0: way}[vote]
    voted = {1: "increase", -1: "decrease", 0: "no_vote"}[vote]
    return "noop" if move < 0 else f"{way}_{voted}"
