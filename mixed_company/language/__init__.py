"""The language of the texts that people read. Each session on a server can have a different
language.

    with speaking("de"):
        gettext("Next")                                  "Weiter"
        ngettext("{n} fish", "{n} fish", 2)              "{n} Fische"
        forms("{n} fish", "{n} fish")                    all forms, for a page to choose from
        decimals("2.5")                                  "2,5"

Texts in the sources are English; translations are in gettext catalogues,
`mixed_company/language/catalogues/<code>.po`. `mixed languages` collects the texts, and compiles
catalogues to the files that are read here. Outside `speaking` everything is English.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from mixed_company.language.catalogue import SOURCE, Catalogue, codes, opened, pair, translated

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
"""Texts by name, for a page, which fills their placeholders. A text is a string, or all its
`forms`."""

COUNTS = (0, 1, 2, 3, 5, 11, 100)
"""Numbers that together cover every form that any language has for whole numbers."""

_SPOKEN: ContextVar[Catalogue] = ContextVar("spoken")


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Use one of the languages in `codes` within the block, in this thread or task only.

    Raises KeyError for a language that has no complete catalogue.
    """
    before = _SPOKEN.set(opened(code))
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def _present() -> Catalogue:
    return _SPOKEN.get(opened(SOURCE))


def spoken() -> str:
    """Return the code of the current language."""
    return _present().code


def gettext(text: str) -> str:
    """Return a text in the current language, or in English if there is no translation."""
    return _present().text(text)


def ngettext(singular: str, plural: str, number: float) -> str:
    """Return the translation of an English `singular` and `plural`, in the form for this number."""
    return _present().counted(singular, plural, number)


def forms(singular: str, plural: str) -> dict[str, str]:
    """Return the forms of a text for each of COUNTS; a page picks the form for its number.

    The placeholder for the number, if the text has one, is `{n}`.
    """
    return {str(count): ngettext(singular, plural, count) for count in COUNTS}


def decimals(number: str) -> str:
    """Return a number, written as in Python, in the current language's notation: 2.5 or 2,5."""
    return number.replace(".", _present().point)
