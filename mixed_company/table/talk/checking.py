"""Checks on messages. They are the same for people and policies, but the reasons are worded for
people.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mixed_company.engine.game import Game
from mixed_company.language import gettext as _
from mixed_company.table.options import Options
from mixed_company.table.talk import among
from mixed_company.table.talk.memory import Utterance
from mixed_company.table.talk.wording import unwritable

MINUTE_MS = 60_000


def words_of(
    options: Options, text: str | None, sentence: int | None
) -> tuple[str, int | None] | str:
    """Return the text of a message and its place in the list, or why it cannot be sent."""
    if options.talk == "list":
        if sentence is None or not 0 <= sentence < len(options.talk_sentences):
            return _("choose one of the sentences")
        return options.talk_sentences[sentence], sentence
    if text is None:
        return _("there are no sentences to choose from; write a message")
    why = unwritable(text, options.talk_length)
    return (text.strip(), None) if why is None else why


def why_not_to(game: Game[Any], options: Options, seat: int, to: int | None) -> str | None:
    """Return why a seat cannot write to another seat, or to everyone (None); None if it can."""
    if not among.can_write(game, options, seat):
        return _("your role can read messages but not write them")
    if options.talk_with == "one":
        if to is None:
            return _("choose a player to write to")
        if to not in among.partners(game, options, seat):
            return _("you cannot write to this player")
    elif to is not None:
        return _("messages go to everybody who can read them, not to one player")
    return None


def is_too_often(messages: Iterable[Utterance], options: Options, seat: int, time_ms: int) -> bool:
    """Return whether a seat has sent the maximum number of messages within the last 60 s."""
    lately = sum(
        message.seat == seat and time_ms - message.at_ms < MINUTE_MS for message in messages
    )
    return lately >= options.talk_per_minute
