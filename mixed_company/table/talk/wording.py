"""What is no message: empty, too long, unprintable; and what stands on a session's blocklist.

Markup is a text like any other: pages show every message as it was written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from mixed_company.language import gettext as _

__all__ = ["LONGEST", "is_blocked", "unwritable"]

LONGEST = 1000
"""No session lets people write more at once."""

_TURNS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Signs that turn the direction of what follows, also outside of a message."""

_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs of which nothing is drawn."""

_UNSEEN = ("Cf", "Mn", "Zs")
"""Categories of signs of which nothing is to be seen without another one."""


def unwritable(text: str, longest: int) -> str | None:
    """Why a text is no message, in a sentence; None: it is one."""
    if not _is_seen(text):
        return _("the message is empty")
    if len(text) > longest:
        return _("the message has {n} characters; at most {most}").format(n=len(text), most=longest)
    if any(
        sign in _TURNS or unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") for sign in text
    ):
        return _("the message has a character that cannot be shown")
    return None


def _is_seen(text: str) -> bool:
    """Is there anything to be seen of it?"""
    signs = text.strip()
    return any(sign not in _BLANK and unicodedata.category(sign) not in _UNSEEN for sign in signs)


def is_blocked(text: str, words: Sequence[str]) -> bool:
    """Does a text have one of these words or phrases, whole, in small letters or not?"""
    return bool(words) and _standing(tuple(words)).search(_plain(text)) is not None


@lru_cache(maxsize=64)
def _standing(words: tuple[str, ...]) -> re.Pattern[str]:
    """Finds one of the words, between what is no letter and no figure; made once for a list, which
    can be long."""
    listed = "|".join(re.escape(_plain(word)) for word in words)
    return re.compile(rf"(?<![^\W_])(?:{listed})(?![^\W_])")


def _plain(text: str) -> str:
    return " ".join(_folded(text).split())


def _folded(text: str) -> str:
    """Letters in their plainest form, without what stands on or in them that is not seen."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in apart if unicodedata.category(sign) not in ("Mn", "Cf"))
