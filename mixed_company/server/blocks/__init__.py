"""Several plays in a row in one session: blocks.

apps       a later block is an app of its own, made of the same files: `commons_game_2`
way        the way of a participant from block to block
company    who plays with whom in a later block
"""
