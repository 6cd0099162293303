"""The language in which people are spoken to: each session has its own, in one server.

    with speaking("de"):
        gettext("Next")                                  "Weiter"
        ngettext("{n} fish", "{n} fish", 2)              "{n} Fische"
        forms("{n} fish", "{n} fish")                    all forms, for a page to choose from
        decimals("2.5")                                  "2,5"

Texts in the sources are English; what they are in another language is a catalogue of gettext,
`mixed_company/language/catalogues/<code>.po`. `mixed languages` finds the texts, and makes of a
catalogue that lacks none the file that is read here. Outside `speaking` everything is English.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from mixed_company.language.catalogue import SOURCE, Catalogue, codes, opened
from mixed_company.language.marking import pair, translated

__all__ = [
    "SOURCE",
    "Words",
    "codes",
    "decimals",
    "forms",
    "gettext",
    "ngettext",
    "pair",
    "speaking",
    "spoken",
    "translated",
]

Words = dict[str, Any]
"""Texts by name for a page, which fills their gaps: each a text, or all of its `forms`."""

COUNTS = (0, 1, 2, 3, 5, 11, 100)
"""Of all forms that a language has for whole numbers, each is that of one of these."""

_SPOKEN: ContextVar[Catalogue] = ContextVar("spoken")


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Say everything in a language of `codes` meanwhile, in this thread or task alone.

    Raises KeyError for a language that has no whole catalogue.
    """
    before = _SPOKEN.set(opened(code))
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def _present() -> Catalogue:
    return _SPOKEN.get(opened(SOURCE))


def spoken() -> str:
    """The code of the present language."""
    return _present().code


def gettext(text: str) -> str:
    """A text of the sources in the present language; itself where the language has none."""
    return _present().text(text)


def ngettext(one: str, many: str, number: float) -> str:
    """The form of a text for a number of things: `one` and `many` are the English ones."""
    return _present().counted(one, many, number)


def forms(one: str, many: str) -> dict[str, str]:
    """A text by number, for each of COUNTS: a page takes that of the count which is of the kind of
    its number. `{n}` is the number, if the text has it."""
    return {str(count): ngettext(one, many, count) for count in COUNTS}


def decimals(number: str) -> str:
    """A number as Python writes it, as the present language does: 2.5 or 2,5."""
    return number.replace(".", _present().point)
