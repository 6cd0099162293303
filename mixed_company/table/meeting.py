"""The lobby of a block after the first: who plays with whom is known before anybody comes.

A company is the people of one group of this block, but for those who have left. As soon as all of
it are there, they begin. When somebody's promise is over, they begin as well: who is not
there yet has a seat all the same, and a bot decides on it until he or she comes, as at any table.
Who leaves the lobby, or is sent home, is waited for no longer, and the seat is a bot's.

Pure, as `table.lobby`, and used in the same way:

    meeting = Meeting(options)
    meeting.expect([(4, 7)])           persons 4 and 7 are one company
    meeting.arrive(7, now=0)
    meeting.arrive(4, now=0)
    meeting.advance(now=0)             [Change("form", (4, 7))]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mixed_company.table.lobby import Change, Lobby, Waiting, gone_ms, promise_ms
from mixed_company.table.protocol import LobbyView

__all__ = ["Companies", "Company", "Meeting"]

Company = tuple[int, ...]


@dataclass(frozen=True)
class Companies:
    """Those who play together, by their keys; the seats that they keep, empty: they are drawn."""

    companies: Sequence[Company] = ()
    seats: Mapping[int, int] = field(default_factory=dict)


class Meeting(Lobby):
    """The people who wait, and their companies."""

    def __init__(self, *given: object, **named: object) -> None:
        super().__init__(*given, **named)  # type: ignore[arg-type]
        self._companies: dict[int, Company] = {}

    def expect(self, companies: Iterable[Company]) -> None:
        """These people play together, as far as is known now."""
        for company in companies:
            self._companies |= dict.fromkeys(company, company)

    def part(self, key: int) -> bool:
        """The person waits no more, and nobody waits for him or her."""
        left = self.company(key)
        rest = tuple(other for other in left if other != key)
        self._companies |= dict.fromkeys(rest, rest)
        self._companies.pop(key, None)
        return super().part(key)

    def company(self, key: int) -> Company:
        """With whom a person plays, he or she included."""
        return self._companies.get(key, (key,))

    def _changes(self, now: int) -> list[Change]:
        """Company by company, in the order in which somebody came first."""
        listed, seen = list[Change](), set[int]()
        for person in sorted(self.waiting.values(), key=lambda own: (own.arrived_ms, own.key)):
            if person.key not in seen:
                company = self.company(person.key)
                seen |= set(company)
                listed += self._of_company(company, now)
        return listed

    def _of_company(self, company: Company, now: int) -> list[Change]:
        waiting = [self.waiting[key] for key in company if key in self.waiting]
        here = [person for person in waiting if person.here(now)]
        if here and (len(here) == len(company) or any(self._is_over(own, now) for own in here)):
            return [Change("form", company)]
        away = [person for person in waiting if not person.here(now)]
        gone = [own.key for own in away if gone_ms(own, self.options_of(own)) <= now]
        return [Change("leave", (key,)) for key in gone]

    def _is_over(self, person: Waiting, now: int) -> bool:
        return promise_ms(person, self.options_of(person)) <= now

    def view(self, key: int, now: int) -> LobbyView:
        """As in any lobby; of those one waits for, how many are there, where bots are labelled."""
        view = super().view(key, now)
        if view.needed is None:
            return view
        company = self.company(key)
        here = sum(self.waiting[own].here(now) for own in company if own in self.waiting)
        return replace(view, here=here, needed=len(company))
