"""Populations: types of people with their shares. In every play, each seat's type is drawn at
random; it may change with experience.

    policies.make("population:fischbacher_gaechter_2010", game)     a population of this project
    policies.make("population:mine.toml", game)                     a population in a file of your
                                                                    own

Each population is one file, bots/populations/NAME.toml. `policies.populations.form` defines its
keys, and docs/populations.md describes this project's populations and their sources. `mixed
calibrate` writes a population from an export.
"""

from __future__ import annotations

from mixed_company.policies.populations.form import (
    Described,
    Last,
    Move,
    Spread,
    Type,
    names,
    read,
    text,
)
from mixed_company.policies.populations.policy import Population, judged, population_of

__all__ = [
    "Described",
    "Last",
    "Move",
    "Population",
    "Spread",
    "Type",
    "judged",
    "names",
    "population_of",
    "read",
    "text",
]
