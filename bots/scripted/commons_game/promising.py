"""What the policies of the commons share that promise a harvest."""

from __future__ import annotations

from bots.promising import Promising, plain_number
from bots.scripted.commons_game.reading import sustainable_share
from language import gettext as _

__all__ = ["PromisesHarvest"]


class PromisesHarvest(Promising):
    """Says that it will take what the stock bears."""

    def amount(self, seat: int) -> float:
        return plain_number(sustainable_share(self.rules))

    def sentence(self) -> str:
        return _("I will take {n}.")
