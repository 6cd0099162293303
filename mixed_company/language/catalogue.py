"""The catalogues of gettext, each read once, whatever is said in it."""

from __future__ import annotations

import gettext
from functools import cache
from pathlib import Path

from mixed_company.language.marking import translated

__all__ = ["FOLDER", "LACKS", "NUMBER", "SOURCE", "Catalogue", "codes", "file_of", "opened"]

SOURCE = "en"
"""The language of the sources, which needs no catalogue."""

FOLDER = Path(__file__).resolve().parent / "catalogues"

NUMBER = translated("1.5")
"""One and a half, a text like any other: its translation shows what separates decimals."""


LACKS = "games that are not translated"
"""The key in a catalogue of the games whose own texts it lacks, with a space between them."""


class Catalogue:
    """The texts of one language.

    code    the language, as in `<html lang>`
    point   what separates decimals
    lacks   the games of which a text is not translated; they are not played in this language
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
        """A text in this language; itself where the catalogue has none."""
        return self._texts.gettext(text) if text else ""

    def counted(self, one: str, many: str, number: float) -> str:
        """The form of a text for a number of things.

        One that is not whole has the form of many; but where even 0 has the form of one, as in
        French, so has all below 2 ("1,5 point").
        """
        size = abs(number)
        whole = int(size)
        if whole != size and not self._one_below_two:
            whole = 2
        return self._texts.ngettext(one, many, whole)


def file_of(code: str, ending: str) -> Path:
    """The file of a language: `po`, which people write, or `mo`, which is read here."""
    return FOLDER / f"{code}.{ending}"


@cache
def codes() -> tuple[str, ...]:
    """All languages that can be spoken, English first.

    Their catalogues lack none of the texts that games share.
    """
    return (SOURCE, *sorted(path.stem for path in FOLDER.glob("*.mo")))


@cache
def opened(code: str) -> Catalogue:
    """The catalogue of a language of `codes`. Raises KeyError for another."""
    if code not in codes():
        raise KeyError(code)
    if code == SOURCE:
        return Catalogue(code, gettext.NullTranslations())
    with file_of(code, "mo").open("rb") as file:
        return Catalogue(code, gettext.GNUTranslations(file))
