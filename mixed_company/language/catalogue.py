"""The gettext catalogues; each is read only once."""

from __future__ import annotations

import gettext
from functools import cache
from pathlib import Path

SOURCE = "en"
"""Language of the sources, which needs no catalogue."""

FOLDER = Path(__file__).resolve().parent / "catalogues"


def translated(text: str) -> str:
    """Return a text unchanged. This marks it for `gettext`, so `mixed languages` finds it."""
    return text


def pair(singular: str, plural: str) -> tuple[str, str]:
    """Return a singular and a plural unchanged. This marks them for `ngettext` or `forms`."""
    return singular, plural


NUMBER = translated("1.5")
"""The number 1.5 as a text; its translation shows a language's decimal separator."""


LACKS = "games that are not translated"
"""Catalogue key for the games whose texts are not fully translated, separated by spaces."""


class Catalogue:
    """The texts in one language.

    code    the language, as in `<html lang>`
    point   decimal separator
    lacks   games with an untranslated text, which cannot be played in this language
    """

    def __init__(self, code: str, texts: gettext.NullTranslations) -> None:
        self.code = code
        self._texts = texts
        self.point = self.text(NUMBER)[1]
        games = texts.gettext(LACKS)
        self.lacks = frozenset(games.split() if games != LACKS else ())
        form = getattr(texts, "plural", lambda number: int(number != 1))
        self._one_below_two = form(0) == form(1)

    def text(self, text: str) -> str:
        """Return the translation of a text, or the text itself if the catalogue has none."""
        return self._texts.gettext(text) if text else ""

    def counted(self, singular: str, plural: str, number: float) -> str:
        """Return the translation of a text in the form for this number.

        Numbers that are not whole take the plural. But in languages in which 0 takes the singular,
        such as French, all numbers below 2 take the singular ("1,5 point").
        """
        size = abs(number)
        whole = int(size)
        if whole != size and not self._one_below_two:
            whole = 2
        return self._texts.ngettext(singular, plural, whole)


def file_of(code: str, ending: str) -> Path:
    """Return a language's catalogue file: `po`, which people edit, or `mo`, which this module
    reads."""
    return FOLDER / f"{code}.{ending}"


@cache
def codes() -> tuple[str, ...]:
    """Return all available languages, English first.

    A language is available if its catalogue contains every text that games share.
    """
    return (SOURCE, *sorted(path.stem for path in FOLDER.glob("*.mo")))


@cache
def opened(code: str) -> Catalogue:
    """Return the catalogue of a language in `codes`. Raises KeyError for any other code."""
    if code not in codes():
        raise KeyError(code)
    if code == SOURCE:
        return Catalogue(code, gettext.NullTranslations())
    with file_of(code, "mo").open("rb") as file:
        return Catalogue(code, gettext.GNUTranslations(file))
