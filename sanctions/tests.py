"""`otree test`: every session config, played to its end by oTree's own bots."""

from mixed_company.server.otree_bots import PlayerBot, call_live_method

__all__ = ["PlayerBot", "call_live_method"]
