"""Tests for `otree test`: oTree's bots play every session config to its end."""

from mixed_company.server.otree_bots import PlayerBot, call_live_method

__all__ = ["PlayerBot", "call_live_method"]
