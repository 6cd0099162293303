"""What the next period brings one seat for each contribution, if the others give what is named.

By the game's own transition and reward: nothing of the rules is written here a second time. Layers
may change what is paid of it, and chance what becomes of it; neither is here.
"""

from __future__ import annotations

import numpy as np

from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.games.sanctions.rules import SanctionsGame

__all__ = ["foreseen"]


def foreseen(
    game: SanctionsGame, seat: int, before: Arrays, own: Array, others: Array
) -> dict[str, Array]:
    """Reward components of a seat, each (v,) points: it gives `own` (v,) where others give (v, n).

    `before` is what counts of the state of one play: `period`, `contributions`, `trust` and
    `reputation`. The place of the seat in `others` is not read.
    """
    given = np.array(others, dtype=np.float64)
    given[:, seat] = own
    used = {"contribution": given}
    after = {**game.transition(before, used, {}), "period": before["period"] + 1}
    components = game.reward(before, used, after)
    return {name: np.broadcast_to(part, given.shape)[:, seat] for name, part in components.items()}
