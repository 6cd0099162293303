"""Seat for one policy in the punishment vote. Tests draw its view and read its action.

The rules are those of `source` with 3 seats: A 3, B 7, C 2, D -2, E 1. All are taboo, and the
magnitude is 10. A vote moves the level by 0.2 and costs 0.1. There are 10 x 10 cells. In a picture
`.` is empty, `#` a wall, `@` the seat itself, a letter a resource and a digit another seat.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company import engine, policies
from mixed_company.engine.games.punishment_vote import ACTIONS

UNSEEN = np.nan


def drawn(game: engine.Game[Any], picture: str, seat: int = 0) -> np.ndarray:
    """Return the one-hot window that a picture shows."""
    kinds = list(game.core.resources)
    code = {".": 0, "#": 1, **{name: 2 + kind for kind, name in enumerate(kinds)}}
    code |= {str(other): 2 + len(kinds) + other for other in range(game.seats)}
    code["@"] = code[str(seat)]
    rows = [[code[sign] for sign in line] for line in picture.split()]
    return np.eye(2 + len(kinds) + game.seats, dtype=np.int8)[rows]


class Seat:
    """Seat that keeps a policy's notes from one turn to the next."""

    def __init__(self, spec: str, vision: int = 1, seed: int = 0, **core: Any) -> None:
        self.game = engine.make("punishment_vote", vision=vision, **core)
        self.policy = policies.make(spec, self.game)
        self.memory = self.policy.start()
        self.rng = np.random.default_rng(seed)
        self.turn = 0

    def sees(
        self,
        picture: str,
        level: float = 0,
        votes: tuple[float, float] = (0, 0),
        cell: tuple[float, float] = (5, 5),
        pending: float = 0,
    ) -> str:
        """Return the name of the policy's action. `votes` are the numbers of votes up and down in
        the last turn.
        """
        window = drawn(self.game, picture)
        if self.game.core.views == "composite":
            others = np.zeros_like(window)
            others[..., 1] = 1
            window = np.stack([window, *[others] * (self.game.seats - 1)])
        numbers = {
            "level": level,
            "increases": votes[0],
            "decreases": votes[1],
            "pending_harm": pending,
            "row": cell[0],
            "column": cell[1],
            "noise": 0.5,
            "period": self.turn,
            "seat": 0,
        }
        seen = {"window": window, **{name: np.array(value) for name, value in numbers.items()}}
        self.turn += 1
        action, self.memory = self.policy.act(seen, self.memory, self.rng)
        return ACTIONS[self.game.core.actions][int(action["action"])]


FORAGERS = ["forager", "harm_averse", "law_and_order:target=0", "libertarian", "planner"]
FORAGERS += ["conditional_voter", "opportunist", "noisy_person:error=0;idle=0;whim=0"]
"""Policies that forage and do not vote at level 0."""

NOTHING = "... .@. ..."
"""Empty surroundings."""
