"""What the quantities of a game are called to people, where layers and roles are told.

A field declares its meaning for codebooks; people read as much of it as is said in words, in their
language. A game's own words, its roles and choices among them, are in the `QUANTITIES` of its app.
"""

from __future__ import annotations

import re
from typing import Any

from mixed_company.engine.contract.space import Field
from mixed_company.engine.game import Game
from mixed_company.language import gettext as _
from mixed_company.language import translated

__all__ = ["QUANTITIES", "begun", "called", "in_words"]

QUANTITIES = (
    translated("own group"),
    translated("points of each group so far"),
    translated("points of the last period"),
    translated("mean cooperation of each seat"),
    translated("cooperation in the last periods, latest first"),
    translated("points to be paid in 1"),
    translated("periods played so far"),
    translated("the period to decide now"),
    translated("the seat that sees this"),
    translated("the play is over for this seat"),
)
"""Those that are in all games."""

_CODES = re.compile(r"[,:;] (-?\d|from 0|one-hot|empty).*")
"""What follows in a meaning when its words are over: what numbers stand for."""


def called(game: Game[Any], field: Field) -> str:
    """A field in words, inside a sentence."""
    if field.names and field in game.declaration.actions:
        return _("what to do")
    return in_words(field.meaning)


def in_words(meaning: str) -> str:
    """A declared meaning, without what its numbers stand for."""
    of_others = {
        "sum over the own group: ": _("sum over the own group: {what}"),
        "decided by the seats before, this period: ": _(
            "decided by the seats before, this period: {what}"
        ),
        "seen later: ": _("seen later: {what}"),
    }
    for start, whole in of_others.items():
        if meaning.startswith(start):
            return whole.format(what=in_words(meaning.removeprefix(start)))
    return _(_CODES.sub("", meaning))


def begun(what: str) -> str:
    """Words as they begin a sentence; all others stay as they are, such as nouns in German."""
    return what[:1].upper() + what[1:]
