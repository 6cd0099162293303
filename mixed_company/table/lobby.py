"""The lobby: who plays with whom, and what happens when the promised wait is over.

People are grouped in the order in which they arrived, as soon as enough of them are there. Each
is promised a longest wait. When somebody's promise runs out,

    bots      everybody who waits starts with bots on the empty seats
    extend    that promise is renewed once; after that as `bots`
    release   he or she is released and paid for coming

Only who has a page open and answers is there: whoever is silent for ASK_MS is asked, by a view, and
whoever is still silent after PRESENT_MS is in no group until the page is heard of again, and has
left GONE_MS after twice the promise. Who reads or answers the quiz is not in the lobby, and nobody
waits for him or her longer than promised.

Pure: the people, the options and the time go in, what is to happen comes out.

    lobby = Lobby(options)
    lobby.arrive(7, now=0)             person 7 has come
    lobby.advance(now=0)               [Change("form", (4, 7))]: what is to happen now
    lobby.next_due(now=0)              when something happens next by itself
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from mixed_company.table.options import Options
from mixed_company.table.protocol import LobbyView, Message, Refusal
from mixed_company.table.talk import parsing

__all__ = [
    "ASK_MS",
    "GONE_MS",
    "PRESENT_MS",
    "Change",
    "Lobby",
    "Waiting",
    "changes",
    "promise_ms",
    "refusal",
]

ASK_MS = 4_000
"""Who has not been heard of for so long is asked: a page says every 3 s that it is there, but a
hidden one is slowed down, and answers all the same."""

PRESENT_MS = 7_000
"""Who has not been heard of for so long is not in the room."""

GONE_MS = 60_000
"""Who is not in the room so long after the promise, renewed or not, is over, has left."""


@dataclass(frozen=True)
class Waiting:
    """A person in the lobby; times in milliseconds.

    extended   was the promise renewed
    open       is a page of the person open
    probed     has the person been asked since he or she was last heard of
    held_ms    the promise is not over before then: the server was away, and pages come back
    hurried    the promise is over, because the manager said so
    note       what the manager wrote to the person last: its id and text
    treatment  whom the person can be in a group with; empty: the session has no treatments
    """

    key: int
    arrived_ms: int
    heard_ms: int
    extended: bool = False
    open: bool = True
    probed: bool = False
    held_ms: int = 0
    hurried: bool = False
    note: dict[str, str] | None = None
    treatment: str = ""

    def here(self, now: int) -> bool:
        """Is this person in the room?"""
        return self.open and now - self.heard_ms <= PRESENT_MS


@dataclass(frozen=True)
class Change:
    """`form` a group of these people (bots fill the rest), `extend` or `release` one of them, `ask`
    them whether they are there, or find that one has left (`leave`)."""

    kind: Literal["form", "extend", "release", "ask", "leave"]
    keys: tuple[int, ...]


def promise_ms(person: Waiting, options: Options) -> int:
    """Until when this person was promised to wait at most."""
    if person.hurried:
        return person.arrived_ms
    rounds = 2 if person.extended else 1
    return max(person.arrived_ms + rounds * round(1000 * options.lobby_seconds), person.held_ms)


def gone_ms(person: Waiting, options: Options) -> int:
    """When a person who is not in the room will have left, unless heard of before then."""
    longest = person.arrived_ms + 2 * round(1000 * options.lobby_seconds)
    return max(longest, person.held_ms, person.heard_ms) + GONE_MS


def changes(waiting: Iterable[Waiting], options: Options, now: int) -> list[Change]:
    """Everything that is to happen now, in order; nobody is named twice in a group."""
    people = sorted(waiting, key=lambda person: (person.arrived_ms, person.key))
    here = [person for person in people if person.here(now)]
    away = [person for person in people if not person.here(now)]
    listed = [Change("leave", (person.key,)) for person in away if gone_ms(person, options) <= now]
    while here:
        size = options.people_per_group
        if len(here) >= size:
            group, here = here[:size], here[size:]
            listed.append(Change("form", tuple(person.key for person in group)))
            continue
        due = [person for person in here if promise_ms(person, options) <= now]
        fresh = [person for person in due if not (person.extended or person.hurried)]
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
    if message.kind in ("act", "answer", *parsing.KINDS):
        return Refusal("the game has not started yet", message.id)
    return None


class Lobby:
    """The people who wait in one lobby, by their keys. Groups are formed within a treatment.

    options     of who has no treatment
    treatments  the options of those who have one, by its name
    """

    def __init__(
        self,
        options: Options,
        waiting: Sequence[Waiting] = (),
        treatments: Mapping[str, Options] | None = None,
    ) -> None:
        self.options = options
        self.treatments = treatments or {}
        self.waiting = {person.key: person for person in waiting}

    def options_of(self, person: Waiting) -> Options:
        """What holds for a person."""
        return self.treatments.get(person.treatment, self.options)

    def arrive(self, key: int, now: int, treatment: str = "") -> None:
        """A person has come: the promise counts from now."""
        self.waiting[key] = Waiting(key, now, now, treatment=treatment)

    def hear(self, key: int, now: int) -> None:
        """A page of a person is there."""
        if key in self.waiting:
            person = self.waiting[key]
            self.waiting[key] = replace(person, heard_ms=now, open=True, probed=False)

    def leave(self, key: int) -> None:
        """The person has no page open any more, and can come back: the promise stays as it is."""
        if key in self.waiting:
            self.waiting[key] = replace(self.waiting[key], open=False)

    def hurry(self, key: int) -> None:
        """The promise to this person is over."""
        if key in self.waiting:
            self.waiting[key] = replace(self.waiting[key], hurried=True)

    def write(self, key: int, note: dict[str, str]) -> None:
        """The manager writes to this person."""
        if key in self.waiting:
            self.waiting[key] = replace(self.waiting[key], note=note)

    def part(self, key: int) -> bool:
        """The person waits no more. False: he or she did not wait."""
        return self.waiting.pop(key, None) is not None

    def here(self, now: int, treatment: str | None = None) -> int:
        """How many people are in the room; of one treatment, or of all."""
        return sum(
            person.here(now)
            for person in self.waiting.values()
            if treatment in (None, person.treatment)
        )

    def _changes(self, now: int) -> list[Change]:
        """Treatment by treatment, in the order in which somebody came first."""
        by_treatment: dict[str, list[Waiting]] = {}
        for person in sorted(self.waiting.values(), key=lambda own: (own.arrived_ms, own.key)):
            by_treatment.setdefault(person.treatment, []).append(person)
        return [
            change
            for people in by_treatment.values()
            for change in changes(people, self.options_of(people[0]), now)
        ]

    def counting(self) -> set[int]:
        """Those who see how many are here; else nobody knows how many come."""
        return {
            key
            for key, person in self.waiting.items()
            if self.options_of(person).disclosure == "labels"
        }

    def advance(self, now: int) -> list[Change]:
        """Do everything that is to happen now; what it was, in order."""
        listed = self._changes(now)
        for change in listed:
            for key in change.keys:
                if change.kind == "extend":
                    self.waiting[key] = replace(self.waiting[key], extended=True)
                else:
                    self.waiting.pop(key, None)
        silent = [
            person
            for person in self.waiting.values()
            if person.here(now) and not person.probed and now - person.heard_ms >= ASK_MS
        ]
        for person in silent:
            self.waiting[person.key] = replace(person, probed=True)
        if silent:
            listed.append(Change("ask", tuple(person.key for person in silent)))
        return listed

    def next_due(self, now: int) -> int | None:
        """When something happens by itself (ms): somebody's promise is over, or silence too long.

        Right after `advance(now)`, never before then; None: nobody waits.
        """
        due: list[int] = []
        for person in self.waiting.values():
            if person.here(now):
                silence = PRESENT_MS + 1 if person.probed else ASK_MS
                due += [promise_ms(person, self.options_of(person)), person.heard_ms + silence]
            else:
                due.append(gone_ms(person, self.options_of(person)))
        return min(due, default=None)

    def view(self, key: int, now: int) -> LobbyView:
        """What the page of a person who waits shows.

        How many people make a group would tell how many bots there are.
        """
        person = self.waiting[key]
        options = self.options_of(person)
        needed, labels = options.people_per_group, options.disclosure == "labels"
        return LobbyView(
            phase="waiting",
            here=min(self.here(now, person.treatment), needed) if labels else None,
            needed=needed if labels else None,
            extended=person.extended,
            remaining_ms=max(promise_ms(person, options) - now, 0),
            note=person.note,
        )
