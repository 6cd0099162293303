"""Prints the codebook of a game, or of all: python -m table.export [game ...]"""

import sys

from table.export.codebook import whole

sys.stdout.write(whole(sys.argv[1:]))
