"""`otree test`: every session config, played to its end by oTree's own bots."""

from otree.api import Bot

import gem_mining
from server import otree_bots


class PlayerBot(Bot):
    def play_round(self):
        yield from otree_bots.steps(self, gem_mining)


def call_live_method(method, page_class, group, **kwargs):
    otree_bots.call(method, page_class, group)
