"""Policies' messages; each policy is asked at the start of each talk phase.

A bot takes as long to write as people do; then the message is sent. A message that is not
finished in time is never sent. An unlabelled bot that finishes early lets the talk go on for as
long as a person might. All of this follows from the seed of the play, so `mixed check` can
recompute it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from mixed_company.engine.contract import chance
from mixed_company.engine.contract.space import Arrays
from mixed_company.engine.game import Game
from mixed_company.language import speaking
from mixed_company.policies.asking import ask_to_say
from mixed_company.policies.policy import Policy
from mixed_company.policies.spec import parse
from mixed_company.policies.talk import Heard, Saying, Talk
from mixed_company.table.options import Options
from mixed_company.table.talk import among
from mixed_company.table.talk.checking import why_not_to, words_of
from mixed_company.table.talk.memory import Composed, Utterance

_THINKING_SECONDS = 4.0
_SECONDS_PER_CHARACTER = 0.2
"""Time that people take to type a character, at about 60 words a minute."""

_SPREAD = 0.4


def talk_of(
    messages: Iterable[Utterance], game: Game[Any], options: Options, seat: int, period: int
) -> Talk:
    """Return the talk as the policy in a seat sees it."""
    heard = [message for message in messages if seat in message.readers]
    return Talk(
        seat,
        period,
        tuple(Heard(message.period, message.seat, message.to, message.text) for message in heard),
        options.talk_sentences,
        options.talk_length,
        among.partners(game, options, seat),
        options.talk_with == "one",
    )


def asked(
    policy: Policy,
    options: Options,
    talk: Talk,
    seen: Arrays,
    seed: int,
    budget: float = math.inf,
    patience: float = math.inf,
) -> Saying | str | None:
    """Return a policy's message in the session's language or, as a string, why there is none."""
    rng = chance.generator(seed, f"talk of seat {talk.seat}", talk.period)
    with speaking(options.language):
        return ask_to_say(policy, talk, seen, rng, budget, patience)


def composed(
    game: Game[Any], options: Options, talk: Talk, seed: int, saying: Saying, time_ms: int
) -> Composed | None:
    """Return the message that a policy begins to write; None if it is not allowed or too late."""
    if why_not_to(game, options, talk.seat, saying.to) is not None:
        return None
    words = words_of(options, saying.text, saying.sentence)
    if isinstance(words, str):
        return None
    sent_ms = time_ms + writing_ms(options, seed, talk.seat, talk.period, words[0])
    limited = options.talk_apart or options.talk_seconds > 0
    if limited and sent_ms >= time_ms + round(1000 * options.talk_seconds):
        return None
    return Composed(sent_ms, *words, saying.to)


def writing_ms(options: Options, seed: int, seat: int, period: int, text: str) -> int:
    """Return how long a bot takes to write or choose a message or, if it is empty, to think."""
    typed = 0.0 if options.talk == "list" else _SECONDS_PER_CHARACTER * len(text)
    return _drawn_ms(options.bot_delay, seed, f"writing of seat {seat}", period, typed)


def reading_ms(options: Options, seed: int, seat: int, period: int) -> int:
    """Return how long a bot appears to read after its message before it is ready to go on."""
    return _drawn_ms(options.bot_delay, seed, f"reading of seat {seat}", period, _THINKING_SECONDS)


def _drawn_ms(delay: str, seed: int, name: str, period: int, typed: float) -> int:
    kind, parameters = parse(delay)
    if kind == "instant":
        return 0
    if kind == "fixed":
        return round(1000 * parameters.get("seconds", 2.0))
    drawn = float(chance.stream(seed, name, period).normal())
    return round(1000 * (_THINKING_SECONDS + typed) * math.exp(_SPREAD * drawn))
