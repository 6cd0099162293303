"""A linear public good: seats pay into a pot that gives every seat the same share of it.

Source: Fehr and Gächter (2000), "Cooperation and punishment in public goods experiments", American
Economic Review 90(4), 980-994.

Every period each seat has an endowment e and decides

    contribution  0 .. e, whole points. The sum of contributions, times the marginal return m, goes
                  to every seat

    reward = (e - contribution) + m * sum of contributions

Action           `contribution`
State            `contribution` of every seat in the last period
Observation      the same
Components       `kept`, `share`, in this order; their sum is the income before peer points
Cooperation      contribution / e
Endings          `horizon` (neither)

A seat that has left the play gives nothing.

Archetype `source`: 4 seats, 10 periods, e = 20, m = 0.4. The sums:

    If all give 20, each earns 0 + 0.4 * 80 = 32. If all give 0, each earns 20. A seat that gives 0
    while the others give 20 earns 20 + 0.4 * 60 = 44, which is 12 more than by giving, because a
    point kept is worth 1 and a point given 0.4.

`lab` is the same with peer points (`mixed_company.engine.contract.peers`): once contributions are
seen, each seat can punish others. A point costs 1 and takes 3. If each of the three others spends 2
points on the seat that gave 0, they lose 2 each and it loses 3 * 2 * 3 = 18, more than it gained.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from mixed_company.engine.contract.arrays import over_seats, total
from mixed_company.engine.contract.config import parameter
from mixed_company.engine.contract.peer_core import PeerCore
from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.game import Declaration, Game

__all__ = ["GAME", "PublicGood", "PublicGoodCore"]


class PublicGoodCore(PeerCore):
    """Parameters of the public good."""

    periods: int = parameter(10, "number of periods", symbol="T", ge=1, le=10_000, first=True)
    endowment: int = parameter(
        20, "points of each seat per period", unit="points", symbol="e", ge=1, le=10_000
    )
    marginal_return: float = parameter(
        0.4, "what each seat gets for a point in the pot", symbol="m", ge=0, le=10
    )


class PublicGood(Game[PublicGoodCore]):
    """Linear public good; see the module's docstring."""

    id = "public_good"
    version = "1"
    Core = PublicGoodCore
    archetypes: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "source": {},
        "lab": {"peer": "punishment"},
    }

    @property
    def horizon(self) -> int:
        return self.core.periods

    def declare(self) -> Declaration:
        core = self.core
        endowment, whole = float(core.endowment), core.marginal_return * core.endowment * core.seats
        amount = Field("contribution", "paid into the pot", "points", "whole", 0.0, endowment)
        contributions = Field(
            "contribution", "given by each seat last period", "points", low=0.0, shape=(core.seats,)
        )
        return Declaration(
            actions=(amount,),
            observations=(replace(contributions, maskable=True),),
            state=(contributions,),
            components=(
                Field("kept", "kept of the endowment", "points", low=0.0, high=endowment),
                Field("share", "own share of the pot", "points", low=0.0, high=whole),
            ),
            endings={},
        )

    def initial(self, chance: Arrays, batch: tuple[int, ...]) -> Arrays:
        return {"contribution": np.zeros((*batch, self.seats))}

    def transition(self, state: Arrays, used: Arrays, chance: Arrays) -> Arrays:
        return {"contribution": used["contribution"].astype(np.float64)}

    def reward(self, before: Arrays, used: Arrays, after: Arrays) -> Arrays:
        contributions = after["contribution"]
        pot = over_seats(contributions)[..., None]
        return {
            "kept": self.core.endowment - contributions,
            "share": self.core.marginal_return * pot + 0.0 * contributions,
        }

    def income(self, before: Arrays, used: Arrays, after: Arrays) -> Array:
        return total(self.reward(before, used, after))

    def view(self, state: Arrays, chance: Arrays) -> Arrays:
        return {"contribution": state["contribution"]}

    def cooperation(self, before: Arrays, used: Arrays, after: Arrays) -> Array:
        return np.asarray(used["contribution"] / self.core.endowment)


GAME = PublicGood
