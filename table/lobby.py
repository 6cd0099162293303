"""The lobby: who plays with whom, and what happens when the promised wait is over.

People are grouped in the order in which they arrived, as soon as enough of them are there. Each
is promised a longest wait. When somebody's promise runs out,

    bots      everybody who waits starts with bots on the empty seats
    extend    that promise is renewed once; after that as `bots`
    release   he or she is released and paid for coming

Pure: the people, the options and the time go in, what is to happen comes out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from table.options import Options
from table.protocol import LobbyView, Message, Refusal

__all__ = ["PRESENT_MS", "Change", "Waiting", "changes", "promise_ms", "refusal", "waiting_view"]

PRESENT_MS = 15_000
"""Who has not been heard of for so long is not in the room."""


@dataclass(frozen=True)
class Waiting:
    """A person in the lobby; times in milliseconds."""

    key: int
    arrived_ms: int
    heard_ms: int
    extended: bool = False

    def here(self, now: int) -> bool:
        """Is this person in the room?"""
        return now - self.heard_ms <= PRESENT_MS


@dataclass(frozen=True)
class Change:
    """`form` a group of these people (bots fill the rest), `extend` or `release` one of them."""

    kind: Literal["form", "extend", "release"]
    keys: tuple[int, ...]


def promise_ms(person: Waiting, options: Options) -> int:
    """Until when this person was promised to wait at most."""
    rounds = 2 if person.extended else 1
    return person.arrived_ms + rounds * round(1000 * options.lobby_seconds)


def changes(waiting: Sequence[Waiting], options: Options, now: int) -> list[Change]:
    """Everything that is to happen now, in order; nobody is named twice in a group."""
    here = [person for person in waiting if person.here(now)]
    here.sort(key=lambda person: (person.arrived_ms, person.key))
    listed: list[Change] = []
    while here:
        size = options.people_per_group
        if len(here) >= size:
            group, here = here[:size], here[size:]
            listed.append(Change("form", tuple(person.key for person in group)))
            continue
        due = [person for person in here if promise_ms(person, options) <= now]
        fresh = [person for person in due if not person.extended]
        if not due:
            break
        if options.lobby_outcome == "extend" and fresh:
            listed += [Change("extend", (person.key,)) for person in fresh]
            here = [
                replace(person, extended=True) if person in fresh else person for person in here
            ]
        elif options.lobby_outcome == "release":
            listed += [Change("release", (person.key,)) for person in due]
            here = [person for person in here if person not in due]
        else:
            listed.append(Change("form", tuple(person.key for person in here)))
            here = []
    return listed


def refusal(message: Message) -> Refusal | None:
    """Why a message is not taken in a lobby; None: it is."""
    if message.kind == "act":
        return Refusal("the game has not started yet", message.id)
    return None


def waiting_view(
    person: Waiting, waiting: Sequence[Waiting], options: Options, now: int
) -> LobbyView:
    """What the lobby shows a person who waits."""
    here = sum(other.here(now) for other in waiting)
    return LobbyView(
        phase="waiting",
        here=min(here, options.people_per_group),
        needed=options.people_per_group,
        extended=person.extended,
        remaining_ms=max(promise_ms(person, options) - now, 0),
    )
