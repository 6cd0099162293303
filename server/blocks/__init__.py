"""Several plays in a row in one session: blocks.

apps       a later block is an app of its own, made of the same files: `commons_game_2`
"""
