from __future__ import annotations

import numpy as np

from bots.commons_game.reading import sustainable_share
from mixed_company.language import gettext as _
from mixed_company.policies.policy import Decided, Seats
from mixed_company.policies.promising import Promising, plain_number


class PromisesAndKeeps(Promising):
    """Promises to take its sustainable share, and keeps its promise."""

    id = "promises_and_keeps"
    games = ("commons_game",)
    version = "2"
    preserves_stock = True
    source = "Ostrom, Walker and Gardner (1992), American Political Science Review 86(2)"

    def act_together(self, seats: Seats) -> Decided:
        harvest = np.minimum(self.promised(seats), self.rules.max_harvest)
        return {"harvest": harvest, "contribution": 0.0}, seats.memory

    def amount(self, seat: int) -> float:
        stock = np.array([self.rules.initial_stock])
        return plain_number(float(sustainable_share(self.rules, stock)[0]))

    def sentence(self) -> str:
        return _("I will take {n}.")
