"""Blocks: several plays in a row in one session.

apps       a later block is a separate app, built from the same files: `commons_game_2`
way        a participant's path from block to block
company    groups of a later block
"""
