"""Solutions of the punishment vote: bounds on the points that a group can earn in a play.

    from mixed_company.engine.solutions import punishment_vote as solutions
    solutions.release_bound(game, seed)   -> from release times alone, takes milliseconds
    solutions.flow_bound(game, seed)      -> by a linear programme, takes seconds to minutes

The seed determines which resources appear where and when, so a bound applies to one play. The game
has not been solved. Both bounds assume that the group knows the future, and wholly or partly ignore
that seats block each other. So the share of a bound that a group earns is a lower bound on its
efficiency. `flow_bound` is at most `release_bound`.

The two bounds, in points: `lab_0_7` 63.3 and 62.2 (seed 0), 47.6 and 46.8 (seed 1), `source` 578.0
and 532.2 (seed 0); the programme took 22 to 31 s of CPU time per play.

A collected resource earns all seats together its value, minus (n - 1) times its harm, minus the
punishment. Votes and punishments only cost points. So the bounds ignore the costs of votes, and use
the punishment at the lowest level that all votes of a play together could reach (0 in a lottery).
In `lab_0_7`, with 4 seats, the group gains 3 - 3 * 0.5 = 1.5 from an A, 2 - 3 * 0.3 = 1.1 from a C
and 1 - 3 * 0.1 = 0.7 from an E; a B brings 7 - 9 = -2 and a D brings -2 - 4.5 = -6.5.

The bounds hold for both timings, action sets, kinds of world and kinds of punishment, at any speed,
and for any permissions and weights of roles. They hold under the information, temporal and
hierarchy layers (which change observations and times of payment), under interaction (sharing keeps
the sum, and harm is scaled), power and incentives, and with parameters that drift. They do not hold
with shocks. They also fail for a play in which a seat left. The seat is no longer harmed, so harm
costs less than is counted here. Callers must exclude such plays.
"""

from __future__ import annotations

import math

from mixed_company.engine.game import Game
from mixed_company.engine.games.punishment_vote import VoteCore
from mixed_company.engine.games.punishment_vote.tables import Grid
from mixed_company.engine.solutions import Best, Solution
from mixed_company.engine.solutions.punishment_vote.bounds import (
    appearances,
    most_by_flow,
    most_by_release,
)

__all__ = ["MOST_CELLS", "SOLUTION", "flow_bound", "holds", "release_bound"]

MOST_CELLS = 3_000_000
"""Maximum number of cells times turns for a bound; more would block a server."""

_KEEP_THE_SUM = {"information", "temporal", "hierarchy", "interaction", "power", "incentives"}
"""Layers that cannot raise the total that all seats earn."""


def release_bound(game: Game[VoteCore], seed: int) -> float:
    """Return a bound, from release times, on the points of any group in the play with this seed."""
    return sum(most_by_release(offer) for offer in appearances(game, seed))


def flow_bound(game: Game[VoteCore], seed: int) -> float:
    """Return a bound from a linear programme. It is at most `release_bound`, but takes a thousand
    times as long.

    Raises ArithmeticError if it cannot be solved.
    """
    grid = Grid(game.core.height, game.core.width)
    return sum(most_by_flow(offer, grid) for offer in appearances(game, seed))


def holds(game: Game[VoteCore]) -> bool:
    """Return whether the bounds hold under the game's layers and roles, if no seat leaves."""
    return game.attribution.neutral and all(
        layer.name in _KEEP_THE_SUM or (layer.name == "uncertainty" and not layer.settings.shocks)
        for layer in game.layers
    )


def _bound(game: Game[VoteCore], seed: int) -> Best | None:
    core = game.core
    grids = core.seats if core.worlds == "separate" else 1
    if grids * core.height * core.width * core.turns > MOST_CELLS:
        return None
    value = release_bound(game, seed)
    how = (
        "assumes that every resource is collected as early as possible, regardless of the distances"
    )
    return Best("the most that could be collected", value, math.nan, how, "bound")


SOLUTION = Solution[VoteCore](best=_bound, holds=holds)
