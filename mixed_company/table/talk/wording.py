"""Texts that are not allowed as messages: empty, too long, unprintable, or on a session's
blocklist.

Markup is treated like any other text; pages show every message exactly as written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from mixed_company.language import gettext as _

LONGEST = 1000
"""Upper limit for the maximum message length."""

_TURNS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the direction of the text that follows, even outside a message."""

_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols without a visible glyph."""

_UNSEEN = ("Cf", "Mn", "Zs")
"""Categories of characters that are invisible on their own."""


def unwritable(text: str, longest: int) -> str | None:
    """Return why a text is not allowed, as a sentence, or None if it is."""
    if not _is_visible(text):
        return _("the message is empty")
    if len(text) > longest:
        return _("the message has {n} characters, but at most {most} are allowed").format(
            n=len(text), most=longest
        )
    if any(
        sign in _TURNS or unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") for sign in text
    ):
        return _("the message contains a character that cannot be shown")
    return None


def _is_visible(text: str) -> bool:
    """Return whether a text has a visible character."""
    signs = text.strip()
    return any(sign not in _BLANK and unicodedata.category(sign) not in _UNSEEN for sign in signs)


def is_blocked(text: str, words: Sequence[str]) -> bool:
    """Return whether a text contains one of these words or phrases as whole words, ignoring
    case.
    """
    return bool(words) and _pattern_of(tuple(words)).search(_plain(text)) is not None


@lru_cache(maxsize=64)
def _pattern_of(words: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern that finds any of the words between non-alphanumeric characters.

    The pattern is cached, because the list can be long.
    """
    listed = "|".join(re.escape(_plain(word)) for word in words)
    return re.compile(rf"(?<![^\W_])(?:{listed})(?![^\W_])")


def _plain(text: str) -> str:
    return " ".join(_folded(text).split())


def _folded(text: str) -> str:
    """Return a text in plain letters, without accents or invisible characters."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in apart if unicodedata.category(sign) not in ("Mn", "Cf"))
