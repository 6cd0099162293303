"""Messages that a policy sends and reads if its group may talk (`Policy.say`, `Policy.hear`).

    def say(self, talk, observation, rng): return talk.saying("I will take 2.")

A policy is asked at the start of every talk phase. It sees what a person in its seat sees, and can
send one message, which is sent after the time that a person would need. It can send only what a
person could send. Its message depends only on the arguments, so it can be recomputed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


class Heard(NamedTuple):
    """Message that reached a seat, or that the seat wrote.

    period   the current or next period when it was written
    seat     the seat that wrote it
    to       the seat it was addressed to; None for all seats in reach
    """

    period: int
    seat: int
    to: int | None
    text: str


class Saying(NamedTuple):
    """Message from a policy: its text, or the index of one of the session's sentences."""

    text: str | None = None
    sentence: int | None = None
    to: int | None = None


class Talk(NamedTuple):
    """A group's talk as a policy in one seat sees it.

    seat, period   its seat, and the current or next period
    heard          messages that reached the seat or that it wrote, oldest first
    sentences      allowed sentences; empty if any text is allowed
    length         maximum length of a message in characters
    partners       the other seats it can write to
    to_one         whether a message must be addressed to one of them
    """

    seat: int
    period: int
    heard: Sequence[Heard]
    sentences: Sequence[str] = ()
    length: int = 200
    partners: Sequence[int] = ()
    to_one: bool = False

    def saying(self, text: str, to: int | None = None) -> Saying:
        """Return this text as a message or, if there is a list of sentences, the nearest sentence.

        If a message must be addressed to a seat and `to` is None, it goes to the seat after the
        policy's own.
        """
        if self.to_one and to is None:
            after = sorted(self.partners, key=lambda seat: (seat < self.seat, seat))
            to = after[0] if after else None
        if self.sentences:
            return Saying(sentence=nearest_sentence(text, self.sentences), to=to)
        return Saying(text=text, to=to)


def number_in(text: str) -> float | None:
    """Return the first number in a text, written as 2.5 or 2,5; None if there is none."""
    match = _NUMBER.search(text)
    return None if match is None else float(match[0].replace(",", "."))


def nearest_sentence(text: str, sentences: Sequence[str]) -> int:
    """Return the index of the sentence whose number is nearest to the number in a text.

    Ties, and texts without a number, are decided by the most similar sentence, then by the first.
    """
    number = number_in(text)

    def distance(index: int) -> tuple[float, float]:
        value = number_in(sentences[index])
        apart = 0.0 if number is None else math.inf if value is None else abs(value - number)
        return apart, -SequenceMatcher(None, text, sentences[index], autojunk=False).ratio()

    return min(range(len(sentences)), key=distance)
