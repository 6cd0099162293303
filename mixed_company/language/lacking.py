"""What a language lacks of all that the sources say, as a server reads it (`.mo`).

A catalogue was whole when it was made; a text that was added since is said in English.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterable

from mixed_company.language.catalogue import SOURCE, file_of
from mixed_company.language.sources import Text

__all__ = ["lacking"]


class _Nothing(gettext.NullTranslations):
    """Says nothing in place of what a catalogue lacks."""

    def gettext(self, message: str) -> str:
        return ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return ""


def lacking(code: str, spoken: Iterable[Text]) -> list[str]:
    """Those of the texts that a language has no words for; none where it is English."""
    if code == SOURCE:
        return []
    with file_of(code, "mo").open("rb") as file:
        catalogue = gettext.GNUTranslations(file)
    catalogue.add_fallback(_Nothing())
    return [text.one for text in spoken if not _words(catalogue, text)]


def _words(catalogue: gettext.NullTranslations, text: Text) -> str:
    if text.many:
        return catalogue.ngettext(text.one, text.many, 2)
    return catalogue.gettext(text.one)
