"""Whether something can be said: the same rules for people and policies, in sentences for people.

A message is not empty, not too long and printable; words of the session's blocklist block it.
Markup is a text like any other: pages show every message as it was written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from mixed_company.engine.game import Game
from mixed_company.language import gettext as _
from mixed_company.table.options import Options
from mixed_company.table.talk import among
from mixed_company.table.talk.memory import Utterance

__all__ = [
    "LONGEST",
    "MINUTE_MS",
    "is_blocked",
    "is_too_often",
    "unwritable",
    "why_not_to",
    "words_of",
]

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


MINUTE_MS = 60_000


def words_of(
    options: Options, text: str | None, sentence: int | None
) -> tuple[str, int | None] | str:
    """The text of what is said and its place in the list; or why it cannot be said."""
    if options.talk == "list":
        if sentence is None or not 0 <= sentence < len(options.talk_sentences):
            return _("choose one of the sentences")
        return options.talk_sentences[sentence], sentence
    if text is None:
        return _("there is no list of sentences; write a message")
    why = unwritable(text, options.talk_length)
    return (text.strip(), None) if why is None else why


def why_not_to(game: Game[Any], options: Options, seat: int, to: int | None) -> str | None:
    """Why a seat cannot write to another, or to all (None); None: it can."""
    if not among.can_write(game, options, seat):
        return _("your role can read messages and not write any")
    if options.talk_with == "one":
        if to is None:
            return _("choose a player to write to")
        if to not in among.partners(game, options, seat):
            return _("there is no such player to write to")
    elif to is not None:
        return _("what is written here is for all who can read it, not for one player")
    return None


def is_too_often(messages: Iterable[Utterance], options: Options, seat: int, at: int) -> bool:
    """Has a seat written as many messages in the last 60 s as it can?"""
    lately = (one for one in messages if one.seat == seat and at - one.at_ms < MINUTE_MS)
    return sum(1 for _one in lately) >= options.talk_per_minute
