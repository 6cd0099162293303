"""The Monitor page advances the slowest participants; the Payments page counts the people who are
paid."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.server.mends import admin, advance
from mixed_company.server.pages.shared import Shared
from tests.server.inside import inside

__all__ = ["inside"]  # a fixture


class Hurried(Shared):
    """Page that acts for slow participants."""

    @staticmethod
    def hurry(player: Any) -> bool:
        player.append("hurried")
        return bool(player[0])


class Still(Shared):
    """Page that does nothing for slow participants."""


class Elsewhere:
    """A page of another app."""


PAGES = {1: Still, 2: Hurried, 3: Elsewhere, 4: Hurried}


class Person:
    """Participant on one of four pages."""

    _max_page_index = 4

    def __init__(self, index: int, goes_on: bool = True, visited: bool = True) -> None:
        self._index_in_pages, self.visited, self.player = index, visited, [goes_on]

    def _get_current_player(self) -> Any:
        return self.player


@pytest.fixture(autouse=True)
def theirs(inside: None, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return the participants that oTree itself advanced."""
    done: list[Any] = []

    def lookup(code: str, index: int) -> Any:
        assert code == "abc"
        return SimpleNamespace(page_class=PAGES[index])

    monkeypatch.setattr(advance, "get_page_lookup", lookup)
    monkeypatch.setattr(advance, "_advance", lambda session, people: done.extend(people))
    monkeypatch.setattr(advance, "_advance_last", lambda *arguments: done.append(arguments))
    return done


def session(*people: Any) -> Any:
    return SimpleNamespace(code="abc", pp_set=SimpleNamespace(order_by=lambda name: people))


def test_a_page_of_the_project_says_whether_somebody_moves_on(theirs):
    goes, stays, never = Person(2), Person(2, goes_on=False), Person(2, visited=False)
    elsewhere, over, still = Person(3), Person(5), Person(0)
    advance._advance_selected(session(), [goes, stays, never, elsewhere, over, still])
    assert theirs == [goes, elsewhere, over]
    assert [person.player[1:] for person in (goes, stays, never)] == [["hurried"], ["hurried"], []]


def test_the_slowest_people_are_those_on_the_first_page_that_moves_anybody(theirs):
    first, again, later, over = Person(2), Person(2), Person(4), Person(5)
    unmoved, never = Person(1), Person(2, visited=False)
    advance._advance_last_place(session(later, unmoved, first, never, again, over))
    assert theirs == [first, again]
    assert later.player == [True]


def test_people_on_pages_of_other_apps_can_be_the_slowest(theirs):
    last, elsewhere = Person(4), Person(3)
    advance._advance_last_place(session(last, elsewhere))
    assert theirs == [elsewhere]


def test_without_pages_of_the_project_otree_advances(theirs):
    whole_session = session(Person(3), Person(5))
    advance._advance_last_place(whole_session, True)
    assert theirs == [(whole_session, True)]
    theirs.clear()
    advance._advance_last_place(session(Person(1)))
    assert theirs == []


# -- payments -------------------------------------------------------------------------------------


def test_a_payment_is_computed_here_if_an_app_of_the_project_is_played(monkeypatch):
    for name, ours in (("paid_to", 5.0), ("beyond_fee", 3.0)):
        monkeypatch.setattr(admin, name, lambda person, ours=ours: ours if person else None)
    monkeypatch.setattr(admin, "_payment", lambda person: "their payment")
    monkeypatch.setattr(admin, "_bonus", lambda person: "their bonus")
    assert [admin._paid(person) for person in (1, 0)] == [5.0, "their payment"]
    assert [admin._paid_beyond_fee(person) for person in (1, 0)] == [3.0, "their bonus"]


@pytest.mark.parametrize(
    ("amounts", "mean", "paid", "unpaid"),
    [([2.0, 0.0, 5.0, 0.0, 0.0], 3.5, 2, 3), ([0.0], "theirs", 0, 1), ([], "theirs", 0, 0)],
)
def test_people_who_are_not_paid_are_in_no_mean(amounts, mean, paid, unpaid, monkeypatch):
    people = [
        SimpleNamespace(payoff_plus_participation_fee=lambda amount=amount: amount)
        for amount in amounts
    ]
    shown = {"participants": people, "mean_payment": "theirs"}
    monkeypatch.setattr(admin, "_payments", lambda view: dict(shown))
    assert admin._with_counts("view") == {
        **shown,
        "mean_payment": mean,
        "paid": paid,
        "unpaid": unpaid,
    }
