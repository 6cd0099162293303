"""Populations: types of people with their shares, drawn anew for every seat of every play.

    policies.make("population:fischbacher_gaechter_2010", game)     one of those that are here
    policies.make("population:mine.toml", game)                     one of one's own, in a file

Each is one file, bots/populations/NAME.toml; `policies.populations.form` says what is in it,
docs/populations.md what these do and where their numbers are from. `mixed calibrate` writes one
from an export.
"""

from __future__ import annotations

from mixed_company.policies.populations.form import (
    Described,
    Last,
    Spread,
    Type,
    names,
    read,
    text,
)
from mixed_company.policies.populations.policy import Population, population_of

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
