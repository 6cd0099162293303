"""The tests import oTree without a server: no database file is made in this folder."""

import os

os.environ["OTREE_IN_MEMORY"] = "1"
