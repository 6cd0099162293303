"""The lobby: who plays with whom, and what happens when the promised wait is over.

People are grouped in the order in which they arrived, as soon as enough of them are there. Each
is promised a longest wait. When somebody's promise runs out,

    bots      everybody who waits starts with bots on the empty seats
    extend    that promise is renewed once; after that as `bots`
    release   he or she is released and paid for coming

Pure: the people, the options and the time go in, decisions come out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from table.options import Options

__all__ = ["PRESENT_MS", "Decision", "Waiting", "decide", "promise_ms"]

PRESENT_MS = 15_000
"""Who has not been heard of for so long is not in the room."""


@dataclass(frozen=True)
class Waiting:
    """A person in the lobby; times in milliseconds."""

    key: int
    arrived_ms: int
    heard_ms: int
    extended: bool = False


@dataclass(frozen=True)
class Decision:
    """`form` a group of these people (bots fill the rest), `extend` or `release` one of them."""

    kind: Literal["form", "extend", "release"]
    keys: tuple[int, ...]


def promise_ms(person: Waiting, options: Options) -> int:
    """Until when this person was told to wait at most."""
    rounds = 2 if person.extended else 1
    return person.arrived_ms + rounds * round(1000 * options.lobby_seconds)


def decide(waiting: Sequence[Waiting], options: Options, now: int) -> list[Decision]:
    """Everything that is to happen now, in order; nobody is named twice in a group."""
    here = [each for each in waiting if now - each.heard_ms <= PRESENT_MS]
    here.sort(key=lambda each: (each.arrived_ms, each.key))
    decisions: list[Decision] = []
    while here:
        size = options.people_per_group
        if len(here) >= size:
            group, here = here[:size], here[size:]
            decisions.append(Decision("form", tuple(each.key for each in group)))
            continue
        due = [each for each in here if promise_ms(each, options) <= now]
        fresh = [each for each in due if not each.extended]
        if not due:
            break
        if options.lobby_outcome == "extend" and fresh:
            decisions += [Decision("extend", (each.key,)) for each in fresh]
            here = [replace(each, extended=True) if each in fresh else each for each in here]
        elif options.lobby_outcome == "release":
            decisions += [Decision("release", (each.key,)) for each in due]
            here = [each for each in here if each not in due]
        else:
            decisions.append(Decision("form", tuple(each.key for each in here)))
            here = []
    return decisions
