"""What the policies of the commons share that promise a harvest."""

from __future__ import annotations

from bots.commons_game.reading import sustainable_share
from mixed_company.language import gettext as _
from mixed_company.policies.promising import Promising, plain_number

__all__ = ["PromisesHarvest"]


class PromisesHarvest(Promising):
    """Says that it will take what the stock bears."""

    def amount(self, seat: int) -> float:
        return plain_number(sustainable_share(self.rules))

    def sentence(self) -> str:
        return _("I will take {n}.")
