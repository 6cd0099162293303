"""Lobby under any interleaving of events: people arrive, go silent, reload, close the page and
leave; a manager hurries people or sends them home; time passes unnoticed; and the server restarts.

Invariants, whatever the order and the times:

1. Each person is in one place: waiting, or gone exactly once: into a group, released, or left.
2. A group has one treatment and only people who are present. It is full, unless the promise to one
   of its people is over and promises end with bots. Then everyone present is in it.
3. Groups follow the order of arrival: if a person gets a seat, so does everyone present in the same
   treatment who came earlier.
4. A person who is present waits no longer than promised. A promise is renewed once, and only if the
   session says so. A person is released only if that was promised and the promise is over.
5. For each treatment, fewer people are waiting and present than a group needs.
6. A silent person is asked once until heard from again. An absent person is in no group, and keeps
   place and promise until a minute after the longest promised wait.
7. Nothing happens between two updates unless someone acts or the lobby named the time for it. An
   extra or earlier update changes nothing, and after that time the lobby names a later one.
8. The number of people present is shown only where bots are marked, and never exceeds the number
   needed.
9. A lobby restored from storage keeps everyone's place and promise, apart from the time that
   pages need to reconnect. So a server can restart at any point.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as some
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from hypothesis.stateful import run_state_machine_as_test as run

from mixed_company.table.lobby import ASK_MS, GONE_MS, PRESENT_MS, Change, Lobby, Waiting
from mixed_company.table.options import Options

SECOND = 1000
PROMISE, BACK = 30 * SECOND, 10 * SECOND
SIZES = {"few": 3, "many": 5}
TREATMENTS = some.sampled_from(sorted(SIZES))
WAITS = (0, 1, 700, ASK_MS - 1, ASK_MS, PRESENT_MS, PRESENT_MS + 1, PROMISE - 1, PROMISE, GONE_MS)


@dataclass(frozen=True)
class Person:
    """State of a waiting person: actions and promises, with times in milliseconds."""

    treatment: str
    came: int
    heard: int
    open: bool = True
    renewed: bool = False
    hurried: bool = False
    held: int = 0
    is_asked: bool = False

    def here(self, now: int) -> bool:
        return self.open and now - self.heard <= PRESENT_MS

    def until(self) -> int:
        """Return the end of the promise."""
        longest = max(self.came + (2 if self.renewed else 1) * PROMISE, self.held)
        return self.came if self.hurried else longest

    def gone(self) -> int:
        """Return the time at which the person counts as having left, if absent."""
        return max(self.came + 2 * PROMISE, self.heard, self.held) + GONE_MS

    def next(self, now: int) -> int:
        """Return the time of the next event if nobody does anything."""
        if not self.here(now):
            return self.gone()
        silent = PRESENT_MS + 1 if self.is_asked else ASK_MS
        return min(self.until(), self.heard + silent)


class LobbyInterleaved(RuleBasedStateMachine):
    """Lobby for two treatments, with the people waiting in it and what happened to the people who
    are gone."""

    @initialize(
        outcome=some.sampled_from(("bots", "extend", "release")),
        disclosure=some.sampled_from(("labels", "none")),
        treatments=some.lists(TREATMENTS, max_size=6),
    )
    def open(self, outcome: str, disclosure: str, treatments: list[str]) -> None:
        self.outcome, self.disclosure, self.now = outcome, disclosure, 0
        self.lobby = self.built(())
        self.people: dict[int, Person] = {}
        self.gone: dict[int, str] = {}
        self.people_come(treatments)

    def built(self, waiting: tuple[Waiting, ...]) -> Lobby:
        shared = {"lobby_seconds": PROMISE / SECOND, "lobby_outcome": self.outcome}
        shared["disclosure"] = self.disclosure
        options = {name: Options(people_per_group=size, **shared) for name, size in SIZES.items()}
        return Lobby(options["few"], waiting, options)

    # -- rules --------------------------------------------------------------------

    @rule(treatments=some.lists(TREATMENTS, min_size=1, max_size=4))
    def people_come(self, treatments: list[str]) -> None:
        for treatment in treatments:
            key = len(self.people) + len(self.gone)
            self.people[key] = Person(treatment, self.now, self.now)
            self.lobby.arrive(key, self.now, treatment)
            self.look()

    @rule(which=some.integers(0), wait=some.sampled_from(WAITS[:7]))
    def a_page_is_there(self, which: int, wait: int) -> None:
        self.now += wait
        self.hear(which)
        self.look()

    @rule(wait=some.sampled_from(WAITS[:7]))
    def all_pages_are_there(self, wait: int) -> None:
        self.now += wait
        for which in range(len(self.people)):
            self.hear(which)
        self.look()

    @rule(which=some.integers(0))
    def a_page_is_closed(self, which: int) -> None:
        for key in self.picked(which):
            self.people[key] = replace(self.people[key], open=False)
            self.lobby.leave(key)
            self.look()

    @rule(which=some.integers(0), rarely=some.integers(0, 3))
    def somebody_goes_or_is_sent_home(self, which: int, rarely: int) -> None:
        for key in self.picked(which) if rarely == 0 else ():
            assert self.lobby.part(key)
            self.go(key, "parted")
        for key in self.gone:
            assert not self.lobby.part(key)
        self.look()

    @rule(which=some.integers(0))
    def the_manager_hurries(self, which: int) -> None:
        for key in self.picked(which):
            self.people[key] = replace(self.people[key], hurried=True)
            self.lobby.hurry(key)
            self.look()

    @rule(wait=some.sampled_from(WAITS))
    def time_passes(self, wait: int) -> None:
        self.now += wait

    @rule(times=some.integers(1, 5), late=some.sampled_from((0, 0, 1, 15, PRESENT_MS)))
    def the_alarm_rings(self, times: int, late: int) -> None:
        """Advance to the time that the lobby named. Nothing happens before it, and something does
        then (7)."""
        self.look()
        for _ in range(times):
            due = self.lobby.next_due(self.now)
            assert (due is None) == (not self.people)
            if due is not None:
                assert (
                    self.now < due <= min(person.next(self.now) for person in self.people.values())
                )
                assert self.lobby.advance(due - 1) == []
                self.now = due + late
                self.look()

    @rule(wait=some.sampled_from(WAITS))
    def the_server_starts_again(self, wait: int) -> None:
        """Restore the lobby. Pages have not reconnected yet, and hurrying is forgotten because it
        is not stored (9)."""
        self.now += wait
        back = self.now + BACK
        for key, person in self.people.items():
            self.people[key] = replace(person, open=False, held=back, hurried=False, is_asked=False)
        stored = tuple(
            Waiting(
                key,
                person.came,
                person.heard,
                person.renewed,
                open=False,
                held_ms=back,
                treatment=person.treatment,
            )
            for key, person in self.people.items()
        )
        self.lobby = self.built(stored)
        self.look()

    # -- actions -----------------------------------------------------------------------

    def picked(self, which: int) -> list[int]:
        """Return a list of one waiting person, or an empty list."""
        keys = list(self.people)
        return [keys[which % len(keys)]] if keys else []

    def hear(self, which: int) -> None:
        for key in self.picked(which):
            person = self.people[key]
            self.people[key] = replace(person, heard=self.now, open=True, is_asked=False)
            self.lobby.hear(key, self.now)

    def go(self, key: int, how: str) -> None:
        """Move a person out of the lobby (1)."""
        assert key not in self.gone
        del self.people[key]
        self.gone[key] = how

    def look(self) -> None:
        """Advance the lobby. Check that its changes are allowed, and that nothing is left to do."""
        for change in self.lobby.advance(self.now):
            getattr(self, f"follow_{change.kind}")(change)
        assert self.lobby.advance(self.now) == []
        for person in self.people.values():
            assert not person.here(self.now) or person.until() > self.now  # 4
            silent = person.here(self.now) and self.now - person.heard >= ASK_MS
            assert not silent or person.is_asked  # 6

    def there(self, treatment: str) -> list[int]:
        """Return the people of a treatment who are present, in the order of arrival."""
        waiting = [
            (person.came, key)
            for key, person in self.people.items()
            if person.treatment == treatment
        ]
        return [key for _, key in sorted(waiting) if self.people[key].here(self.now)]

    def follow_form(self, change: Change) -> None:
        """Check a new group (2, 3)."""
        [treatment] = {self.people[key].treatment for key in change.keys}
        waiting, size = self.there(treatment), SIZES[treatment]
        if len(change.keys) < size:
            assert self.outcome != "release"
            assert list(change.keys) == waiting
            assert any(self.people[key].until() <= self.now for key in waiting)
        else:
            assert list(change.keys) == waiting[:size]
        for key in change.keys:
            self.go(key, "seated")

    def follow_extend(self, change: Change) -> None:
        """Check an extended promise (4)."""
        [key] = change.keys
        person = self.people[key]
        assert self.outcome == "extend"
        assert person.here(self.now)
        assert not person.renewed
        assert not person.hurried
        assert person.until() <= self.now
        self.people[key] = replace(person, renewed=True)

    def follow_release(self, change: Change) -> None:
        """Check a release (4)."""
        [key] = change.keys
        assert self.outcome == "release"
        assert self.people[key].here(self.now)
        assert self.people[key].until() <= self.now
        self.go(key, "released")

    def follow_leave(self, change: Change) -> None:
        """Check that a person has left (6)."""
        [key] = change.keys
        person = self.people[key]
        assert not person.here(self.now)
        assert self.now >= person.gone()
        self.go(key, "left")

    def follow_ask(self, change: Change) -> None:
        """Check that a silent person is asked (6)."""
        for key in change.keys:
            person = self.people[key]
            assert person.here(self.now)
            assert not person.is_asked
            assert self.now - person.heard >= ASK_MS
            self.people[key] = replace(person, is_asked=True)

    # -- invariants ------------------------------------------------------------------

    @invariant()
    def who_came_waits_or_has_gone_once(self) -> None:
        if hasattr(self, "lobby"):
            assert set(self.lobby.waiting) == set(self.people)
            assert not set(self.people) & set(self.gone)
            times = {key: person.arrived_ms for key, person in self.lobby.waiting.items()}
            assert times == {key: person.came for key, person in self.people.items()}

    @invariant()
    def nobody_waits_who_could_play(self) -> None:
        if hasattr(self, "lobby"):
            for treatment, size in SIZES.items():
                assert len(self.there(treatment)) < size

    @invariant()
    def pages_show_what_they_may(self) -> None:
        if not hasattr(self, "lobby"):
            return
        for key, person in self.people.items():
            view = self.lobby.view(key, self.now)
            waiting, size = len(self.there(person.treatment)), SIZES[person.treatment]
            shown = (waiting, size) if self.disclosure == "labels" else (None, None)
            assert (view.here, view.needed) == shown
            assert view.extended == person.renewed
            assert view.remaining_ms == max(person.until() - self.now, 0)


@pytest.mark.parametrize("examples", [60, pytest.param(300, marks=pytest.mark.long)])
def test_the_invariants_hold_in_any_order(examples: int) -> None:
    steps = settings(
        max_examples=examples,
        stateful_step_count=50,
        derandomize=True,
        deadline=None,
        phases=[Phase.generate],  # shrinking takes minutes
    )
    run(LobbyInterleaved, settings=steps)
