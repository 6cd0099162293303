"""Lobby of a later block, in which the groups are already determined.

A company consists of the people in one group of this block, except people who have left. It starts
to play as soon as all its people are present, or when one person's promised wait is over. A person
who is still missing gets a seat anyway; as at every table, a bot decides until the person arrives.
If a person leaves the lobby or is released, the others do not wait; a bot takes that seat.

Companies are not final while the first block is still forming groups that people will mix with.
Until they are final, nobody starts before a promised wait is over.

This module is pure, like `table.lobby`, and used in the same way:

    meeting = Meeting(options)
    meeting.expect([(4, 7)])           people 4 and 7 form a company
    meeting.arrive(7, now=0)
    meeting.arrive(4, now=0)
    meeting.advance(now=0)             [Change("form", (4, 7))]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from mixed_company.table.lobby import Change, Lobby, Waiting, gone_ms, promise_ms
from mixed_company.table.protocol import LobbyView

Company = tuple[int, ...]


@dataclass(frozen=True)
class Companies:
    """Groups of people who will play together; people are identified by key.

    companies   the people of each group
    seats       seats that people keep; empty if seats are drawn
    open        people whose group is not final
    """

    companies: Sequence[Company] = ()
    seats: Mapping[int, int] = field(default_factory=dict)
    open: frozenset[int] = frozenset()


class Meeting(Lobby):
    """Lobby of a later block: the people who are waiting, and the group of each person."""

    def __init__(self, *arguments: object, **named: object) -> None:
        super().__init__(*arguments, **named)  # type: ignore[arg-type]
        self._companies: dict[int, Company] = {}
        self._open: frozenset[int] = frozenset()

    def expect(self, companies: Iterable[Company], still_open: Set[int] = frozenset()) -> None:
        """Set the companies known so far, and the people without a final company."""
        for company in companies:
            self._companies |= dict.fromkeys(company, company)
            self._open -= set(company)
        self._open |= still_open

    def part(self, key: int) -> bool:
        """Stop waiting for a person. Return False if the person was not in the lobby."""
        left = self.company(key)
        rest = tuple(other for other in left if other != key)
        self._companies |= dict.fromkeys(rest, rest)
        self._companies.pop(key, None)
        return super().part(key)

    def company(self, key: int) -> Company:
        """Return the people that a person plays with, including that person."""
        return self._companies.get(key, (key,))

    def _changes(self, now: int) -> list[Change]:
        """Return the changes that are due, company by company, in the order of the first
        arrivals."""
        listed, seen = list[Change](), set[int]()
        for person in sorted(
            self.waiting.values(), key=lambda waiter: (waiter.arrived_ms, waiter.key)
        ):
            if person.key not in seen:
                company = self.company(person.key)
                seen |= set(company)
                listed += self._of_company(company, now)
        return listed

    def _of_company(self, company: Company, now: int) -> list[Change]:
        waiting = [self.waiting[key] for key in company if key in self.waiting]
        here = [person for person in waiting if person.here(now)]
        complete = len(here) == len(company) and self._open.isdisjoint(company)
        if here and (complete or any(self._is_over(person, now) for person in here)):
            return [Change("form", company)]
        away = [person for person in waiting if not person.here(now)]
        gone = [person.key for person in away if gone_ms(person, self.options_of(person)) <= now]
        return [Change("leave", (key,)) for key in gone]

    def _is_over(self, person: Waiting, now: int) -> bool:
        return promise_ms(person, self.options_of(person)) <= now

    def view(self, key: int, now: int) -> LobbyView:
        """Return the lobby view; if bots are labelled, it counts the people in the person's
        company."""
        view = super().view(key, now)
        if view.needed is None:
            return view
        company = self.company(key)
        here = sum(self.waiting[member].here(now) for member in company if member in self.waiting)
        return replace(view, here=here, needed=len(company))
