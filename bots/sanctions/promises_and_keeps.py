from __future__ import annotations

import numpy as np

from bots.sanctions.reading import own_endowment
from mixed_company.engine.contract.allowed import nearer_end
from mixed_company.engine.games.sanctions.core import per_seat
from mixed_company.language import gettext as _
from mixed_company.policies.policy import Decided, Seats
from mixed_company.policies.promising import Promising, plain_number


class PromisesAndKeeps(Promising):
    """Promises to contribute its baseline, and keeps its promise."""

    id = "promises_and_keeps"
    games = ("sanctions",)
    source = "Ostrom, Walker and Gardner (1992), American Political Science Review 86(2)"

    def act_together(self, seats: Seats) -> Decided:
        contribution = np.minimum(self.promised(seats), own_endowment(seats, self.rules))
        return {"contribution": contribution}, seats.memory

    def amount(self, seat: int) -> float:
        rules = self.rules
        baseline, endowment = (
            float(per_seat(amount, rules.seats)[seat])
            for amount in (rules.baseline, rules.endowment)
        )
        if rules.contributions == "all_or_nothing":
            baseline = float(nearer_end(baseline, 0.0, endowment))
        return plain_number(baseline)

    def sentence(self) -> str:
        if self.rules.framing == "take":
            return _("I will leave {n} in the pool.")
        return _("I will give {n}.")
