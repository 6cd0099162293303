"""Prints the codebook of a game, or of all: python -m engine.tables [game ...]"""

import sys

from engine.tables.codebook import whole

sys.stdout.write(whole(sys.argv[1:]))
