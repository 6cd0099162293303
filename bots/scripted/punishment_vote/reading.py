"""How the policies of the punishment vote read their screen, find their way, and answer."""

from __future__ import annotations

import math
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from bots.policy import Action, Observation
from engine.contract.space import Array
from engine.games.punishment_vote import ACTIONS, MOVES, VoteCore
from engine.games.punishment_vote.tables import EMPTY, FIRST_RESOURCE, WALL

__all__ = ["Around", "Target", "best_target", "gains", "harms", "known", "numbered", "own_window"]
__all__ += ["left_to_others", "place", "seen_around"]

LOOKED_AT = 400
"""So many cells a search looks at: those of any usual window, and not too long in a huge one."""


class Around(NamedTuple):
    """Cells around a seat, row by row in one list and framed by walls.

    `here` is the seat's own cell; `sight` so many steps in each direction are within the frame.
    """

    codes: list[int]
    width: int
    here: int
    sight: int

    def ahead(self, move: int, steps: int = 1) -> int:
        """The cell so many steps up, down, left or right (0 .. 3)."""
        return self.here + steps * (-self.width, self.width, -1, 1)[move]

    def far(self, cell: int, other: int) -> int:
        """Steps from one cell to another, if nothing is in the way."""
        down, across = (
            cell // self.width - other // self.width,
            cell % self.width - other % self.width,
        )
        return abs(down) + abs(across)


class Target(NamedTuple):
    """Where to go: the first move, how many steps in all, and the cell."""

    move: int
    steps: int
    cell: int


def own_window(observation: Observation) -> Array:
    """(side, side) codes of the cells around the seat."""
    window = observation["window"]
    own = window[0] if window.ndim == 4 else window
    return np.asarray(own.argmax(-1))


def known(observation: Observation, name: str) -> float | None:
    """A number on the screen; None if it is not shown."""
    value = float(observation[name])
    return None if math.isnan(value) else value


def place(observation: Observation) -> tuple[int, int] | None:
    """The seat's own row and column; None if one of them is not shown."""
    row, column = known(observation, "row"), known(observation, "column")
    return None if row is None or column is None else (int(row), int(column))


def seen_around(observation: Observation, rules: VoteCore) -> Around:
    """The window. Without sight the four neighbours, walls where its place tells, else empty."""
    if rules.vision > 0:
        window = own_window(observation)
        width = window.shape[0] + 2
        framed = np.full((width, width), WALL)
        framed[1:-1, 1:-1] = window
        return Around(framed.ravel().tolist(), width, width * width // 2, rules.vision)
    codes = [EMPTY] * 9
    at = place(observation)
    if at is not None:
        ends = (at[0] <= 1, at[0] >= rules.height - 2, at[1] <= 1, at[1] >= rules.width - 2)
        for cell, end in zip((1, 7, 3, 5), ends, strict=True):
            codes[cell] = WALL if end else EMPTY
    return Around(codes, 3, 4, 1)


def harms(rules: VoteCore) -> list[float]:
    """Kind -> points that all other seats lose together."""
    return [(rules.seats - 1) * resource.harm for resource in rules.resources.values()]


def gains(codes: list[int], worths: list[float]) -> list[float | None]:
    """What each cell is worth to whoever goes there; None where nobody can go."""
    after = FIRST_RESOURCE + len(worths)
    by_code = [0.0, None, *worths]
    return [by_code[code] if code < after else None for code in codes]


def left_to_others(
    field: list[float | None], around: Around, worths: list[float]
) -> list[float | None]:
    """The same, with nothing gained where another seat in view is nearer, as the crow walks."""
    first_seat = FIRST_RESOURCE + len(worths)
    rivals = [
        cell for cell, code in enumerate(around.codes) if code >= first_seat and cell != around.here
    ]

    def nearer(cell: int) -> bool:
        own = around.far(around.here, cell)
        return any(around.far(rival, cell) < own for rival in rivals)

    return [
        0.0 if gain is not None and gain > 0 and nearer(cell) else gain
        for cell, gain in enumerate(field)
    ]


def best_target(
    gains: list[float | None], width: int, here: int, most: int = LOOKED_AT
) -> Target | None:
    """The cell of highest gain per step; None if none is above 0.

    The way there is the shortest of those that lose least on the cells they cross (Dijkstra), so
    it leads round whatever is worth less than nothing, unless there is no way round; that loss
    counts against the gain.
    """
    top = max((gain for gain in gains if gain is not None), default=0.0)
    best, rate, left = None, 0.0, most
    reached = {here: (0.0, 0)}
    queue = [(0.0, 0, here, -1)]
    while queue and left:
        loss, far, cell, first = heappop(queue)
        if (loss, far) > reached[cell]:
            continue
        left -= 1
        gain = gains[cell] or 0.0
        if far and gain - loss > rate * far:
            best, rate = Target(first, far, cell), (gain - loss) / far
        if top - loss <= rate * (far + 1):
            continue  # nothing further on can be better
        for move, there in enumerate((cell - width, cell + width, cell - 1, cell + 1)):
            worth = gains[there]
            if worth is not None:
                cost = (loss - min(worth, 0.0), far + 1)
                if there not in reached or cost < reached[there]:
                    reached[there] = cost
                    heappush(queue, (*cost, there, first if far else move))
    return best


def numbered(rules: VoteCore, move: int | None, vote: int) -> Action:
    """The action for a move (0 .. 3, or None) and a vote (1, -1 or 0).

    `simple`: a vote goes before a move. `composite`: there is no vote without a move.
    """
    way = "noop" if move is None else MOVES[move]
    if rules.actions == "simple":
        name = {1: "vote_increase", -1: "vote_decrease", 0: way}[vote]
    else:
        voted = {1: "increase", -1: "decrease", 0: "no_vote"}[vote]
        name = "noop" if move is None else f"{way}_{voted}"
    return {"action": float(ACTIONS[rules.actions].index(name))}
