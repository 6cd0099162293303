from __future__ import annotations

import numpy as np

from bots.sanctions.reading import own_endowment
from mixed_company.engine.games.sanctions.core import per_seat
from mixed_company.language import gettext as _
from mixed_company.policies.policy import Decided, Seats
from mixed_company.policies.promising import Promising, plain_number


class PromisesAndKeeps(Promising):
    """Promises to contribute its baseline, and keeps the promise."""

    id = "promises_and_keeps"
    games = ("sanctions",)
    source = "Ostrom, Walker and Gardner (1992), American Political Science Review 86(2)"

    def act_together(self, seats: Seats) -> Decided:
        contribution = np.minimum(self.promised(seats), own_endowment(seats, self.rules))
        return {"contribution": contribution}, seats.memory

    def amount(self, seat: int) -> float:
        return plain_number(float(per_seat(self.rules.baseline, self.rules.seats)[seat]))

    def sentence(self) -> str:
        return _("I will give {n}.")
