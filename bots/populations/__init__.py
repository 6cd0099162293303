"""Populations: types of people with their shares, drawn anew for every seat of every play.

    bots.make("population:fischbacher_gaechter_2010", game)     one of those that are here
    bots.make("population:mine.toml", game)                     one of one's own, in a file

Each is one file, `NAME.toml`; `bots.populations.form` says what is in it, docs/populations.md what
the ones here do and where their numbers are from. `mixed calibrate` writes one from an export.
"""

from __future__ import annotations

from bots.populations.form import Described, Last, Spread, Type, names, read
from bots.populations.policy import Population, population_of
from bots.populations.writing import text

__all__ = [
    "Described",
    "Last",
    "Population",
    "Spread",
    "Type",
    "names",
    "population_of",
    "read",
    "text",
]
