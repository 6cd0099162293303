"""What the policies of the sanctions game share that promise a contribution."""

from __future__ import annotations

from mixed_company.engine.games.sanctions.core import per_seat
from mixed_company.language import gettext as _
from mixed_company.policies.promising import Promising, plain_number

__all__ = ["PromisesContribution"]


class PromisesContribution(Promising):
    """Says that it will give what is expected of it."""

    def amount(self, seat: int) -> float:
        return plain_number(float(per_seat(self.rules.baseline, self.rules.seats)[seat]))

    def sentence(self) -> str:
        return _("I will give {n}.")
