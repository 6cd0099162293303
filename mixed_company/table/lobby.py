"""Lobby: people are matched into groups, and wait no longer than promised.

People are grouped in order of arrival, as soon as enough people have arrived. Each person is
promised a maximum wait. When it is over,

    bots       everyone who is waiting starts, with bots in the empty seats
    extend     the promise is renewed once; after that, the same as `bots`
    release    the person is released and paid for showing up

A person is present only while a page is open and answers. If the page sends nothing for ASK_MS, a
view asks it to respond. If it has sent nothing for PRESENT_MS, the person joins no group until it
sends a message again, and counts as gone GONE_MS after twice the promised wait. People who are
still reading or taking the quiz are not in the lobby, and nobody waits for them longer than
promised.

This module is pure: it takes people, options and time, and returns the changes.

    lobby = Lobby(options)
    lobby.arrive(7, now=0)             person 7 has arrived
    lobby.advance(now=0)               [Change("form", (4, 7))]: changes that are due now
    lobby.next_due(now=0)              time of the next change
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from mixed_company.table.options import Options
from mixed_company.table.protocol import LobbyView, Message, Refusal
from mixed_company.table.talk import parsing

ASK_MS = 4_000
"""Time without messages, in milliseconds, after which a page is asked to respond. A page normally
sends a message every three seconds. A browser slows down a hidden page, but the page still
responds.
"""

PRESENT_MS = 7_000
"""Time without messages, in milliseconds, after which a person no longer counts as present."""

GONE_MS = 60_000
"""Milliseconds after twice the promised wait until an absent person counts as gone."""


@dataclass(frozen=True)
class Waiting:
    """Person in the lobby; times in milliseconds.

    extended   whether the promise was renewed
    open       whether any of the person's pages is open
    probed     whether the page has been asked to respond since its last message
    held_ms    earliest end of the promise; gives pages time to reconnect after a server outage
    hurried    whether the manager ended the promise
    note       last message from the manager: its id and text
    treatment  treatment that the person is grouped in; empty if the session has none
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
        """Return whether the person is present."""
        return self.open and now - self.heard_ms <= PRESENT_MS


@dataclass(frozen=True)
class Change:
    """Change in the lobby: `form` a group of these people (bots take the other seats), `extend` or
    `release` a person, `ask` people's pages to respond, or record that a person has left (`leave`).
    """

    kind: Literal["form", "extend", "release", "ask", "leave"]
    keys: tuple[int, ...]


def longest_ms(options: Options) -> int:
    """Return how long a person may have to wait in a lobby, including a renewed promise."""
    rounds = 2 if options.lobby_outcome == "extend" else 1
    return rounds * round(1000 * options.lobby_seconds)


def stay_ms(lobby_seconds: float) -> int:
    """Return how long a person can stay in a lobby that is always served, even with all pages
    closed."""
    return 2 * round(1000 * lobby_seconds) + GONE_MS


def promise_ms(person: Waiting, options: Options) -> int:
    """Return when this person's promised wait is over."""
    if person.hurried:
        return person.arrived_ms
    rounds = 2 if person.extended else 1
    return max(person.arrived_ms + rounds * round(1000 * options.lobby_seconds), person.held_ms)


def gone_ms(person: Waiting, options: Options) -> int:
    """Return when an absent person counts as gone if nothing is heard from the person before
    then."""
    longest = person.arrived_ms + stay_ms(options.lobby_seconds)
    return max(longest, max(person.held_ms, person.heard_ms) + GONE_MS)


def changes(waiting: Iterable[Waiting], options: Options, now: int) -> list[Change]:
    """Return all changes that are currently due, in order; no person is in two groups."""
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
    """Return why a lobby refuses a message, or None if it accepts it."""
    if message.kind in ("act", "answer", *parsing.KINDS):
        return Refusal("the game has not started yet", message.id)
    return None


class Lobby:
    """People waiting in one lobby, by key. Groups are formed within a treatment.

    options     options that apply to people without a treatment
    treatments  treatment -> its options
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
        """Return the options that apply to a person."""
        return self.treatments.get(person.treatment, self.options)

    def arrive(self, key: int, now: int, treatment: str = "") -> None:
        """Add a person; the promised wait starts now."""
        self.waiting[key] = Waiting(key, now, now, treatment=treatment)

    def hear(self, key: int, now: int) -> None:
        """Record that a person's page is still connected."""
        if key in self.waiting:
            person = self.waiting[key]
            self.waiting[key] = replace(person, heard_ms=now, open=True, probed=False)

    def leave(self, key: int) -> None:
        """Record that a person has no page open; keep the promise, in case the person returns."""
        if key in self.waiting:
            self.waiting[key] = replace(self.waiting[key], open=False)

    def hurry(self, key: int) -> None:
        """End this person's promised wait."""
        if key in self.waiting:
            self.waiting[key] = replace(self.waiting[key], hurried=True)

    def write(self, key: int, note: dict[str, str]) -> None:
        """Store a message from the manager to this person."""
        if key in self.waiting:
            self.waiting[key] = replace(self.waiting[key], note=note)

    def part(self, key: int) -> bool:
        """Remove a person who is no longer waiting. Return False if the person was not waiting."""
        return self.waiting.pop(key, None) is not None

    def here(self, now: int, treatment: str | None = None) -> int:
        """Return how many people are present in a treatment, or in all treatments by default."""
        return sum(
            person.here(now)
            for person in self.waiting.values()
            if treatment in (None, person.treatment)
        )

    def _changes(self, now: int) -> list[Change]:
        """Return the changes that are due, by treatment, in the order of the first arrivals."""
        by_treatment: dict[str, list[Waiting]] = {}
        for person in sorted(
            self.waiting.values(), key=lambda waiter: (waiter.arrived_ms, waiter.key)
        ):
            by_treatment.setdefault(person.treatment, []).append(person)
        return [
            change
            for people in by_treatment.values()
            for change in changes(people, self.options_of(people[0]), now)
        ]

    def counting(self) -> set[int]:
        """Return the people who may be told how many people are present, because bots are
        labelled."""
        return {
            key
            for key, person in self.waiting.items()
            if self.options_of(person).disclosure == "labels"
        }

    def advance(self, now: int) -> list[Change]:
        """Apply all changes that are currently due, and return them in order."""
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
        """Return when the next change is due (ms): at the end of a promised wait, or when a page
        has been silent for too long.

        Immediately after `advance(now)`, this is never earlier than `now`. None if nobody is
        waiting.
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
        """Return the view for a waiting person's page.

        The view includes numbers of people only if bots are labelled, because otherwise they would
        reveal how many bots there are.
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
