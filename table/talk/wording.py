"""What is no message: empty, too long, unprintable; and what stands on a session's blocklist.

Markup is a text like any other: pages show every message as it was written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from language import gettext as _

__all__ = ["LONGEST", "is_blocked", "unwritable"]

LONGEST = 1000
"""No session lets people write more at once."""

_TURNS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Signs that turn the direction of what follows, also outside of a message."""


def unwritable(text: str, longest: int) -> str | None:
    """Why a text is no message, in a sentence; None: it is one."""
    if not text.strip():
        return _("the message is empty")
    if len(text) > longest:
        return _("the message has {n} characters; at most {most}").format(n=len(text), most=longest)
    if any(
        sign in _TURNS or unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") for sign in text
    ):
        return _("the message has a character that cannot be shown")
    return None


def is_blocked(text: str, words: Sequence[str]) -> bool:
    """Does a text have one of these words or phrases, whole, in small letters or not?"""
    plain = " ".join(_folded(text).split())
    return any(_stands_in(" ".join(_folded(word).split()), plain) for word in words)


def _folded(text: str) -> str:
    """Letters in their plainest form, without what stands on or in them that is not seen."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in apart if unicodedata.category(sign) not in ("Mn", "Cf"))


def _stands_in(word: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None
