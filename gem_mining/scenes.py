"""The numbers of the pictures in the instructions of gem mining."""

from __future__ import annotations

from gem_mining.instructions import spread, together
from mixed_company.engine.games.gem_mining import GemGame
from mixed_company.server.pages.guide import Row

__all__ = ["scenes"]

MOST_VILLAGES = 6
"""More would be too small to be seen."""


def scenes(game: GemGame) -> dict[str, Row]:
    """Screen -> numbers of its picture.

    about    {reach}: per village, of the first few, how many mines it reaches at least and at most
    decides  the same for one village, and its workers
    happens  {workers, chances}: of the example, the fewest and the most that can be in a mine
    pays     {worths, villages}: points for each kind of gems, to each of so many villages
    """
    core = game.core
    reach, workers = spread(core)
    shown = reach[:MOST_VILLAGES]
    drawn: dict[str, Row] = {
        "about": {"reach": shown},
        "decides": {"reach": [reach[0]], "workers": min(workers)},
        "pays": {"worths": list(core.weights or ()), "villages": len(shown)},
    }
    if core.worker_bonus != 1:
        counts, chances = together(game)
        ends = (0, len(counts) - 1)
        drawn["happens"] = {
            "crews": [{"workers": counts[k], "chance": chances[k]} for k in dict.fromkeys(ends)]
        }
    return drawn
