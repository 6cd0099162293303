"""Example of peer points with a session's own numbers, for the instructions and the quiz."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from mixed_company import engine
from mixed_company.engine.contract.errors import ActionError
from mixed_company.engine.game import Game
from mixed_company.server.pages.texts import exact

_DIGITS = 2


@dataclass(frozen=True)
class Given:
    """Points that one player assigns to another after a period in which everyone made the same
    choice.

    points  number of punishment points, or of reward points if the game has no punishment points
    mine    points that the giver earned before that; cost: price of the assigned points
    theirs  points that the other player earned before that; change: that player's gain (or loss)
    """

    points: int
    mine: float
    cost: float
    theirs: float
    change: float


@lru_cache(maxsize=256)
def example(game: Game[Any], maximum: int, reward: bool = False) -> Given | None:
    """Return an example in which the first seat gives `maximum` points, or as many as it can.

    If the game has both kinds of points, these are punishment points or, if `reward`, reward
    points.

    At the first stage, every seat chooses half of its maximum, rounded down if only whole numbers
    are possible. The engine plays the period without layers or roles. Return None if the seat
    cannot give any points.
    """
    core = {**game.core.model_dump(), "peer_names": "fixed"}
    alone = engine.make(type(game), **core)
    in_view = alone.in_view()
    others = [seat for seat in range(1, alone.seats) if in_view is None or in_view[0, seat]]
    for points in range(min(maximum, game.core.peer_max), 0, -1):
        for other in others:
            example_points = _given(alone, other, points, reward)
            if example_points is not None:
                return example_points
    return None


def _given(game: Game[Any], other: int, points: int, reward: bool) -> Given | None:
    """Return the points that the first seat assigns to `other`, or None if the rules forbid
    them.
    """
    play = engine.Episode(game, seed=0)
    first, *rest = play.fields
    limits = [play.allowed(seat).to_json()[first.name][1] for seat in range(game.seats)]
    halves = {first.name: [limit / 2 if first.kind == "real" else limit // 2 for limit in limits]}
    play.step(halves | {field.name: [field.default] * game.seats for field in rest})
    earned = [play.observation(seat)["income"][seat] for seat in (0, other)]
    assigned = [[0] * game.seats for _ in range(game.seats)]
    assigned[0][other] = -points if game.core.peer == "both" and not reward else points
    try:
        paid = play.step({"assign": assigned}).components
    except ActionError:
        return None
    cost, change = -paid["peer_cost"][0], paid["peer_received"][other]
    return Given(points, float(earned[0]), float(cost), float(earned[1]), float(change))


def rounded(points: float) -> str:
    """Format points that the engine has computed."""
    return exact(round(points, _DIGITS) + 0.0)
