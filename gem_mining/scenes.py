"""Numbers for the pictures in the gem mining instructions."""

from __future__ import annotations

from gem_mining.instructions import together
from gem_mining.words import spread
from mixed_company.engine.games.gem_mining import GemGame
from mixed_company.server.pages.guide import Row

MOST_VILLAGES = 6
"""Maximum number of villages in a picture; more would be too small to see."""


def scenes(game: GemGame) -> dict[str, Row]:
    """Return the numbers of each screen's picture.

    about    {reach}: smallest and largest reach in mines of each of the first few villages
    decides  the same for one village, and its workers
    happens  {crews: [{workers, chance}]}: the fewest and the most workers in the example
    pays     {worths, villages}: points per gem of each kind, and the number of villages drawn
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
