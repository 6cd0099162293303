"""What a policy reads and writes where its group talks (`Policy.say`, `Policy.hear`).

    def say(self, talk, observation, rng): return talk.saying("I will take 2.")

It is asked at the beginning of each time for talk, sees what a person on its seat sees, and can
say one thing, which is sent after a time that people need as well. What people could not send it
cannot send either. What it says follows from what it is given here alone, so that it can be
computed again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

__all__ = ["Heard", "Saying", "Talk", "nearest_sentence", "number_in"]

_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


class Heard(NamedTuple):
    """A message that reached a seat, or that was written there.

    period   the period that came next, or was played, when it was written
    seat     who wrote it
    to       the seat it was for; None: all whom it could reach
    """

    period: int
    seat: int
    to: int | None
    text: str


class Saying(NamedTuple):
    """What a policy says: a text, or the place of one of the session's sentences."""

    text: str | None = None
    sentence: int | None = None
    to: int | None = None


class Talk(NamedTuple):
    """What a policy on a seat knows of the talk of its group.

    seat, period   its seat, and the period that comes next or is played
    heard          what reached the seat or was written there, oldest first
    sentences      what can be said; empty: anything
    length         characters of a message at most
    partners       the other seats that it can write to
    one            is a message for one of them, who must be named?
    """

    seat: int
    period: int
    heard: Sequence[Heard]
    sentences: Sequence[str] = ()
    length: int = 200
    partners: Sequence[int] = ()
    one: bool = False

    def saying(self, text: str, to: int | None = None) -> Saying:
        """This text; where there is a list, the sentence that is nearest to it. Where a message is
        for one, and none is named, it is for the first seat after its own."""
        if self.one and to is None:
            after = sorted(self.partners, key=lambda seat: (seat < self.seat, seat))
            to = after[0] if after else None
        if self.sentences:
            return Saying(sentence=nearest_sentence(text, self.sentences), to=to)
        return Saying(text=text, to=to)


def number_in(text: str) -> float | None:
    """The first number of a text, as people write it: 2.5 or 2,5; None: it has none."""
    match = _NUMBER.search(text)
    return None if match is None else float(match[0].replace(",", "."))


def nearest_sentence(text: str, sentences: Sequence[str]) -> int:
    """The place of the sentence whose number is nearest to that of a text; of these, or where there
    are no numbers, of the one with the most letters in common, the first."""
    number = number_in(text)

    def distance(place: int) -> tuple[float, float]:
        own = number_in(sentences[place])
        apart = 0.0 if number is None else math.inf if own is None else abs(own - number)
        return apart, -SequenceMatcher(None, text, sentences[place], autojunk=False).ratio()

    return min(range(len(sentences)), key=distance)
