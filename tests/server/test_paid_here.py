"""A person who plays two games in one session gets one fee, and points from both games."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import otree.session
import pytest

from mixed_company.server.blocks.way import players_of
from mixed_company.server.pages.pages import Consent, Instructions, Results
from mixed_company.server.paying import beyond_fee, ledger_of, paid_to, payment, whole_ledger
from mixed_company.table.ledger import total
from tests.server.inside import Session, Visitor, inside

__all__ = ["inside"]  # a fixture

PAID: dict[str, Any] = {
    "seed": "3",
    "periods": 2,
    "quiz": False,
    "bots": "random",
    "participation_fee": 2.0,
    "real_world_currency_per_point": 0.1,
}


@pytest.fixture
def ann(inside: None, monkeypatch: pytest.MonkeyPatch) -> Visitor:
    """Return a person in a session of the commons and then gems."""
    configs = otree.session.SESSION_CONFIGS_DICT
    both = {**configs["commons"], **PAID, "name": "both"}
    both["app_sequence"] = ["commons_game", "gem_mining"]
    monkeypatch.setitem(configs, "both", type(configs["commons"])(both))
    return Session("both", 1).people[0].come().send()


def players(visitor: Visitor) -> list[Any]:
    return players_of(visitor.player().participant)


def test_the_fee_is_paid_with_the_first_game_that_pays_and_points_with_both(ann):
    """Take 3 fish in each of 2 periods, which is 6 points: 0.60. The 10 points from gems are
    1.00."""
    ann.play(harvest=3.0)
    ann.send()
    first, second = players(ann)
    assert ledger_of(first)["fee"] == Decimal("2.00")
    assert payment(first) == Decimal("2.60")
    assert Results.vars_for_template(first)["goes_on"] is True
    second.status, second.seat, second.points, second.payoff = "finished", 0, 10.0, 10
    assert Results.vars_for_template(first)["pay"] == "€3.60"
    assert (ledger_of(second)["fee"], ledger_of(second)["points"]) == (0, Decimal("1.00"))
    assert payment(first) == payment(second) == paid_to(first.participant) == Decimal("3.60")
    assert beyond_fee(first.participant) == Decimal("1.60")
    assert total(whole_ledger(second)) == Decimal("1.00")


def test_a_person_who_left_the_first_game_unpaid_gets_the_fee_with_the_second(ann):
    first, second = players(ann)
    first.status = "excluded"
    second.status, second.seat = "finished", 0
    assert (ledger_of(first)["fee"], ledger_of(second)["fee"]) == (0, Decimal("2.00"))
    assert payment(first) == 0  # this game pays nothing
    assert payment(second) == Decimal("2.00")
    assert Results.vars_for_template(first)["goes_on"] is False


def test_points_of_other_apps_are_in_the_payment_of_paid_people(ann):
    first, second = players(ann)
    first.participant.payoff = 30  # points of another app
    assert paid_to(first.participant) == 0
    first.status, first.seat, first.points = "finished", 0, 6.0
    assert paid_to(first.participant) == Decimal("5.60")
    assert second.status == "arriving"
    assert payment(second) == 0


def test_a_person_excluded_in_one_game_is_excluded_in_the_next(ann):
    first, second = players(ann)
    assert Instructions.is_displayed(second)
    for status, barred in (("finished", "arriving"), ("excluded", "excluded")):
        first.status = status
        assert not Consent.is_displayed(second)  # the session has none
        assert second.status == barred
    assert not Instructions.is_displayed(second)
