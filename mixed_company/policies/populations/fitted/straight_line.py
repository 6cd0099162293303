"""The policy by which a fitted type decides: what `analysis.behaviour` fits, as a policy."""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.game import Game
from mixed_company.policies.policy import Decided, Policy, Range, Seats
from mixed_company.policies.seats import mean_where

__all__ = ["StraightLine"]


class StraightLine(Policy):
    """Does a straight line of what the others did last period on average, with normal errors.

    It decides the game's first action, an amount, and leaves all others at their defaults. Where
    no other is shown it gives NaN: what it then does is what its population begins with.
    """

    id = "straight_line"
    games = ()
    version = "2"
    source = (
        "conditional_cooperation of mixed_company.analysis.behaviour: Fischbacher and "
        "Gaechter (2010)"
    )
    parameters = {
        "intercept": Range(0.0, -1e6, 1e6),
        "slope": Range(0.0, -100.0, 100.0),
        "noise": Range(0.0, 0.0, 1e6),
    }
    apiece = True

    def __init__(self, game: Game[Any], **parameters: float) -> None:
        super().__init__(game.core, **parameters)
        self.layout = game.declaration.actions
        first = self.layout[0]
        if first.kind != "real":
            raise ConfigError(f"straight_line: {game.id}: {first.name} is no amount")

    @classmethod
    def for_game(cls, game: Game[Any], **parameters: float) -> StraightLine:
        """The policy for a game. Raises ConfigError for one whose first action is no amount."""
        return cls(game, **parameters)

    def act_together(self, seats: Seats) -> Decided:
        return self.act_together_within(Allowed(self.layout, (seats.count,), {}, {}), seats)

    def act_together_within(self, allowed: Allowed, seats: Seats) -> Decided:
        name = self.layout[0].name
        done = seats.seen[name]
        shown = ~np.isnan(done) & (seats.period > 0)[:, None]
        shown[seats.rows, seats.seat] = False
        line = self.own["intercept"] + self.own["slope"] * mean_where(shown, done)
        errors = self.own["noise"] * seats.draws.normal()
        rest = {field.name: allowed.default[field.name] for field in self.layout[1:]}
        return {name: line + errors, **rest}, {}
