"""Texts in the sources that are missing from a language's compiled catalogue (`.mo`).

Texts that were added after a catalogue was compiled appear in English.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterable

from mixed_company.language.catalogue import SOURCE, file_of
from mixed_company.language.sources import Text


class _Nothing(gettext.NullTranslations):
    """Fallback that returns an empty string for every text that a catalogue lacks."""

    def gettext(self, message: str) -> str:
        return ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return ""


def lacking(code: str, spoken: Iterable[Text]) -> list[str]:
    """Return the texts without a translation in this language; the list is empty for English."""
    if code == SOURCE:
        return []
    with file_of(code, "mo").open("rb") as file:
        catalogue = gettext.GNUTranslations(file)
    catalogue.add_fallback(_Nothing())
    return [text.singular for text in spoken if not _words(catalogue, text)]


def _words(catalogue: gettext.NullTranslations, text: Text) -> str:
    if text.plural:
        return catalogue.ngettext(text.singular, text.plural, 2)
    return catalogue.gettext(text.singular)
