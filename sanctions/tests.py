"""`otree test`: every session config, played to its end by oTree's own bots."""

from otree.api import Bot

import sanctions
from seats import rehearsal


class PlayerBot(Bot):
    def play_round(self):
        yield from rehearsal.steps(self, sanctions)


def call_live_method(method, page_class, group, **kwargs):
    rehearsal.call(method, page_class, group)
