"""Blocks: several consecutive plays in one session.

apps       a later block is a separate app, built from the same files: `commons_game_2`
way        a participant's path from block to block
company    groups in later blocks
"""
